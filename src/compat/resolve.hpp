/// The main question: what works together on this host, and if nothing does, why and what would help.
#pragma once

#include "compat/answer.hpp"
#include "compat/candidates.hpp"
#include "compat/host.hpp"
#include "compat/request.hpp"

namespace vmatrix::compat {

/// The best stack for a host and up to `alternatives` further ones, or a minimal conflict with repairs that were solved again.
/// The first wish decides what is resolved: a package with builds, or `cuda` or `rocm` by itself; without one it is
/// `default_package`. Errors: wishes that cannot be read, or that name nothing the matrix knows.
[[nodiscard]] base::Result<ResolveAnswer> resolve(const Matrix& matrix, const Host& host, const Request& request, std::size_t alternatives);

/// The same with the story of why nothing better can be had, and no alternatives.
[[nodiscard]] base::Result<ResolveAnswer> explain(const Matrix& matrix, const Host& host, const Request& request);

/// The floors of evidence that a request is tried at, one after the other until one has a stack.
[[nodiscard]] std::vector<Level> floors_of(const Request& request);

/// The best stack only, without repairs: what repairs themselves are made of.
[[nodiscard]] std::optional<Stack> best_stack(const Matrix& matrix, const Host& host, const Request& request, Judged& judged);

}  // namespace vmatrix::compat
