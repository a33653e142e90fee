/// Private to the layer: opaque versions. ASCII only: look-alike letters would make two versions of one.
#pragma once

#include <string>
#include <string_view>

#include "version/cursor.hpp"

namespace vmatrix::version::opaque {

[[nodiscard]] Parsed<void> check(std::string_view text);
/// The text and an end mark, which no text contains.
[[nodiscard]] std::string to_key(std::string_view text);
[[nodiscard]] std::string from_key(std::string_view key);

}  // namespace vmatrix::version::opaque
