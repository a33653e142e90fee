/// Private to the layer: one requirement of pip, and what addresses tell.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace vmatrix::inputs {

/// `name[extras] >=1.0 ; marker`, `name @ address ; marker`
struct Requirement {
    std::string name;
    std::string versions;   ///< empty: any
    std::string address;    ///< empty: none
    std::string marker;     ///< empty: none
};

/// As indexes compare names: Flash_Attn is flash-attn.
[[nodiscard]] std::string normal_name(std::string_view name);

/// Errors: what was expected and found, without a place.
[[nodiscard]] base::Result<Requirement> parse_requirement(std::string_view text);

/// ".../torch-2.6.0%2Bcu124-cp312-cp312-linux_x86_64.whl" -> torch, ==2.6.0+cu124; nothing for what is no wheel.
[[nodiscard]] std::optional<Requirement> read_wheel_name(std::string_view address);

/// The builds that an index serves: "cu124" of ".../whl/cu124". Empty: it does not say.
[[nodiscard]] std::string label_of_index(std::string_view address);

}  // namespace vmatrix::inputs
