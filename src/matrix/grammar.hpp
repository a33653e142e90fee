/// The grammar of single values: what a text of each type looks like, whatever else the matrix holds.
#pragma once

#include <string>
#include <string_view>

#include "model/schema.hpp"

namespace vmatrix::matrix {

/// Whether `text` has the form of this type. Versions, version sets and references are checked later, when the
/// vocabulary is known; here only their characters are.
[[nodiscard]] bool fits(const model::Field& field, std::string_view text);

/// What is expected, for messages: `a date such as "2025-11-11"`.
[[nodiscard]] std::string expectation(const model::Field& field);

/// What to do about a text that does not fit; may be empty.
[[nodiscard]] std::string hint(const model::Field& field, std::string_view text);

/// Whether some version of YAML reads this plain scalar as something other than text: a number, a date, a boolean, null.
[[nodiscard]] bool mistyped_when_plain(std::string_view text);

/// Types whose values stand without quotes.
[[nodiscard]] bool is_plain_type(model::Type type);

}  // namespace vmatrix::matrix
