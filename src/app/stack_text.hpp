/// `check` and `resolve` for a person.
#pragma once

#include <string>

#include "compat/answer.hpp"
#include "model/matrix.hpp"

namespace vmatrix::app {

/// How much of the reasons is shown.
enum class Detail { brief, explained };

[[nodiscard]] std::string to_text(const model::Matrix& matrix, const compat::Host& host, const compat::CheckAnswer& answer, Detail detail);
[[nodiscard]] std::string to_text(const model::Matrix& matrix, const compat::Host& host, const compat::ResolveAnswer& answer, Detail detail);

}  // namespace vmatrix::app
