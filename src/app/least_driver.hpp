/// The oldest driver that a stack runs with.
#pragma once

#include <string>
#include <vector>

#include "app/citations.hpp"
#include "compat/answer.hpp"
#include "compat/host.hpp"

namespace vmatrix::app {

struct LeastDriver {
    std::string version;
    compat::Level level = compat::Level::unknown;   ///< of the stack with this driver
};

/// The oldest driver that does, and the oldest with which the stack is known as well as with its own driver, where that is a newer
/// one. Found by judging the stack with every driver that the matrix names as a limit, a branch, or the one that its CUDA brings; empty
/// if none of them does. Adds the facts that say so.
[[nodiscard]] std::vector<LeastDriver> least_drivers(const model::Matrix& matrix, const compat::Host& host, const compat::Stack& stack, Citations& citations);

}  // namespace vmatrix::app
