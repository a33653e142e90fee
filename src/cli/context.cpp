#include "cli/context.hpp"

#include <algorithm>

namespace vmatrix::cli {

int show_error(Context& context, const base::Error& error) {
    context.err << "error: " << error.message << "\n";
    if (!error.hint.empty()) context.err << "  hint: " << error.hint << "\n";
    switch (error.kind) {
        case base::ErrorKind::usage: return exit_usage;
        case base::ErrorKind::input: return exit_bad_input;
        case base::ErrorKind::environment: return exit_environment;
    }
    return exit_bug;
}

void print_findings(std::ostream& out, const base::Findings& findings, bool quiet) {
    constexpr std::size_t most = 500;   // more than anybody reads
    std::size_t shown = 0;
    for (const base::Finding& finding : findings.sorted()) {
        const bool error = finding.severity == base::Severity::error;
        if (quiet && !error) continue;
        if (++shown > most) {
            out << "... and " << findings.errors() + findings.warnings() - most << " more\n";
            return;
        }
        out << to_string(finding.at) << ": " << (error ? "error" : "warning") << ": " << finding.message << " [" << finding.code << "]\n";
        if (!finding.hint.empty()) out << "  hint: " << finding.hint << "\n";
    }
}

void show_findings(Context& context, const base::Findings& findings) { print_findings(context.err, findings, context.quiet); }

void show_notes(Context& context, const std::vector<std::string>& notes) {
    constexpr std::size_t most = 12;
    if (context.quiet) return;
    for (std::size_t i = 0; i < std::min(most, notes.size()); ++i) context.err << "note: " << notes[i] << "\n";
    if (notes.size() > most) context.err << "note: ... and " << notes.size() - most << " more\n";
}

void show_answer(Context& context, const report::Tree& answer, const std::string& list_name) {
    if (context.format == report::Format::text) {
        context.out << report::render(answer, context.format);
        return;
    }
    report::Tree whole = report::Tree::record();
    whole.set("schema_version", report::Tree::number("1"));
    if (answer.form == report::Tree::Form::record)
        for (const auto& [name, value] : answer.members) whole.set(name, value);
    else
        whole.set(list_name, answer);
    context.out << report::render(whole, context.format);
}

}  // namespace vmatrix::cli
