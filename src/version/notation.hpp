/// Private to the layer: what each scheme adds to version sets, the clauses that it has and how it writes a place.
#pragma once

#include <string>
#include <string_view>

#include "version/cursor.hpp"
#include "version/cuts.hpp"
#include "version/scheme.hpp"

namespace vmatrix::version {

/// Operators with an operand. `!=` and `!>` are the complements of two of them and known to the reader only.
enum class Operator {
    equal,          ///< ==
    identical,      ///< ===
    compatible,     ///< ~=
    less,           ///< <
    less_equal,     ///< <=
    greater,        ///< >
    greater_equal,  ///< >=
    before,         ///< << in the plain order of versions
    up_to,          ///< <<=
    after,          ///< >>
    from,           ///< >>=
};

enum class Spelling { canonical, as_written };

struct Notation {
    /// The versions that satisfy one clause. Offsets of errors count from the start of the operand.
    Parsed<Cuts> (*clause)(Operator op, std::string_view operand);
    /// One version, given by its valid text.
    Cuts (*exactly)(std::string_view version);
    /// What lies above, and below, a cut: ">=1.7", "<1.8". Not for the place before all versions.
    std::string (*lower)(const Cut& from, Spelling spelling);
    std::string (*upper)(const Cut& to, Spelling spelling);
    /// The operand for which `==`, and `===`, means exactly what lies between two cuts; empty if there is none.
    std::string (*equal)(const Cut& from, const Cut& to, Spelling spelling);
    std::string (*identical)(const Cut& from, const Cut& to);
};

[[nodiscard]] const Notation& notation(Scheme scheme);

namespace pep440 {
extern const Notation notation;
}
namespace dotted {
extern const Notation notation;
}
namespace opaque {
extern const Notation notation;
}

}  // namespace vmatrix::version
