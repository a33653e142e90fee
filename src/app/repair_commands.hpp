/// The commands that carry out a repair, from templates/repair/ and templates/install/.
#pragma once

#include <string>
#include <vector>

#include "compat/answer.hpp"
#include "compat/host.hpp"
#include "model/matrix.hpp"

namespace vmatrix::app {

/// Lines for a shell; none for a change that no template knows, such as another driver.
[[nodiscard]] std::vector<std::string> repair_commands(const model::Matrix& matrix, const compat::Host& host, const compat::Repair& repair);

}  // namespace vmatrix::app
