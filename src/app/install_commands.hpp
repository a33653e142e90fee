/// The commands that install builds.
#pragma once

#include <string>
#include <vector>

#include "compat/builds.hpp"
#include "compat/host.hpp"

namespace vmatrix::app {

/// Lines for a shell, one for each index, what others need first; none for a build that no known index has for this platform.
[[nodiscard]] std::vector<std::string> install_commands(const model::Matrix& matrix, const std::vector<compat::Build>& builds, const compat::Host& host);

}  // namespace vmatrix::app
