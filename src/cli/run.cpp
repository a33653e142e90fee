#include "cli/run.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>

#include "base/text.hpp"
#include "cli/commands/matrix.hpp"
#include "cli/commands/resolve.hpp"
#include "cli/context.hpp"
#include "cli/version.hpp"

namespace vmatrix::cli {
namespace {

constexpr const char* examples = R"(vmatrix: which driver, CUDA or ROCm, cuDNN and PyTorch work together on this GPU

  vmatrix resolve --gpu rx7900                         what works together on this card
  vmatrix check --gpu "RTX 5090" torch==2.6.0+cu124    whether a given stack does, and why not
  vmatrix matrix show rx7900                           what the matrix knows of a name

`vmatrix --help` shows all commands.
)";

/// The command that the words so far have reached.
const CLI::App& deepest(const CLI::App& app) {
    const CLI::App* at = &app;
    while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
    return *at;
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(sub->get_name());
    return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* level = &app; level != nullptr; level = level->get_parent())
        for (const CLI::Option* option : level->get_options())
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

/// A word that nothing expects is a mistyped command or option more often than anything else.
base::Error usage_problem(const CLI::App& app, const CLI::ParseError& problem) {
    const CLI::App& at = deepest(app);
    const auto left = app.remaining(true);
    if (!left.empty()) {
        const std::string& word = left.front();
        const bool option = word.starts_with("-");
        const auto names = option ? option_names(at) : subcommand_names(at);
        if (option || !names.empty()) {
            const std::vector<std::string_view> views(names.begin(), names.end());
            std::string hint = base::did_you_mean(base::nearest(word.substr(0, word.find('=')), views, 2));
            if (hint.empty()) hint = (option ? "`" : "one of " + base::join(names, ", ") + "; `") + "vmatrix --help` shows all";
            return {std::string("there is no ") + (option ? "option" : "command") + " `" + base::printable(word) + "`", hint, base::ErrorKind::usage};
        }
    }
    std::string message = problem.what();
    message.erase(message.find_last_not_of(" .\n") + 1);
    std::string path;
    for (const CLI::App* level = &at; level != nullptr; level = level->get_parent()) path = level->get_name() + (path.empty() ? "" : " ") + path;
    return {base::printable(message, 400), path + " --help", base::ErrorKind::usage};
}

/// Refuses the formats of tables where the answer is none, before anything is done.
void choose_format(const CLI::App& app, const std::string& name, Context& context) {
    context.format = report::parse_format(name).value_or(report::Format::text);
    context.table_format = report::parse_table_format(name);
    if (context.table_format && std::ranges::find(context.table_commands, &deepest(app)) == context.table_commands.end())
        throw CLI::ValidationError("--format", name + " is for tables, and this answer is none; choose text, json or yaml");
}

}  // namespace

int run(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
    if (argc <= 1) {
        out << examples;
        return exit_yes;
    }
    Context context{out, err};
    CLI::App app("vmatrix: which driver, CUDA or ROCm, cuDNN and PyTorch work together on this GPU", "vmatrix");
    app.set_version_flag("--version", std::string("vmatrix ") + program_version);
    app.require_subcommand(1);
    app.fallthrough();
    std::string format = "text";
    app.add_option("--format", format, "text, json or yaml; a table also markdown, csv or html")->check(CLI::IsMember({"text", "json", "yaml", "markdown", "csv", "html"}))->type_name("FORMAT");
    app.add_flag("-q,--quiet", context.quiet, "Only errors and the answer");
    app.parse_complete_callback([&] { choose_format(app, format, context); });
    add_resolve_command(app, context);
    add_check_command(app, context);
    add_explain_command(app, context);
    add_matrix_command(app, context);
    app.footer("Exit codes: 0 yes, 1 no, 2 usage, 3 bad matrix or input, 4 environment, 5 internal error.\nManual: man vmatrix");
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        out << app.help();   // of the command that the words have reached
        return exit_yes;
    } catch (const CLI::CallForVersion& version) {
        out << version.what() << "\n";
        return exit_yes;
    } catch (const CLI::ParseError& problem) {
        return show_error(context, usage_problem(app, problem));
    }
    return context.exit_code;
}

}  // namespace vmatrix::cli
