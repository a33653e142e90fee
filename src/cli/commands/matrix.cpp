#include "cli/commands/matrix.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/card_table.hpp"
#include "app/matrix_folder.hpp"
#include "app/matrix_format.hpp"
#include "app/matrix_queries.hpp"
#include "app/matrix_schema.hpp"
#include "base/text.hpp"

namespace vmatrix::cli {
namespace {

struct Options {
    std::string matrix;
    std::vector<std::string> files;
    bool check = false;
    std::string kind;
    std::string architecture, vendor, component;
    std::vector<std::string> where;
    std::string name;
    bool sources = false;
    bool fields = false;
    std::vector<std::string> gpus;
    std::string package = "torch";

    [[nodiscard]] std::optional<std::string> folder() const { return matrix.empty() ? std::nullopt : std::optional(matrix); }
};

/// A matrix that can be trusted to answer; otherwise its mistakes are shown.
std::optional<app::LoadedMatrix> load(Context& context, const Options& options, const app::Unneeded& unneeded = {}) {
    auto loaded = app::load_matrix(options.folder(), unneeded);
    if (!loaded) {
        context.exit_code = show_error(context, loaded.error());
        return std::nullopt;
    }
    if (loaded->findings.errors() > 0) {
        show_findings(context, loaded->findings);
        context.exit_code = exit_bad_input;
        return std::nullopt;
    }
    return std::move(*loaded);
}

void show(Context& context, const base::Result<report::Tree>& answer, const std::string& list_name) {
    if (answer) show_answer(context, *answer, list_name);
    else context.exit_code = show_error(context, answer.error());
}

std::string counted(std::size_t number, const std::string& what) { return std::to_string(number) + " " + what + (number == 1 ? "" : "s"); }

void lint(Context& context, const Options& options) {
    const auto loaded = app::lint_matrix(options.folder());
    if (!loaded) {
        context.exit_code = show_error(context, loaded.error());
        return;
    }
    const auto& findings = loaded->findings;
    if (context.format != report::Format::text) show_answer(context, app::lint_answer(*loaded), "lint");
    else print_findings(context.out, findings, context.quiet);
    if (context.format == report::Format::text && !context.quiet)
        context.out << counted(loaded->files, "file") << ", " << counted(loaded->matrix.facts().size(), "fact") << ": " << counted(findings.errors(), "error")
                    << ", " << counted(findings.warnings(), "warning") << "\n";
    context.exit_code = findings.errors() > 0 ? exit_bad_input : exit_yes;
}

void format(Context& context, const Options& options) {
    const auto result = app::format_matrix(options.folder(), options.files, options.check);
    if (!result) {
        context.exit_code = show_error(context, result.error());
        return;
    }
    for (const base::Error& error : result->refused) context.exit_code = show_error(context, error);
    if (context.format != report::Format::text) show_answer(context, app::format_answer(*result), "fmt");
    else
        for (const std::string& file : result->changed) context.out << base::printable(file, 4096) << "\n";
    if (!context.quiet)
        context.err << counted(result->files, "file") << ", " << std::to_string(result->changed.size()) << (options.check ? " to be formatted" : " formatted") << "\n";
    if (options.check && !result->changed.empty() && context.exit_code == exit_yes) context.exit_code = exit_no;
}

std::optional<std::vector<app::Filter>> filters(Context& context, const Options& options) {
    std::vector<app::Filter> result;
    if (!options.architecture.empty()) result.emplace_back(app::architecture_filter, options.architecture);
    if (!options.vendor.empty()) result.emplace_back("vendor", options.vendor);
    if (!options.component.empty()) result.emplace_back("component", options.component);
    for (const std::string& text : options.where) {
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            context.exit_code = show_error(context, {"--where wants FIELD=TEXT, found `" + base::printable(text) + "`", {}, base::ErrorKind::usage});
            return std::nullopt;
        }
        result.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return result;
}

void list(Context& context, const Options& options) {
    const auto wanted = filters(context, options);
    if (!wanted) return;
    if (options.kind.empty() && !wanted->empty()) {
        context.exit_code = show_error(context, {"--arch, --vendor, --component and --where need a kind", "such as vmatrix matrix list gpus --arch gfx1100", base::ErrorKind::usage});
        return;
    }
    const auto loaded = load(context, options);
    if (!loaded) return;
    const bool text = context.format == report::Format::text && !context.table_format;
    const auto show_list = [&](const report::Tree& rows, const std::string& title) {
        if (context.table_format) context.out << report::render(report::to_table(title, rows), *context.table_format);
        else show_answer(context, rows, options.kind.empty() ? "kinds" : "facts");
    };
    if (options.kind.empty()) return show_list(app::list_kinds(loaded->matrix), "kinds of facts");
    const auto answer = app::list_facts(loaded->matrix, options.kind, *wanted, text);
    if (!answer) context.exit_code = show_error(context, answer.error());
    else if (answer->items.empty() && (text || context.table_format)) context.err << "no facts match\n";
    else show_list(*answer, options.kind);
}

void show_fact(Context& context, const Options& options) {
    if (const auto loaded = load(context, options)) show(context, app::show(loaded->matrix, options.name, options.sources, context.format == report::Format::text), "facts");
}

void stats(Context& context, const Options& options) {
    if (const auto loaded = load(context, options)) show_answer(context, app::stats(loaded->matrix), "stats");
}

void table(Context& context, const Options& options) {
    const std::string package = base::lower(options.package);
    const auto loaded = load(context, options, {{"digests"}, package + ": "});   // no answer names an image without the package
    if (!loaded) return;
    const auto rows = app::card_rows(loaded->matrix, options.gpus, package);
    if (!rows) context.exit_code = show_error(context, rows.error());
    else if (context.table_format) context.out << report::render(app::card_table(loaded->matrix, package, *rows, *context.table_format), *context.table_format);
    else show_answer(context, app::card_tree(loaded->matrix, package, *rows, context.format == report::Format::text), "table");
}

/// An empty text is a variable that was not set, more often than a wish for everything.
std::string not_empty(const std::string& text) { return text.empty() ? "an empty text names nothing" : ""; }

}  // namespace

void add_matrix_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* matrix = app.add_subcommand("matrix", "Look at the matrix, check it, format it");
    matrix->require_subcommand(1);
    matrix->fallthrough();
    const auto add_folder = [&](CLI::App& command) {
        command.add_option("--matrix", options->matrix, "Folder of YAML files; default: $VMATRIX_MATRIX, then the installed matrix")->type_name("FOLDER")->check(not_empty);
    };
    add_folder(*matrix);

    CLI::App* sub = matrix->add_subcommand("lint", "Report every mistake of every file, with its place");
    add_folder(*sub);
    sub->callback([&context, options] { lint(context, *options); });

    sub = matrix->add_subcommand("fmt", "Bring files into the one canonical form");
    add_folder(*sub);
    sub->add_option("FILE", options->files, "Only these files");
    sub->add_flag("--check", options->check, "Change nothing; exit with 1 if a file is not in canonical form");
    sub->callback([&context, options] { format(context, *options); });

    sub = matrix->add_subcommand("list", "List facts of a kind, or the kinds");
    add_folder(*sub);
    sub->add_option("KIND", options->kind, "Such as gpus, releases, builds, images")->check(not_empty);
    sub->add_option("--arch", options->architecture, "Only this architecture: gfx1100, sm_90")->type_name("ARCH")->check(not_empty);
    sub->add_option("--vendor", options->vendor, "Only this vendor")->type_name("VENDOR")->check(not_empty);
    sub->add_option("--component", options->component, "Only this component")->type_name("COMPONENT")->check(not_empty);
    sub->add_option("--where", options->where, "Only facts whose field, or one item or key of it, is this text; repeatable")->type_name("FIELD=TEXT")->allow_extra_args(false);
    sub->callback([&context, options] { list(context, *options); });
    context.table_commands.push_back(sub);

    sub = matrix->add_subcommand("show", "Show what is known of a GPU, a release, a build, or any other fact");
    add_folder(*sub);
    sub->add_option("NAME", options->name, "Such as rx7900, \"RTX 4090\", 10de:2684, sm_89, torch==2.9.1+cu128")->required();
    sub->add_flag("--sources", options->sources, "With the title and address of every source");
    sub->callback([&context, options] { show_fact(context, *options); });

    sub = matrix->add_subcommand("stats", "Count facts by kind and confidence, and what is missing");
    add_folder(*sub);
    sub->callback([&context, options] { stats(context, *options); });

    sub = matrix->add_subcommand("table", "Print what works together on which card, and what does not");
    add_folder(*sub);
    sub->add_option("--gpu", options->gpus, "Only this card, instead of all that people own: rx7900, \"RTX 4090\", gfx1100; repeatable")->type_name("NAME")->allow_extra_args(false)->check(not_empty);
    sub->add_option("--package", options->package, "The package that the table is about")->type_name("NAME")->check(not_empty)->capture_default_str();
    sub->callback([&context, options] { table(context, *options); });
    context.table_commands.push_back(sub);

    sub = matrix->add_subcommand("schema", "Print the JSON Schema of matrix files, for editors");
    sub->add_flag("--fields", options->fields, "The fields of all kinds as Markdown tables, for people");
    sub->callback([&context, options] {
        context.out << (options->fields ? app::field_tables() : report::render(app::matrix_schema(), report::Format::json));
    });
}

}  // namespace vmatrix::cli
