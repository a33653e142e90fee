/// Private to the layer: environment markers, `sys_platform == "linux" and python_version < "3.13"`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace vmatrix::inputs {

enum class Truth { no, maybe, yes };

/// Whether a marker holds on Linux with CPython and no extra asked for. `maybe` where the Python or the machine decides and is not known.
/// Errors: no marker.
[[nodiscard]] base::Result<Truth> evaluate_marker(std::string_view marker, const std::optional<std::string>& python);

}  // namespace vmatrix::inputs
