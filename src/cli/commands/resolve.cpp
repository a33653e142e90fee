#include "cli/commands/resolve.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/input_files.hpp"
#include "app/matrix_folder.hpp"
#include "app/stack_answers.hpp"
#include "app/templates.hpp"
#include "cli/request_options.hpp"

namespace vmatrix::cli {
namespace {

struct Options : RequestOptions {
    std::size_t alternatives = 1;
};

/// The package that the answer is about, as far as the words tell.
std::string subject(const compat::Request& request) {
    for (const compat::Spec& spec : request.specs)
        if (spec.name != "cuda" && spec.name != "rocm") return spec.name;
    return "torch";
}

/// Whether the answer chooses what was left open.
enum class Choice { best, none };

template <class Ask>
void answer(Context& context, const Options& options, Choice choice, Ask ask) {
    auto request = options.request();
    if (!request) {
        context.exit_code = show_error(context, request.error());
        return;
    }
    auto inputs = app::read_input_files(options.from, *request);
    if (!inputs) {
        context.exit_code = show_error(context, inputs.error());
        return;
    }
    if (const auto there = app::check_templates(); !there) {
        context.exit_code = show_error(context, there.error());
        return;
    }
    app::Unneeded unneeded;
    if (!request->image || request->image->find('@') == std::string::npos) unneeded.sections.emplace_back("digests");
    if (!request->image) unneeded.image_without = subject(*request) + ": ";   // no answer names an image without it
    const auto loaded = app::load_matrix(options.matrix_folder(), unneeded);
    if (!loaded) {
        context.exit_code = show_error(context, loaded.error());
        return;
    }
    if (loaded->findings.errors() > 0) {
        show_findings(context, loaded->findings);
        context.exit_code = exit_bad_input;
        return;
    }
    if (const auto taken = app::take_wishes(loaded->matrix, *request, *inputs); !taken) {
        context.exit_code = show_error(context, taken.error());
        return;
    }
    if (choice == Choice::best) app::choose_python(loaded->matrix, *request, *inputs);
    show_notes(context, inputs->notes);
    const auto detail = options.explain ? app::Detail::explained : app::Detail::brief;
    const base::Result<app::StackAnswer> result = ask(loaded->matrix, *request, detail);
    if (!result) {
        context.exit_code = show_error(context, result.error());
        return;
    }
    if (context.format == report::Format::text) context.out << result->text;
    else show_answer(context, result->tree, "answer");
    context.exit_code = result->positive ? exit_yes : exit_no;
}

}  // namespace

void add_resolve_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* sub = app.add_subcommand("resolve", "Find what works together on a host");
    add_request_options(*sub, *options);
    sub->add_option("--with", options->with, "Package that is wanted: torch, \"torch>=2.6\"; repeatable")->type_name("SPEC")->allow_extra_args(false);
    add_choice_options(*sub, *options);
    sub->add_option("--alternatives", options->alternatives, "How many further stacks to show")->type_name("N")->check(CLI::Range(0, 100))->capture_default_str();
    sub->callback([&context, options] {
        answer(context, *options, Choice::best, [&](const model::Matrix& matrix, const compat::Request& request, app::Detail detail) { return app::resolve(matrix, request, options->alternatives, detail); });
    });
}

void add_explain_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* sub = app.add_subcommand("explain", "Tell why this stack and no better one, or why none, fact by fact");
    add_request_options(*sub, *options);
    sub->add_option("SPEC,--with", options->with, "What is wanted: torch, torch==2.6.0+cu124, \"torch>=2.6\"");
    add_choice_options(*sub, *options);
    sub->callback([&context, options] {
        answer(context, *options, Choice::best, [](const model::Matrix& matrix, const compat::Request& request, app::Detail) { return app::explain(matrix, request); });
    });
}

void add_check_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* sub = app.add_subcommand("check", "Judge a given stack");
    add_request_options(*sub, *options);
    sub->add_option("SPEC", options->with, "What is installed: torch==2.6.0+cu124, cuda==12.4, rocm==6.4.1");
    sub->callback([&context, options] {
        answer(context, *options, Choice::none, [](const model::Matrix& matrix, const compat::Request& request, app::Detail detail) { return app::check(matrix, request, detail); });
    });
}

}  // namespace vmatrix::cli
