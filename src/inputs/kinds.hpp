/// Private to the layer: one reader for each kind of file.
#pragma once

#include <string_view>

#include "inputs/collector.hpp"

namespace vmatrix::inputs {

[[nodiscard]] base::Result<void> read_requirements(std::string_view text, Collector& found);
[[nodiscard]] base::Result<void> read_pyproject(std::string_view text, Collector& found);
/// environment.yml and cog.yaml; which one is told by what it holds.
[[nodiscard]] base::Result<void> read_yaml(std::string_view text, Collector& found);
[[nodiscard]] base::Result<void> read_dockerfile(std::string_view text, Collector& found);

}  // namespace vmatrix::inputs
