/// `check`, `resolve` and `explain`: a request against a matrix, as records. The keys of the records are a contract that other programs
/// read; docs/json.md lists them.
#pragma once

#include "app/stack_text.hpp"
#include "base/result.hpp"
#include "compat/request.hpp"
#include "model/matrix.hpp"
#include "report/tree.hpp"

namespace vmatrix::app {

struct StackAnswer {
    report::Tree tree;
    std::string text;         ///< for a person
    bool positive = false;    ///< false: broken, or no stack
};

[[nodiscard]] base::Result<StackAnswer> check(const model::Matrix& matrix, const compat::Request& request, Detail detail);
[[nodiscard]] base::Result<StackAnswer> resolve(const model::Matrix& matrix, const compat::Request& request, std::size_t alternatives, Detail detail);
/// The answer of `resolve` with why nothing better can be had, every line traced to facts.
[[nodiscard]] base::Result<StackAnswer> explain(const model::Matrix& matrix, const compat::Request& request);

}  // namespace vmatrix::app
