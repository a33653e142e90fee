/// Private to the layer: what a TOML text must be before the library sees it.
#pragma once

#include <string>
#include <string_view>

#include "inputs/collector.hpp"

namespace vmatrix::inputs {

/// The same text in ASCII, as toml++ 3.3 and 3.4 run into undefined behaviour beyond it (issues 190 and 295 of marzer/tomlplusplus). A
/// character beyond ASCII outside of quotes and comments is an error, as TOML says too; inside it becomes `?`. Places stay as they are.
[[nodiscard]] base::Result<std::string> make_safe_toml(std::string_view text, const Collector& places);

}  // namespace vmatrix::inputs
