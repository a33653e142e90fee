/// A Tree as JSON, YAML, or text for a person.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "report/tree.hpp"

namespace vmatrix::report {

enum class Format { text, json, yaml };

[[nodiscard]] std::optional<Format> parse_format(std::string_view name);

/// Ends with a line break. As text, a record is aligned "name  value" lines, a list of records is a table.
[[nodiscard]] std::string render(const Tree& tree, Format format);

}  // namespace vmatrix::report
