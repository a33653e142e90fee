/// Private to the layer: version sets as text. version_set.hpp has the grammar.
#pragma once

#include <string>
#include <string_view>

#include "version/cursor.hpp"
#include "version/cuts.hpp"
#include "version/notation.hpp"
#include "version/scheme.hpp"

namespace vmatrix::version {

inline constexpr int max_clauses = 256;

[[nodiscard]] Parsed<Cuts> read_set(Scheme scheme, std::string_view text);

/// Alternatives in ascending order. Neighbouring ranges are one alternative if what lies between them has a `!=` clause
/// and neither is itself what a `==` clause means.
[[nodiscard]] std::string write_set(Scheme scheme, const Cuts& set, Spelling spelling);

}  // namespace vmatrix::version
