/// Why the clauses of a conflict cannot hold together, step by step. docs/resolver.md, section "Proofs".
#pragma once

#include <vector>

#include "solver/solve.hpp"

namespace vmatrix::solver {

struct Case;

/// The clauses of one origin take values from a variable, given what the steps before have left; or, where no clause can take
/// any more, each value that is left is followed by itself.
struct Step {
    Origin origin = 0;
    Variable variable = 0;
    Bits removed;                ///< empty for a step of cases
    Bits left;                   ///< after it; empty: this is the contradiction
    bool of_none = false;        ///< a clause without literals: it takes from no variable, and nothing satisfies it
    std::vector<Case> cases;
};

/// Some values of the variable, which fail by the same origins, and why.
struct Case {
    Bits values;
    std::vector<Step> steps;
};

/// Steps from the first clause to the contradiction, each of them needed. Throws base::Bug where the origins can hold together.
[[nodiscard]] std::vector<Step> prove(const Problem& problem, const Conflict& conflict);

}  // namespace vmatrix::solver
