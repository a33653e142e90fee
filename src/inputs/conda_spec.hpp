/// Private to the layer: one package of a conda environment.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace vmatrix::inputs {

struct CondaSpec {
    std::string name;
    std::string versions;   ///< as PEP 440 has them; empty: any
    std::string label;      ///< "cu124" of a build named "py3.11_cuda12.4_cudnn9.1.0_0"
};

/// `channel::name=1.2=build`, `name >=1,<2`. `=1.2` means 1.2 and whatever begins so; three numbers and a build mean just that.
/// Errors: why it cannot be a wish.
[[nodiscard]] base::Result<CondaSpec> parse_conda_spec(std::string_view text);

}  // namespace vmatrix::inputs
