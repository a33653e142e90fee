/// `vmatrix matrix fmt`: one way to write a file, so that reviews show what changed and nothing else.
#pragma once

#include <string>
#include <string_view>

#include "base/finding.hpp"
#include "base/result.hpp"

namespace vmatrix::matrix {

/// The canonical text of a file: fields in the order of the schema, lists of values on one line where they fit, quotes where
/// YAML needs them or the field is a version, blank lines between facts, comments kept. A file that is not valid YAML,
/// or whose text would not mean the same afterwards, is an error and stays as it is. Idempotent.
[[nodiscard]] base::Result<std::string> format(std::string_view text, const std::string& path);

}  // namespace vmatrix::matrix
