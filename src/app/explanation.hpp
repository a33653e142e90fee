/// `explain`: an answer to `resolve` with every line traced to the facts that say so, and where these stand.
#pragma once

#include <string>

#include "app/lines.hpp"
#include "compat/answer.hpp"
#include "compat/host.hpp"
#include "model/matrix.hpp"
#include "report/tree.hpp"

namespace vmatrix::app {

/// What stands beside a line: its first sources, or each fact with its place.
enum class Traces { sources, facts };
void write_story(Text& text, const model::Matrix& matrix, const std::vector<compat::StoryLine>& lines, Traces traces);
/// A story as records: the wish or the statement, its facts with their places, and what it leaves.
[[nodiscard]] report::Tree story_records(const model::Matrix& matrix, const std::vector<compat::StoryLine>& lines);
/// A statement with the places of its facts: `reasons` of an answer.
[[nodiscard]] report::Tree reason_record(const model::Matrix& matrix, const compat::Reason& reason);
[[nodiscard]] std::string explanation_text(const model::Matrix& matrix, const compat::Host& host, const compat::ResolveAnswer& answer);

}  // namespace vmatrix::app
