/// The facts that a statement rests on, and where they were read.
#pragma once

#include <string>
#include <vector>

#include "compat/level.hpp"
#include "model/matrix.hpp"

namespace vmatrix::app {

/// Each once, in the order in which they were first named.
struct Citations {
    std::vector<std::string> facts;     ///< ids
    std::vector<std::string> sources;   ///< citations of those facts

    void add(const model::Fact& fact);
    void add(const compat::Reason& reason);
    void add(const Citations& other);
};

}  // namespace vmatrix::app
