/// `matrix fmt`: brings the files of a matrix into the one canonical form.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "report/tree.hpp"

namespace vmatrix::app {

struct Formatted {
    std::vector<std::string> changed;         ///< files that were not in canonical form
    std::vector<base::Error> refused;         ///< files that could not be formatted; they stay as they are
    std::size_t files = 0;
};

/// `check` only looks; otherwise changed files are replaced at once, each by itself. A named file is formatted alone.
[[nodiscard]] base::Result<Formatted> format_matrix(const std::optional<std::string>& matrix, const std::vector<std::string>& files, bool check);
/// The files that were changed and refused, for programs.
[[nodiscard]] report::Tree format_answer(const Formatted& formatted);

}  // namespace vmatrix::app
