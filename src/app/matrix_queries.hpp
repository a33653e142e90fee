/// `matrix list`, `show` and `stats`: questions about the facts themselves.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "model/matrix.hpp"
#include "report/tree.hpp"

namespace vmatrix::app {

/// The kinds of facts and how many there are.
[[nodiscard]] report::Tree list_kinds(const model::Matrix& matrix);

/// A field and the text that it, or one item of it, must have. `architecture_filter` stands for whichever field of the kind
/// holds architectures, and takes a compute capability too.
using Filter = std::pair<std::string, std::string>;
inline constexpr const char* architecture_filter = "arch";

/// Facts of a kind as records; `brief` keeps the columns that fit a table.
[[nodiscard]] base::Result<report::Tree> list_facts(const model::Matrix& matrix, const std::string& kind_name, const std::vector<Filter>& filters, bool brief);

/// What a name means: a GPU, a family of GPUs, an architecture, or the id of a fact ("torch-2.9.1+cu128",
/// "torch==2.9.1+cu128"). With everything known of it, and with titles and addresses of its sources if asked. Of several
/// GPUs, `brief` shows the columns that fit a table.
[[nodiscard]] base::Result<report::Tree> show(const model::Matrix& matrix, const std::string& name, bool sources, bool brief);

/// Counts by kind and confidence, the age of sources, and what is missing.
[[nodiscard]] report::Tree stats(const model::Matrix& matrix);

}  // namespace vmatrix::app
