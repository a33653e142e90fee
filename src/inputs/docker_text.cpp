#include "inputs/docker_text.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace vmatrix::inputs {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::size_t max_expanded = 64u << 10;   // values that are made of values grow without end

std::string_view trim_end(std::string_view line) { return line.substr(0, line.find_last_not_of(blanks) + 1); }

/// `# escape=`` before the first instruction.
bool escapes_with_backtick(std::string_view text) {
    for (const std::string_view line : base::split(text, '\n')) {
        const auto trimmed = base::trim(line);
        if (!trimmed.starts_with('#')) return false;
        const std::string directive = base::lower(trimmed);
        if (directive.find("escape") != std::string::npos && directive.ends_with('`')) return true;
    }
    return false;
}

/// The word behind `<<`, `<<-`, without quotes; empty if there is none.
std::string here_document_end(std::string_view text) {
    const auto mark = text.find("<<");
    if (mark == std::string_view::npos || text.substr(mark).starts_with("<<<")) return {};
    auto rest = text.substr(mark + 2);
    if (rest.starts_with('-')) rest.remove_prefix(1);
    std::string word;
    for (const char c : rest) {
        if (c == '"' || c == '\'') continue;
        if (c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9')) break;
        word += c;
    }
    return word;
}

class Lines {
public:
    Lines(std::string_view text, const Collector& places) : lines_(base::split(text, '\n')), places_(places), escape_(escapes_with_backtick(text) ? '`' : '\\') {}

    std::vector<Instruction> read() {
        std::vector<Instruction> all;
        while (next_ < lines_.size())
            if (auto instruction = one()) all.push_back(std::move(*instruction));
        return all;
    }

private:
    std::optional<Instruction> one() {
        const std::string_view line = trim_end(lines_[next_]);
        const auto first = std::min(line.find_first_not_of(blanks), line.size());
        if (first == line.size() || line[first] == '#') {
            ++next_;
            return std::nullopt;
        }
        const auto keyword_end = std::min(line.find_first_of(" \t", first), line.size());
        Instruction instruction{base::lower(line.substr(first, keyword_end - first)), place(next_, first), {}, false};
        take_lines(instruction, keyword_end);
        take_here_document(instruction);
        return instruction;
    }

    void take_lines(Instruction& instruction, std::size_t from) {
        for (; next_ < lines_.size(); from = 0) {
            auto line = trim_end(lines_[next_]);
            const auto trimmed = base::trim(line);
            const bool skipped = from == 0 && (trimmed.empty() || trimmed.starts_with('#'));   // between continued lines
            const bool continued = line.ends_with(escape_);
            if (!skipped) {
                if (continued) line.remove_suffix(1);
                instruction.pieces.push_back({line.substr(std::min(from, line.size())), place(next_, from)});
            }
            ++next_;
            if (!skipped && !continued) return;
        }
    }

    void take_here_document(Instruction& instruction) {
        if (instruction.keyword != "run" && instruction.keyword != "copy" && instruction.keyword != "add") return;
        std::string end;
        for (const Piece& piece : instruction.pieces)
            if (end.empty()) end = here_document_end(piece.text);
        if (end.empty()) return;
        instruction.here_document = true;
        while (next_ < lines_.size()) {
            const auto line = trim_end(lines_[next_]);
            const auto at = place(next_++, 0);
            if (base::trim(line) == end) return;
            if (!base::trim(line).starts_with('#')) instruction.pieces.push_back({line, at});
        }
    }

    [[nodiscard]] base::Position place(std::size_t line, std::size_t byte) const {
        return places_.at(line + 1, base::characters(lines_[line].substr(0, byte)) + 1);
    }

    std::vector<std::string_view> lines_;
    const Collector& places_;
    char escape_;
    std::size_t next_ = 0;
};

/// Splits as a shell does, as far as it matters to find packages.
class Shell {
public:
    std::vector<Command> split(const Instruction& instruction) {
        for (const Piece& piece : instruction.pieces) {
            take(piece);
            if (instruction.here_document) end_command();
        }
        end_command();
        return std::move(commands_);
    }

private:
    void take(const Piece& piece) {
        const auto text = piece.text;
        std::size_t counted = 0, column = piece.at.column;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            column += base::characters(text.substr(counted, i - counted));
            counted = i;
            const base::Position at{piece.at.file, piece.at.line, column};
            if (quote_ != 0) {
                if (c == quote_) quote_ = 0;
                else append(c == '\\' && quote_ == '"' && i + 1 < text.size() ? text[++i] : c, at);
            } else if (c == '\'' || c == '"') {
                quote_ = c;
                open(at);
            } else if (c == '\\' && i + 1 < text.size()) {
                append(text[++i], at);
            } else if (c == '&' || c == '|' || c == ';') {
                end_command();
            } else if (c == '>' || c == '<') {
                redirect();
            } else if (blanks.find(c) != std::string_view::npos) {
                end_word();
            } else {
                append(c, at);
            }
        }
        if (quote_ == 0) end_word();
    }

    void open(const base::Position& at) {
        if (!open_) word_ = {{}, at, false};
        open_ = true;
    }
    void append(char c, const base::Position& at) {
        open(at);
        word_.text += c;
    }
    /// What follows is a file, up to the next blank.
    void redirect() {
        const bool number = word_.text.find_first_not_of("0123456789") == std::string::npos;
        if (open_ && !skip_ && !number) {
            word_.cut = true;
            end_word();
        }
        open_ = false;
        word_ = {};
        skip_ = true;
    }
    void end_word() {
        if (!open_) return;
        if (!skip_) command_.push_back(std::move(word_));
        word_ = {};
        open_ = skip_ = false;
    }
    void end_command() {
        end_word();
        skip_ = false;
        if (!command_.empty()) commands_.push_back(std::move(command_));
        command_.clear();
    }

    std::vector<Command> commands_;
    Command command_;
    Word word_;
    char quote_ = 0;
    bool open_ = false;   ///< a word has begun
    bool skip_ = false;   ///< the word is the file of a redirection
};

/// ["pip", "install", "torch"] with its brackets and commas as blanks.
bool is_exec_form(const Instruction& instruction) { return !instruction.pieces.empty() && base::trim(instruction.pieces.front().text).starts_with('['); }

std::string_view name_at(std::string_view text) {
    const auto in_name = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
    return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, in_name) - text.begin()));
}

/// The value of `NAME`, `NAME:-default`, `NAME-default`; nothing for what has none and for forms that are rare.
std::optional<std::string> value_of(std::string_view inside, const Variables& variables) {
    const auto name = name_at(inside);
    auto rest = inside.substr(name.size());
    const std::string* found = variables.find(std::string(name));
    const bool colon = rest.starts_with(':');
    if (colon) rest.remove_prefix(1);
    if (found && (!colon || !found->empty())) return rest.empty() || rest.front() == '-' ? std::optional(*found) : std::nullopt;
    if (!rest.starts_with('-')) return std::nullopt;
    return std::string(rest.substr(1));
}

}  // namespace

const std::string* Variables::find(const std::string& name) const {
    for (const auto* map : {&environment, &arguments})
        if (const auto found = map->find(name); found != map->end()) return &found->second;
    return nullptr;
}

std::vector<Instruction> split_instructions(std::string_view text, const Collector& places) { return Lines(text, places).read(); }

std::vector<Command> split_commands(const Instruction& instruction) {
    auto commands = Shell().split(instruction);
    if (!is_exec_form(instruction)) return commands;
    for (Command& command : commands)
        for (Word& word : command) {
            const auto first = std::min(word.text.find_first_not_of("[,"), word.text.size());
            word.text = word.text.substr(first, word.text.find_last_not_of("],") + 1 - first);
        }
    return commands;
}

std::vector<Word> split_words(const Instruction& instruction) {
    std::vector<Word> words;
    for (Command& command : Shell().split(instruction)) std::ranges::move(command, std::back_inserter(words));
    return words;
}

std::optional<std::string> expand(std::string_view text, const Variables& variables) {
    std::string expanded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '$' || i + 1 == text.size()) {
            expanded += text[i];
            continue;
        }
        const bool braces = text[i + 1] == '{';
        const auto end = braces ? text.find('}', i) : std::string_view::npos;
        if (braces && end == std::string_view::npos) return std::nullopt;
        const auto inside = braces ? text.substr(i + 2, end - i - 2) : name_at(text.substr(i + 1));
        const bool nested = inside.find('$') != std::string_view::npos;
        const auto value = nested ? std::nullopt : value_of(inside, variables);
        if (!value || expanded.size() + value->size() > max_expanded) return std::nullopt;
        expanded += *value;
        i = braces ? end : i + inside.size();
    }
    return expanded;
}

}  // namespace vmatrix::inputs
