/// `matrix schema`: what an editor needs to complete and check a matrix file.
#pragma once

#include <string>

#include "report/tree.hpp"

namespace vmatrix::app {

/// A JSON Schema (draft 2020-12) of one matrix file, made from the table of fields.
[[nodiscard]] report::Tree matrix_schema();

/// The same for people: one Markdown table a kind, as docs/matrix-format.md shows them.
[[nodiscard]] std::string field_tables();

}  // namespace vmatrix::app
