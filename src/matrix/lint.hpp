/// Rules that no single value shows: what facts owe each other.
#pragma once

#include "base/finding.hpp"
#include "model/matrix.hpp"

namespace vmatrix::matrix {

/// Adds to what read() found.
void lint(const model::Matrix& matrix, base::Findings& findings);

}  // namespace vmatrix::matrix
