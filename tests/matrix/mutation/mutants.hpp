/// Small wrong versions of the matrix: one fact gone, one bound moved by a release, one item of a list gone, one word changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/matrix.hpp"

namespace mutation {

struct Mutant {
    std::string name;    ///< "cuda-12-driver: requires.nvidia >=525.60.13 is >=520.61.05"
    std::string kind;    ///< of the fact that is changed
    /// All facts that take the value from the same place of a file, by `defaults` or inheritance; of a deletion, the fact and
    /// what is nested in it.
    std::vector<const vmatrix::model::Fact*> facts;
    std::string field, key;             ///< no field: the whole fact goes; key: an entry of a map
    std::optional<std::string> item;    ///< of a list: it goes
    std::string text;                   ///< what stands there instead
    std::string argued;                 ///< why nobody can tell, where that can be worked out
};

/// All of them, in the order of the matrix. Left out is what means the same as before for every version that is known.
[[nodiscard]] std::vector<Mutant> all_mutants(const vmatrix::model::Matrix& matrix);
/// The fact as the mutant has it; nothing where it is gone.
[[nodiscard]] std::optional<vmatrix::model::Fact> changed(const vmatrix::model::Fact& fact, const Mutant& mutant);

}  // namespace mutation
