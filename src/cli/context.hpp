/// What every command gets: streams, shared options, and how errors and findings are shown.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/finding.hpp"
#include "base/result.hpp"
#include "cli/run.hpp"
#include "report/format.hpp"
#include "report/table.hpp"

namespace CLI {
class App;
}

namespace vmatrix::cli {

struct Context {
    std::ostream& out;
    std::ostream& err;
    report::Format format = report::Format::text;
    std::optional<report::TableFormat> table_format = {};    ///< set where the answer is to be a table of this format instead
    std::vector<const CLI::App*> table_commands = {};        ///< those whose answer can be one
    bool quiet = false;
    int exit_code = exit_yes;    ///< set by the command that ran
};

/// Prints the message and the hint; returns the exit code of its kind.
[[nodiscard]] int show_error(Context& context, const base::Error& error);
/// One line for each, with a hint below it; `quiet` leaves out warnings.
void print_findings(std::ostream& out, const base::Findings& findings, bool quiet);
/// The same on stderr, where they are why there is no answer.
void show_findings(Context& context, const base::Findings& findings);

/// One line for each on stderr, the first few of many; none when quiet.
void show_notes(Context& context, const std::vector<std::string>& notes);

/// Prints an answer in the chosen format; JSON and YAML get a `schema_version`.
void show_answer(Context& context, const report::Tree& answer, const std::string& list_name);

}  // namespace vmatrix::cli
