/// Is this given stack all right on this host?
#pragma once

#include "compat/answer.hpp"
#include "compat/host.hpp"
#include "compat/request.hpp"

namespace vmatrix::compat {

/// Judges everything that the request states. `works` if some value of what it does not state works; the answer then names the
/// condition. Errors: wishes whose versions cannot be read.
[[nodiscard]] base::Result<CheckAnswer> check(const Matrix& matrix, const Host& host, const Request& request);

/// "works", "workaround", "broken" or "unknown".
[[nodiscard]] std::string_view verdict(Level level);

}  // namespace vmatrix::compat
