/// The command line: parse, call the use case, print, exit code.
#pragma once

#include <iosfwd>

namespace vmatrix::cli {

/// Exit codes of every command.
enum Exit : int {
    exit_yes = 0,
    exit_no = 1,            ///< a negative answer
    exit_usage = 2,
    exit_bad_input = 3,     ///< a matrix or input file is wrong
    exit_environment = 4,   ///< disk, network, missing tool
    exit_bug = 5,
};

[[nodiscard]] int run(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

}  // namespace vmatrix::cli
