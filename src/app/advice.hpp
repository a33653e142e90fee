/// What a host needs beside the stack: groups, the driver of the kernel, an integrated GPU that gets in the way; and how to see
/// that the GPU works.
#pragma once

#include <string>
#include <vector>

#include "compat/answer.hpp"
#include "compat/host.hpp"

namespace vmatrix::app {

/// Sentences of the `advice` facts that concern one of the cards on this platform, and what is installed there.
[[nodiscard]] std::vector<std::string> host_advice(const model::Matrix& matrix, const compat::Host& host, const compat::Stack& stack);
/// Commands that prove that a framework uses the GPU, from templates/proof/.
[[nodiscard]] std::vector<std::string> proof_commands(const compat::Stack& stack);

}  // namespace vmatrix::app
