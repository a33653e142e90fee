/// `--from`: the files that people have, as parts of a request.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compat/request.hpp"
#include "inputs/inputs.hpp"
#include "model/matrix.hpp"

namespace vmatrix::app {

struct InputFiles {
    std::vector<inputs::Inputs> files;
    std::optional<inputs::Statement> python;   ///< a set that leaves more than one Python
    std::vector<std::string> notes;            ///< for people: what was left out, and what outranks what
};

/// Reads the files, `-` for standard input, and fills in the Python and the image that they name. What the request has already outranks them. Errors: a file that
/// cannot be read, files that contradict each other.
[[nodiscard]] base::Result<InputFiles> read_input_files(const std::vector<std::string>& named, compat::Request& request);

/// Adds the wishes of the files. Two wishes for one package become one that fulfils both. Errors: they exclude each other, with both places.
[[nodiscard]] base::Result<void> take_wishes(const model::Matrix& matrix, compat::Request& request, InputFiles& inputs);

/// For an answer that chooses the Python: the newest one with a stack, of those that the files allow.
void choose_python(const model::Matrix& matrix, compat::Request& request, InputFiles& inputs);

}  // namespace vmatrix::app
