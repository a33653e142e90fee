/// Finds and loads the matrix that a command works on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/finding.hpp"
#include "base/result.hpp"
#include "matrix/read.hpp"
#include "model/matrix.hpp"
#include "report/tree.hpp"

namespace vmatrix::app {

/// The folder to read: the one given (`--matrix`), else $VMATRIX_MATRIX, else the copy installed with the program.
[[nodiscard]] base::Result<std::filesystem::path> find_matrix(const std::optional<std::string>& given);

/// All .yaml files below a folder; their paths begin with the folder as it was given. Files whose names only nearly end so are
/// reported as not read.
[[nodiscard]] base::Result<std::vector<matrix::SourceText>> load_texts(const std::filesystem::path& folder, base::Findings& findings);

struct LoadedMatrix {
    model::Matrix matrix;
    base::Findings findings;    ///< mistakes of the files; facts that could be read are in `matrix` all the same
    std::size_t files = 0;
    std::size_t bytes = 0;
};
/// What a command can do without. Files that hold nothing but unneeded sections are not read, as most of its time goes into reading.
struct Unneeded {
    std::vector<std::string_view> sections;
    std::string image_without;         ///< files of images that do not hold this text are not needed either; empty: all are
};
[[nodiscard]] base::Result<LoadedMatrix> load_matrix(const std::optional<std::string>& given, const Unneeded& unneeded = {});

/// The same, with the rules between facts checked too: what `matrix lint` reports.
[[nodiscard]] base::Result<LoadedMatrix> lint_matrix(const std::optional<std::string>& given);
/// Its findings with their counts, for programs.
[[nodiscard]] report::Tree lint_answer(const LoadedMatrix& loaded);

}  // namespace vmatrix::app
