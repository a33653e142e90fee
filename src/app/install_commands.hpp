/// The commands that install a build.
#pragma once

#include <string>
#include <vector>

#include "compat/builds.hpp"
#include "compat/host.hpp"

namespace vmatrix::app {

/// One line for a shell; empty when the matrix knows no index that has the build for this platform.
[[nodiscard]] std::vector<std::string> install_commands(const model::Matrix& matrix, const compat::Build& build, const compat::Host& host);

}  // namespace vmatrix::app
