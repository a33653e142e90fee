/// A golden request, as the command line takes it, and the short form of its answer.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compat/request.hpp"
#include "model/matrix.hpp"

namespace mutation {

/// `check` or `resolve`, and what is asked.
struct Ask {
    std::string command;
    vmatrix::compat::Request request;
};
/// "check --gpu sm_90 torch==2.9.1+cu128". Throws std::runtime_error for what the command line refuses.
[[nodiscard]] Ask read_ask(const std::string& text);

/// One request for each value in braces: "--driver {450,525.60.13}" are two. A text without braces is one, with an empty value.
struct Variant {
    std::string value, text;
};
[[nodiscard]] std::vector<Variant> variants(const std::string& text);

struct Answer {
    std::string text;              ///< "broken by cuda-12-driver", "supported", "refused"
    std::set<std::string> facts;   ///< all that the answer rests on, whatever decides
};
/// Of known issues only the one that the request is about is named, and of a stack no driver or image that was not asked for: so
/// what is new leaves the other answers alone.
[[nodiscard]] Answer answer(const vmatrix::model::Matrix& matrix, const Ask& ask, const std::string& about);

/// What several variants answer, in one line: "broken by cuda-12-driver: 450, 520; expected: 525.60.13".
[[nodiscard]] std::string merged(const std::vector<Variant>& asked, const std::vector<Answer>& answers);

}  // namespace mutation
