#include "yaml/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <istream>
#include <streambuf>
#include <unordered_set>
#include <utility>

#include "base/bug.hpp"
#include "base/text.hpp"

namespace vmatrix::yaml {
namespace {

constexpr const char* anchor_hint = "write the value out where it is used";

/// The character at `at` of well-formed UTF-8, and its length.
std::pair<char32_t, std::size_t> decode(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    char32_t character = lead & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) character = (character << 6) | (byte(i) & 0x3Fu);
    return {character, length};
}

/// Characters that a reviewer does not see, that command a terminal, that turn text around, or that break lines for some
/// readers of YAML and not for others.
bool is_hidden(char32_t c) {
    return (c < 0x20 && c != '\n') || (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x200B || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF || (c >= 0xE0000 && c < 0xE1000) || (c & 0xFFFE) == 0xFFFE;
}

/// Offset of the first one, or npos. In a file a line may end with CR LF, in a text it may not.
std::size_t find_hidden(std::string_view text, bool file) {
    for (std::size_t at = 0; at < text.size();) {
        const auto [character, length] = decode(text, at);
        const bool line_end = file && character == '\r' && text.substr(at + 1, 1) == "\n";
        if (is_hidden(character) && !line_end) return at;
        at += length;
    }
    return std::string_view::npos;
}

std::string name_of(char32_t character) {
    static constexpr std::string_view digits = "0123456789ABCDEF";
    std::string name;
    for (char32_t rest = character; rest != 0 || name.size() < 4; rest >>= 4) name.insert(name.begin(), digits[rest & 0xF]);
    return "U+" + name;
}

/// Whether the quote at `at` has an end. yaml-cpp takes the end of the file for one.
bool quote_ends(std::string_view text, std::size_t at) {
    const char quote = text[at];
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\') ++i;
        else if (text[i] == quote && quote == '\'' && text.substr(i + 1, 1) == "'") ++i;
        else if (text[i] == quote) return true;
    }
    return false;
}

/// Whether the bracket at `at` has an end. yaml-cpp takes a list or map without one for a key.
bool bracket_ends(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    char quote = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
        const char c = text[i], before = i > 0 ? text[i - 1] : ' ';
        if (quote != 0) {
            if (c == '\\' && quote == '"') ++i;
            else if (c == quote) quote = 0;
        } else if (c == '#' && (before == ' ' || before == '\n')) {
            i = std::min(text.find('\n', i), text.size() - 1);
        } else if ((c == '"' || c == '\'') && std::string_view(" \n,:[{").find(before) != std::string_view::npos) {
            quote = c;
        } else if (c == '[' || c == '{') {
            ++depth;
        } else if ((c == ']' || c == '}') && --depth == 0) {
            return true;
        }
    }
    return false;
}

Place place_of(std::string_view text, std::size_t offset) {
    const auto before = text.substr(0, offset);
    const auto line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return {static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1, base::characters(before.substr(line_start)) + 1};
}

/// Thrown inside the event handler to leave the parser early; never leaves this file.
struct Stop {};

/// Builds the tree from yaml-cpp's events.
class Builder : public YAML::EventHandler {
public:
    Builder(std::string_view text, const std::string& file, base::Findings& findings) : text_(text), file_(file), findings_(findings) {
        line_starts_.push_back(0);
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] == '\n') line_starts_.push_back(i + 1);
    }

    [[nodiscard]] bool complete() const { return root_.has_value() && open_.empty(); }
    [[nodiscard]] Node take() { return std::move(root_).value_or(Node{}); }

    /// yaml-cpp counts columns in bytes. What it misses at the end of the file is missing behind the last text.
    [[nodiscard]] Place place(const YAML::Mark& mark) const {
        if (mark.is_null()) return {1, 1};
        if (offset(mark) >= text_.size()) return place_of(text_, text_.find_last_not_of(" \r\n") + 1);
        const auto line = std::min<std::size_t>(static_cast<std::size_t>(std::max(mark.line, 0)), line_starts_.size() - 1);
        const auto rest = text_.substr(line_starts_[line]);
        const auto bytes = std::min<std::size_t>(static_cast<std::size_t>(std::max(mark.column, 0)), rest.size());
        if (counted_.line != line || counted_.bytes > bytes) counted_ = {line, 0, 0};
        counted_.characters += base::characters(rest.substr(counted_.bytes, bytes - counted_.bytes));
        counted_.bytes = bytes;
        return {line + 1, counted_.characters + 1};
    }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (!root_) return;
        if (text_.substr(offset(mark), 3) == "---") refuse(mark, "second-document", "a file is one document", "put the rest into a file of its own");
        refuse(mark, "syntax", "not valid YAML: the list or map above ended before this line", "look for wrong indentation, or for a key below a list");
    }
    void OnDocumentEnd() override {}

    void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
        refuse(mark, "anchor", "anchors are not used here: `&" + base::printable(name, 40) + "`", anchor_hint);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        refuse(mark, "alias", "aliases are not used here", anchor_hint);
    }
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        check_anchor(mark, anchor);
        add({Node::Form::null, Node::Style::plain, null_place(mark), {}, {}, {}}, false);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
        check_anchor(mark, anchor);
        if (tag != "?" && tag != "!" && !tag.empty()) refuse_tag(mark, tag);
        if (value.size() > max_text_bytes)
            refuse(mark, "too-large", "a text has at most " + std::to_string(max_text_bytes / 1024) + " KiB, this one has " +
                   std::to_string((value.size() + 1023) / 1024) + " KiB", "split it");
        const Node::Style style = scalar_style(mark, tag);
        if (style == Node::Style::quoted && !quote_ends(text_, offset(mark)))
            refuse(mark, "syntax", "not valid YAML: this text has no closing quote", "a quote is missing");
        if (base::find_invalid_utf8(value) != std::string::npos)   // yaml-cpp makes Latin-1 of them
            refuse(mark, "control-character", "the escapes \\N and \\_ are not used here", "write the character itself");
        if (const auto hidden = find_hidden(value, false); hidden != std::string::npos) {
            const Place at = place(mark);
            findings_.error("control-character", {file_, at.line, at.column},
                            "this text holds " + name_of(decode(value, hidden).first) + ", which is not used here", "write it without that escape");
        }
        add({Node::Form::scalar, style, place(mark), value, {}, {}}, true);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value style) override {
        open(mark, tag, anchor, {Node::Form::sequence, collection_style(style), place(mark), {}, {}, {}});
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value style) override {
        open(mark, tag, anchor, {Node::Form::map, collection_style(style), place(mark), {}, {}, {}});
    }
    void OnMapEnd() override { close(); }

private:
    /// Where the last place was: many values on one long line are counted through once.
    struct Counted {
        std::size_t line = 0, bytes = 0, characters = 0;
    };
    mutable Counted counted_;

    struct Open {
        Node node;
        std::optional<Member> member;        ///< key read, value still to come
        bool dropped = false;                ///< the key was refused: its value is read and thrown away
        std::unordered_set<std::string> keys;
    };

    [[noreturn]] void refuse(const YAML::Mark& mark, const char* code, std::string message, std::string hint) {
        const Place at = place(mark);
        findings_.error(code, {file_, at.line, at.column}, std::move(message), std::move(hint));
        throw Stop{};
    }
    void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
        refuse(mark, "tag", "tags are not used here: `" + base::printable(tag, 40) + "`", "remove it; quote the value if it is a text");
    }
    void check_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
        if (anchor != 0) refuse(mark, "anchor", "anchors are not used here", anchor_hint);
    }

    static std::size_t offset(const YAML::Mark& mark) { return static_cast<std::size_t>(std::max(mark.pos, 0)); }

    /// The mark of a value that is not written is that of the next token: its key is a better place, or its dash.
    Place null_place(const YAML::Mark& mark) const {
        const Place at = place(mark);
        if (open_.empty()) return at;
        const Open& parent = open_.back();
        if (parent.member) return at.line == parent.member->at.line ? at : parent.member->at;
        if (parent.node.form != Node::Form::sequence || parent.node.style == Node::Style::flow) return at;
        const std::size_t column = parent.node.at.column - 1;   // of the dashes
        const auto only_blanks_and_dashes = [](std::string_view before) { return before.find_first_not_of(" -") == std::string_view::npos; };
        for (std::size_t line = at.line; line >= parent.node.at.line; --line) {
            const std::size_t dash = line_starts_[line - 1] + column;
            if (dash < offset(mark) && dash < text_.size() && text_[dash] == '-' && only_blanks_and_dashes(text_.substr(dash - column, column))) return {line, column + 1};
        }
        return at;
    }

    static Node::Style collection_style(YAML::EmitterStyle::value style) {
        return style == YAML::EmitterStyle::Flow ? Node::Style::flow : Node::Style::block;
    }
    /// The mark of a scalar is its first character; for a block scalar it may lie behind the indicator.
    Node::Style scalar_style(const YAML::Mark& mark, const std::string& tag) const {
        if (tag == "?" || tag.empty()) return Node::Style::plain;
        const char first = offset(mark) < text_.size() ? text_[offset(mark)] : ' ';
        return first == '"' || first == '\'' ? Node::Style::quoted : Node::Style::folded;
    }

    void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Node node) {
        check_anchor(mark, anchor);
        if (tag != "?" && !tag.empty()) refuse_tag(mark, tag);
        if (!open_.empty() && open_.back().node.form == Node::Form::map && !open_.back().member && !open_.back().dropped) {
            const std::string first(text_.substr(offset(mark), 1));
            if ((first == "[" || first == "{") && !bracket_ends(text_, offset(mark)))
                refuse(mark, "syntax", "not valid YAML: this `" + first + "` is never closed", first == "[" ? "a `]` is missing" : "a `}` is missing");
            refuse(mark, "complex-key", "a key is a plain word here, not a list or a map", "quote it if it is meant to be a text");
        }
        if (open_.size() == max_depth)
            refuse(mark, "too-deep", "lists and maps are nested at most " + std::to_string(max_depth) + " deep", "flatten this part");
        open_.push_back({std::move(node), std::nullopt, false, {}});
    }

    void close() {
        Node node = std::move(open_.back().node);
        open_.pop_back();
        add(std::move(node), false);
    }

    void add(Node node, bool may_be_key) {
        if (++nodes_ > max_nodes) {
            findings_.error("too-many", {file_, node.at.line, node.at.column}, "a file has at most " + std::to_string(max_nodes) + " values", "split it by family or by year");
            throw Stop{};
        }
        if (open_.empty()) {
            root_ = std::move(node);
            return;
        }
        Open& parent = open_.back();
        if (parent.node.form == Node::Form::sequence) {
            parent.node.items.push_back(std::move(node));
        } else if (parent.dropped) {
            parent.dropped = false;
        } else if (parent.member) {
            parent.member->value = std::move(node);
            parent.node.members.push_back(std::move(*parent.member));
            parent.member.reset();
        } else {
            start_member(parent, std::move(node), may_be_key);
        }
    }

    void start_member(Open& parent, Node key, bool may_be_key) {
        const base::Position at{file_, key.at.line, key.at.column};
        if (!may_be_key) {
            findings_.error("empty-key", at, "a key is missing before the colon", "write a field name");
            parent.dropped = true;
        } else if (!parent.keys.insert(key.text).second) {
            findings_.error("duplicate-key", at, "`" + base::printable(key.text, 40) + "` stands twice in this map", "keep one of them");
            parent.dropped = true;
        } else {
            parent.member = Member{std::move(key.text), key.at, {}};
        }
    }

    std::string_view text_;
    const std::string& file_;
    base::Findings& findings_;
    std::vector<std::size_t> line_starts_;
    std::vector<Open> open_;
    std::optional<Node> root_;
    std::size_t nodes_ = 0;
};

/// Reads from memory without a copy; yaml-cpp wants a stream.
class ViewBuffer : public std::streambuf {
public:
    explicit ViewBuffer(std::string_view text) {
        char* data = const_cast<char*>(text.data());   // NOLINT: get area is never written
        setg(data, data, data + text.size());
    }
};

/// Lines that the parser would accept without a word, or complain about somewhere else.
bool readable_lines(std::string_view text, const std::string& file, base::Findings& findings) {
    std::size_t number = 0;
    bool begun = false;
    for (const std::string_view line : base::split(text, '\n')) {
        ++number;
        if (line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ")) {
            findings.error("merge-conflict", {file, number, 1}, "this is left of a merge: `" + base::printable(base::trim(line), 40) + "`",
                           "choose a side, and remove the lines with <<<<<<<, ======= and >>>>>>>");
            return false;
        }
        if (!begun && line.starts_with('%')) {
            findings.error("directive", {file, number, 1}, "directives are not used here: `" + base::printable(base::trim(line), 40) + "`", "remove this line");
            return false;
        }
        begun = begun || !(base::trim(line).empty() || base::trim(line).starts_with('#'));
    }
    return true;
}

/// What a text must be before the parser sees it.
bool readable(std::string_view text, const std::string& file, base::Findings& findings) {
    if (text.size() > max_file_bytes) {
        findings.error("too-large", {file, 0, 0}, "a file has at most " + std::to_string(max_file_bytes >> 20) + " MiB, this one has " +
                       std::to_string((text.size() + (1u << 20) - 1) >> 20) + " MiB", "split it by family or by year");
        return false;
    }
    if (const auto bad = base::find_invalid_utf8(text); bad != std::string_view::npos) {
        const Place at = place_of(text, bad);
        findings.error("not-utf-8", {file, at.line, at.column}, "this byte is not UTF-8: " + base::printable(text.substr(bad, 1)), "save the file as UTF-8");
        return false;
    }
    if (const auto bad = find_hidden(text, true); bad != std::string_view::npos) {
        const Place at = place_of(text, bad);
        const bool tab = text[bad] == '\t';
        findings.error(tab ? "tab" : "control-character", {file, at.line, at.column},
                       tab ? "tab characters are not used here" : "the character " + name_of(decode(text, bad).first) + " is not used here",
                       tab ? "indent with blanks" : "remove it: it is invisible, or changes how the text around it is shown");
        return false;
    }
    return readable_lines(text, file, findings);
}

/// yaml-cpp's message with what usually causes it.
std::string syntax_hint(const std::string& message) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> hints{{
        {"illegal map value", "a text with a colon and a blank needs quotes; or the line before lacks its colon"},
        {"end of map not found", "look for wrong indentation, or for a list item in the middle of a map"},
        {"end of sequence not found", "look for wrong indentation, or for a key in the middle of a list"},
        {"end of map flow", "a `}` or a comma is missing"},
        {"end of sequence flow", "a `]` or a comma is missing"},
        {"illegal block entry", "a `}` or `]` is missing above, or the indentation is wrong"},
        {"alias not found", "a text that begins with `*` needs quotes"},
        {"anchor not found", "a text that begins with `&` needs quotes"},
        {"block scalar", "a text that begins with `>` or `|` needs quotes"},
        {"unknown token", "a text that begins with a sign such as `@`, `%`, `>` or `|` needs quotes"},
    }};
    for (const auto& [part, hint] : hints)
        if (message.find(part) != std::string::npos) return std::string(hint);
    return "look at this line and the one before";
}

}  // namespace

const Node* Node::find(std::string_view key) const {
    for (const Member& member : members)
        if (member.key == key) return &member.value;
    return nullptr;
}

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

std::optional<Node> parse(std::string_view text, const std::string& file, base::Findings& findings) {
    text = without_byte_order_mark(text);
    if (!readable(text, file, findings)) return std::nullopt;
    std::string with_line_end;
    if (!text.ends_with('\n')) text = with_line_end = std::string(text) + "\n";   // so that there is one kind of end to think of
    Builder builder(text, file, findings);
    try {
        ViewBuffer buffer(text);
        std::istream stream(&buffer);
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const Stop&) {
        return std::nullopt;
    } catch (const YAML::Exception& problem) {
        const Place at = builder.place(problem.mark);
        if (problem.msg.starts_with("the referenced anchor")) findings.error("alias", {file, at.line, at.column}, "aliases are not used here", anchor_hint);
        else findings.error("syntax", {file, at.line, at.column}, "not valid YAML: " + base::printable(problem.msg, 200), syntax_hint(problem.msg));
        return std::nullopt;
    }
    if (!builder.complete()) return Node{};   // empty, or comments only
    return builder.take();
}

}  // namespace vmatrix::yaml
