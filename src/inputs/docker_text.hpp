/// Private to the layer: a Dockerfile as instructions, words and commands.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inputs/collector.hpp"

namespace vmatrix::inputs {

/// What `$NAME` stands for: ENV, which later stages see too and which outranks ARG, and ARG.
struct Variables {
    std::map<std::string, std::string> environment, arguments;

    /// Null if there is none.
    [[nodiscard]] const std::string* find(const std::string& name) const;
};

/// A part of an instruction that stands on one line.
struct Piece {
    std::string_view text;
    base::Position at;
};

struct Instruction {
    std::string keyword;          ///< "from", in lower case
    base::Position at;
    std::vector<Piece> pieces;    ///< what stands behind the keyword, line by line
    bool here_document = false;   ///< then the pieces behind the first are its lines
};

/// Comments are left out, continued lines put together, here-documents taken with their instruction.
[[nodiscard]] std::vector<Instruction> split_instructions(std::string_view text, const Collector& places);

struct Word {
    std::string text;
    base::Position at;
    bool cut = false;   ///< an unquoted `>` or `<` ended it
};
using Command = std::vector<Word>;

/// Words as a shell splits them, without quotes. Variables are not expanded.
[[nodiscard]] std::vector<Word> split_words(const Instruction& instruction);
/// The same, divided at `&&`, `||`, `;`, `|`, and at the lines of a here-document.
[[nodiscard]] std::vector<Command> split_commands(const Instruction& instruction);

/// `$NAME`, `${NAME}`, `${NAME:-default}`; nothing if one has no value, for rarer forms, and for what grows beyond all bounds.
[[nodiscard]] std::optional<std::string> expand(std::string_view text, const Variables& variables);

}  // namespace vmatrix::inputs
