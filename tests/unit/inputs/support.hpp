/// Short forms of what a file was read as.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inputs/inputs.hpp"
#include "support/catch.hpp"

namespace vmatrix::inputs {

using Texts = std::vector<std::string>;

inline std::string place(const base::Position& at) { return std::to_string(at.line) + ":" + std::to_string(at.column); }

inline Inputs read(std::string_view file, std::string_view text, const std::optional<std::string>& python = {}) {
    auto inputs = read_inputs(file, text, python);
    if (!inputs) FAIL(inputs.error().message);
    return *inputs;
}

/// "2:1 torch>=2.6", "2:1 torch==2.6.0 (cu124)"
inline Texts wishes(const Inputs& inputs) {
    Texts all;
    for (const Wish& wish : inputs.specs) all.push_back(place(wish.at) + " " + wish.text + (wish.label.empty() ? "" : " (" + wish.label + ")"));
    return all;
}

inline Texts notes(const Inputs& inputs) {
    Texts all;
    for (const Statement& note : inputs.notes) all.push_back(place(note.at) + " " + note.text);
    return all;
}

inline std::string said(const std::optional<Statement>& statement) { return statement ? place(statement->at) + " " + statement->text : std::string(); }

/// What is said of a text that is refused.
inline std::string refused(std::string_view file, std::string_view text) {
    const auto inputs = read_inputs(file, text);
    if (inputs) return "not refused";
    CHECK(inputs.error().kind == base::ErrorKind::input);
    CHECK(!inputs.error().hint.empty());
    return inputs.error().message;
}

}  // namespace vmatrix::inputs
