/// A matrix as large as the shipped one may become.
#pragma once

#include <cstddef>

#include "model/matrix.hpp"

namespace bench {

/// What the domains of a problem are made of, `times` times: releases with builds; drivers and Pythons, of which there will never be as
/// many, up to ten times. The copies have versions of their own and fit each other as the originals do. Rules are there once: another
/// one that says the same changes no clause.
[[nodiscard]] vmatrix::model::Matrix scaled(const vmatrix::model::Matrix& matrix, std::size_t times);

}  // namespace bench
