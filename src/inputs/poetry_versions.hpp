/// Private to the layer: versions as Poetry has them.
#pragma once

#include <string>
#include <string_view>

namespace vmatrix::inputs {

/// "^2.6" -> ">=2.6,<3"; "~2.6.1" -> ">=2.6.1,<2.7"; "2.6" -> "==2.6"; "*" -> "". What is neither is left for PEP 440 to read or refuse.
[[nodiscard]] std::string from_poetry(std::string_view text);

}  // namespace vmatrix::inputs
