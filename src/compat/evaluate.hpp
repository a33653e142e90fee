/// What the rules say of a given stack: the judgements from which `check` makes its verdict.
#pragma once

#include <string>
#include <vector>

#include "compat/candidates.hpp"

namespace vmatrix::compat {

/// Everything that was found out about one way to read the request.
struct Evaluation {
    std::vector<Judgement> judgements;
    std::vector<std::string> assumptions;

    [[nodiscard]] Level level() const { return worst(judgements); }
};

/// Judges everything that the request states; nothing is judged that it leaves open. Errors (usage): wishes whose versions cannot be read.
[[nodiscard]] base::Result<Evaluation> evaluate(const Matrix& matrix, const Host& host, const Request& request);

}  // namespace vmatrix::compat
