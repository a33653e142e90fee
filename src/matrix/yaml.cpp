#include "matrix/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <istream>
#include <streambuf>
#include <unordered_set>

#include "base/bug.hpp"
#include "base/text.hpp"

namespace vmatrix::matrix {
namespace {

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
    [[nodiscard]] Node take() { return std::move(*root_); }

    /// yaml-cpp counts columns in bytes.
    [[nodiscard]] Place place(const YAML::Mark& mark) const {
        if (mark.is_null()) return {1, 1};
        const auto line = std::min<std::size_t>(static_cast<std::size_t>(std::max(mark.line, 0)), line_starts_.size() - 1);
        const auto rest = text_.substr(line_starts_[line]);
        const auto bytes = std::min<std::size_t>(static_cast<std::size_t>(std::max(mark.column, 0)), rest.size());
        return {line + 1, base::characters(rest.substr(0, bytes)) + 1};
    }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (root_) refuse(mark, "second-document", "a matrix file is one document", "put the rest into a file of its own");
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
        add({Node::Form::null, Node::Style::plain, place(mark), {}, {}, {}}, false);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
        check_anchor(mark, anchor);
        if (tag != "?" && tag != "!" && !tag.empty()) refuse_tag(mark, tag);
        if (value.size() > max_text_bytes)
            refuse(mark, "too-large", "a text has at most " + std::to_string(max_text_bytes / 1024) + " KiB, this one has " +
                   std::to_string(value.size() / 1024) + " KiB", "split it");
        add({Node::Form::scalar, scalar_style(mark, tag), place(mark), value, {}, {}}, true);
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
    static constexpr const char* anchor_hint = "write the value out, or use `defaults`";

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

    Node::Style collection_style(YAML::EmitterStyle::value style) const {
        return style == YAML::EmitterStyle::Flow ? Node::Style::flow : Node::Style::block;
    }
    /// The mark of a scalar is its first character; for a block scalar it may lie behind the indicator.
    Node::Style scalar_style(const YAML::Mark& mark, const std::string& tag) const {
        if (tag == "?" || tag.empty()) return Node::Style::plain;
        const auto pos = static_cast<std::size_t>(std::max(mark.pos, 0));
        const char first = pos < text_.size() ? text_[pos] : ' ';
        return first == '"' || first == '\'' ? Node::Style::quoted : Node::Style::folded;
    }

    void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Node node) {
        check_anchor(mark, anchor);
        if (tag != "?" && !tag.empty()) refuse_tag(mark, tag);
        if (!open_.empty() && open_.back().node.form == Node::Form::map && !open_.back().member && !open_.back().dropped)
            refuse(mark, "complex-key", "a key is a plain word here, not a list or a map", "quote it if it is meant to be a text");
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
};

/// Reads from memory without a copy; yaml-cpp wants a stream.
class ViewBuffer : public std::streambuf {
public:
    explicit ViewBuffer(std::string_view text) {
        char* data = const_cast<char*>(text.data());   // NOLINT: get area is never written
        setg(data, data, data + text.size());
    }
};

Place place_of(std::string_view text, std::size_t offset) {
    const auto before = text.substr(0, offset);
    const auto line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return {static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1, base::characters(before.substr(line_start)) + 1};
}

/// What a text must be before the parser sees it.
bool readable(std::string_view text, const std::string& file, base::Findings& findings) {
    if (text.size() > max_file_bytes) {
        findings.error("too-large", {file, 0, 0}, "a matrix file has at most " + std::to_string(max_file_bytes >> 20) + " MiB, this one has " +
                       std::to_string(text.size() >> 20) + " MiB", "split it by family or by year");
        return false;
    }
    if (const auto bad = base::find_invalid_utf8(text); bad != std::string_view::npos) {
        const Place at = place_of(text, bad);
        findings.error("not-utf-8", {file, at.line, at.column}, "this byte is not UTF-8: " + base::printable(text.substr(bad, 1)), "save the file as UTF-8");
        return false;
    }
    const auto control = std::ranges::find_if(text, [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r') || c == 0x7F; });
    if (control != text.end()) {
        const Place at = place_of(text, static_cast<std::size_t>(control - text.begin()));
        const bool tab = *control == '\t';
        findings.error(tab ? "tab" : "control-character", {file, at.line, at.column},
                       tab ? "tab characters are not used here" : "control character " + base::printable(std::string_view(&*control, 1)),
                       tab ? "indent with blanks" : "remove it");
        return false;
    }
    return true;
}

/// yaml-cpp's message with what usually causes it.
std::string syntax_hint(const std::string& message) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> hints{{
        {"illegal map value", "a text with a colon and a blank needs quotes"},
        {"end of map not found", "look for wrong indentation, or for a list item in the middle of a map"},
        {"end of sequence not found", "look for wrong indentation, or for a key in the middle of a list"},
        {"end of map flow", "a `}` or a comma is missing"},
        {"end of sequence flow", "a `]` or a comma is missing"},
        {"EOF in scalar", "a closing quote is missing"},
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

std::optional<Node> parse_yaml(std::string_view text, const std::string& file, base::Findings& findings) {
    if (!readable(text, file, findings)) return std::nullopt;
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
        findings.error("syntax", {file, at.line, at.column}, "not valid YAML: " + problem.msg, syntax_hint(problem.msg));
        return std::nullopt;
    }
    if (!builder.complete()) return Node{};   // empty, or comments only
    return builder.take();
}

}  // namespace vmatrix::matrix
