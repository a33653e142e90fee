/// Finite domains, clauses with origins, the best solution or a minimal conflict. Knows nothing of what the variables
/// mean. The algorithm is told in docs/resolver.md.
#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "solver/bits.hpp"

namespace vmatrix::solver {

using Variable = std::size_t;   ///< index into Problem::domains
using Origin = std::size_t;     ///< chosen by the caller

/// The value of `variable` is in `values`.
struct Literal {
    Variable variable = 0;
    Bits values;
};

/// At least one literal holds.
struct Clause {
    std::vector<Literal> literals;
    Origin origin = 0;
};

/// Variables in the order in which they are optimised; the values of each in order of preference.
struct Problem {
    std::vector<std::size_t> domains;   ///< number of values of each variable
    std::vector<Clause> clauses;
    std::vector<Variable> first = {};   ///< variables that are optimised before the others, in this order
};

using Solution = std::vector<std::size_t>;   ///< a value for each variable

/// Origins that cannot hold together; none can be left out. In ascending order.
struct Conflict {
    std::vector<Origin> origins;
};

/// The least solution in the order of variables and values, or why there is none. Throws base::Bug for a clause that
/// names a variable or has a set of a size that the problem does not have, and for a variable without values.
[[nodiscard]] std::variant<Solution, Conflict> solve(const Problem& problem);

/// The least solution that obeys only clauses whose origin is not in `ignored`.
[[nodiscard]] std::optional<Solution> solve_without(const Problem& problem, const std::vector<Origin>& ignored);

}  // namespace vmatrix::solver
