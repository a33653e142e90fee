#include "matrix/format.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/text.hpp"
#include "matrix/grammar.hpp"
#include "model/schema.hpp"
#include "yaml/yaml.hpp"

namespace vmatrix::matrix {
namespace {

using model::Field;
using model::Kind;
using model::Type;
using yaml::Member;
using yaml::Node;
using yaml::Place;

constexpr std::size_t line_width = 110;

// ---- Comments

struct Comment {
    std::size_t line = 0;
    std::size_t column = 0;   ///< of what it stands at: its own, or that of the dash before it
    std::string text;         ///< with its `#`
    bool alone = false;       ///< nothing else on its line, or nothing but a dash
    bool led = false;         ///< by a dash, on its line or above
};

/// Finds the comments of a file. The tree says where texts in quotes, folded texts, lists and maps begin; elsewhere a `#`
/// behind a blank is a comment, and one right behind a quote or a bracket.
class CommentScanner {
    static constexpr std::string_view dashes = " -\r";

public:
    CommentScanner(std::string_view text, const Node& root) : text_(text) {
        line_starts_.push_back(0);
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] == '\n') line_starts_.push_back(i + 1);
        find_values(root, 0);
        scan();
    }
    [[nodiscard]] std::vector<Comment> take() { return std::move(comments_); }
    /// The lines on which lists and maps in brackets are closed.
    [[nodiscard]] std::unordered_map<const Node*, std::size_t> take_ends() { return std::move(ends_); }

private:
    struct Begin {
        enum class Of { quote, folded, bracket } of = Of::quote;
        std::size_t indent = 0;       ///< of a folded text: its lines have more blanks than these
        const Node* node = nullptr;   ///< of a bracket
    };

    std::size_t offset(Place at) {
        if (reached_.line != at.line || reached_.column > at.column) reached_ = {at.line, 1}, reached_offset_ = line_starts_[at.line - 1];
        for (; reached_.column < at.column && reached_offset_ < text_.size(); ++reached_.column) {
            ++reached_offset_;
            while (reached_offset_ < text_.size() && (static_cast<unsigned char>(text_[reached_offset_]) & 0xC0) == 0x80) ++reached_offset_;
        }
        return reached_offset_;
    }

    void find_values(const Node& node, std::size_t indent) {
        if (node.form == Node::Form::null) {
            empty_.insert(node.at.line);
            return;
        }
        const std::size_t at = offset(node.at);
        const char first = at < text_.size() ? text_[at] : ' ';
        if (node.style == Node::Style::quoted) begins_[at] = {Begin::Of::quote};
        if (node.style == Node::Style::folded && (first == '>' || first == '|')) begins_[at] = {Begin::Of::folded, indent};
        if (node.style == Node::Style::flow && (first == '[' || first == '{')) begins_[at] = {Begin::Of::bracket, 0, &node};
        for (const Node& item : node.items) find_values(item, node.at.column - 1);
        for (const Member& member : node.members) {
            const std::size_t key = offset(member.at);
            if (key < text_.size() && (text_[key] == '"' || text_[key] == '\'')) begins_[key] = {Begin::Of::quote};
            find_values(member.value, member.at.column - 1);
        }
    }

    void scan() {
        std::vector<const Node*> open;   // in brackets
        bool boundary = true;       // a `#` here is a comment
        for (std::size_t i = 0; i < text_.size();) {
            const char c = text_[i];
            const auto begin = begins_.find(i);
            const bool opens = begin != begins_.end() && begin->second.of == Begin::Of::bracket;
            if (begin != begins_.end() && !opens) {
                i = begin->second.of == Begin::Of::quote ? end_of_quote(i) : end_of_folded(i, begin->second.indent);
                boundary = true;
            } else if (c == '#' && boundary) {
                i = take_comment(i);
            } else {
                const bool closes = !open.empty() && (c == ']' || c == '}');
                if (opens) open.push_back(begin->second.node);
                if (closes) {
                    ends_[open.back()] = line_of(i);
                    open.pop_back();
                }
                boundary = c == ' ' || c == '\n' || opens || closes || (!open.empty() && c == ',');
                ++i;
            }
        }
    }

    [[nodiscard]] std::size_t line_end(std::size_t at) const { return std::min(text_.find('\n', at), text_.size()); }

    [[nodiscard]] std::size_t line_of(std::size_t at) const { return static_cast<std::size_t>(std::ranges::upper_bound(line_starts_, at) - line_starts_.begin()); }

    /// The column of a dash that stands alone on the last line with anything but comments, and whose value follows; 0 if there is none.
    [[nodiscard]] std::size_t dash_above(std::size_t line) const {
        while (--line > 0) {
            if (!comments_.empty() && comments_.back().line == line && comments_.back().alone) return comments_.back().led && !empty_.contains(line) ? comments_.back().column : 0;
            const auto text = text_.substr(line_starts_[line - 1], line_starts_[line] - 1 - line_starts_[line - 1]);
            if (text.find_first_not_of(dashes) != std::string_view::npos) return 0;
            if (text.find('-') != std::string_view::npos) return empty_.contains(line) ? 0 : text.rfind('-') + 1;
        }
        return 0;
    }

    /// Returns where it ends.
    std::size_t take_comment(std::size_t at) {
        const std::size_t line = line_of(at);
        const auto before = text_.substr(line_starts_[line - 1], at - line_starts_[line - 1]);
        const bool alone = before.find_first_not_of(dashes) == std::string_view::npos;
        const std::size_t dash = !alone ? 0 : before.find('-') != std::string_view::npos ? before.rfind('-') + 1 : dash_above(line);
        comments_.push_back({line, dash > 0 ? dash : before.size() + 1, std::string(base::trim(text_.substr(at, line_end(at) - at))), alone, dash > 0});
        return line_end(at);
    }

    [[nodiscard]] std::size_t end_of_quote(std::size_t at) const {
        const char quote = text_[at];
        for (++at; at < text_.size(); ++at) {
            if (quote == '"' && text_[at] == '\\') ++at;
            else if (text_[at] == quote && quote == '\'' && text_.substr(at + 1, 1) == "'") ++at;
            else if (text_[at] == quote) return at + 1;
        }
        return text_.size();
    }

    /// A comment may stand beside the indicator. The first line with text says how far all are indented, unless a digit does.
    std::size_t end_of_folded(std::size_t at, std::size_t indent) {
        std::size_t wanted = 0;
        std::size_t i = at + 1;
        for (; i < line_end(at) && text_[i] != ' '; ++i)
            if (text_[i] >= '1' && text_[i] <= '9') wanted = indent + static_cast<std::size_t>(text_[i] - '0');
        const auto comment = text_.substr(0, line_end(at)).find('#', i);
        if (comment != std::string_view::npos) take_comment(comment);
        for (std::size_t start = line_end(at) + 1; start < text_.size(); start = line_end(start) + 1) {
            const auto line = text_.substr(start, line_end(start) - start);
            if (base::trim(line).empty()) continue;
            const std::size_t blanks = line.find_first_not_of(' ');
            if (wanted == 0 && blanks > indent) wanted = blanks;
            if (wanted == 0 || blanks < wanted) return start;
        }
        return text_.size();
    }

    std::string_view text_;
    std::vector<std::size_t> line_starts_;
    std::map<std::size_t, Begin> begins_;
    std::unordered_set<std::size_t> empty_;   ///< lines with a key or a dash whose value is not written
    std::vector<Comment> comments_;
    std::unordered_map<const Node*, std::size_t> ends_;
    Place reached_;                      ///< by offset(), so that a long line is walked once
    std::size_t reached_offset_ = 0;
};

/// The comments of an entry: above it, on its line, and, of a list or map, behind its last entry.
struct Notes {
    std::vector<std::string> above, beside, at_end;
};

/// Finds the entry that a comment speaks of. An entry is a value of a list or a map, with its key.
class CommentOwners {
public:
    CommentOwners(const Node& root, std::unordered_map<const Node*, std::size_t> ends) : root_(root), ends_(std::move(ends)) {}

    [[nodiscard]] std::unordered_map<const Node*, Notes> find(const std::vector<Comment>& comments) {
        for (const Comment& comment : comments) comment.alone ? place_alone(root_, comment) : place_beside(root_, comment);
        return std::move(notes_);
    }

private:
    static std::size_t count(const Node& node) { return node.items.size() + node.members.size(); }
    static const Node& entry(const Node& node, std::size_t i) { return node.items.empty() ? node.members[i].value : node.items[i]; }

    /// How many entries begin on this line or before it.
    static std::size_t begun(const Node& node, std::size_t line) {
        const auto items = std::ranges::upper_bound(node.items, line, {}, [](const Node& item) { return item.at.line; }) - node.items.begin();
        const auto members = std::ranges::upper_bound(node.members, line, {}, [](const Member& member) { return member.at.line; }) - node.members.begin();
        return static_cast<std::size_t>(items + members);
    }

    /// It belongs to what begins next; but behind the last entry of a list or map, to that list or map: inside brackets, or when it
    /// is indented like the entries.
    void place_alone(const Node& node, const Comment& comment) {
        const std::size_t before = begun(node, comment.line);
        if (before > 0) {
            const Node& last = entry(node, before - 1);
            if (holds(last, node.at.column, comment)) return place_alone(last, comment);
            if (last.at.line == comment.line) return notes_[&last].beside.push_back(comment.text);   // of a dash without a value
            if (last.at.line > comment.line) return notes_[&last].above.push_back(comment.text);     // between a key and its value
        }
        if (before < count(node)) notes_[&entry(node, before)].above.push_back(comment.text);
        else notes_[&node].at_end.push_back(comment.text);
    }

    [[nodiscard]] bool holds(const Node& node, std::size_t outer_column, const Comment& comment) const {
        if (const auto end = ends_.find(&node); end != ends_.end()) return comment.line < end->second;
        const std::size_t before = begun(node, comment.line);
        if (before < count(node)) return true;
        if (before == 0) return false;
        const bool indented = node.style == Node::Style::block && comment.column >= node.at.column && (comment.led || comment.column > outer_column);
        return indented || holds(entry(node, before - 1), node.at.column, comment);
    }

    /// It belongs to the last entry that begins on the line or before; of lists and maps that are closed there, to the outermost.
    void place_beside(const Node& node, const Comment& comment) {
        const std::size_t before = begun(node, comment.line);
        if (before == 0) return place_alone(node, comment);
        const Node& last = entry(node, before - 1);
        const auto end = ends_.find(&last);
        const bool closed = end != ends_.end() && end->second <= comment.line;
        if (closed || begun(last, comment.line) == 0) notes_[&last].beside.push_back(comment.text);
        else place_beside(last, comment);
    }

    const Node& root_;
    std::unordered_map<const Node*, std::size_t> ends_;
    std::unordered_map<const Node*, Notes> notes_;
};

// ---- Scalars

bool is_quoted_type(Type type) {
    switch (type) {
        case Type::version: case Type::version_map: case Type::set_map: case Type::version_set: case Type::dotted: case Type::kernel:
        case Type::date: case Type::os: case Type::python: case Type::pci: case Type::digest: case Type::requirement: case Type::environment:
        case Type::citation: return true;
        default: return false;
    }
}

/// Whether YAML reads this back as the same plain scalar in any position, flow collections included.
bool safe_plain(std::string_view text) {
    if (text.empty() || mistyped_when_plain(text) || text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
    if (std::string_view("-?:,[]{}#&*!|>'\"%@`=").find(text.front()) != std::string_view::npos) return false;
    if (text.find_first_of(",?[]{}\n\r") != std::string_view::npos) return false;   // yaml-cpp takes `?` in a flow collection for a key
    if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos) return false;
    return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

std::string double_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n') out += "\\n";
        else if (c == '\r') out += "\\r";
        else out += c;
    }
    return out + "\"";
}

// ---- The writer

class Writer {
public:
    explicit Writer(std::unordered_map<const Node*, Notes> notes) : notes_(std::move(notes)) {}

    std::string write(const Node& root) {
        bool first = true;
        for (const Member& member : root.members) {
            if (!first) out_ += "\n";
            first = false;
            write_section(member);
        }
        comments_at_end(root, 0);
        return std::move(out_);
    }

private:
    // Comments

    void own_lines(const std::vector<std::string>& texts, std::size_t indent) {
        for (const std::string& text : texts) out_ += std::string(indent, ' ') + text + "\n";
    }

    void comments_above(const Node& entry, std::size_t indent) {
        if (const auto found = notes_.find(&entry); found != notes_.end()) own_lines(found->second.above, indent);
    }

    void comments_at_end(const Node& node, std::size_t indent) {
        if (const auto found = notes_.find(&node); found != notes_.end()) own_lines(found->second.at_end, indent);
    }

    /// Of a value that is written without its inner lines.
    void comments_inside(const Node& value, std::size_t indent) {
        const auto all_of = [&](const Node& entry) {
            comments_above(entry, indent);
            if (const auto found = notes_.find(&entry); found != notes_.end()) own_lines(found->second.beside, indent);
            comments_inside(entry, indent);
        };
        for (const Node& item : value.items) all_of(item);
        for (const Member& member : value.members) all_of(member.value);
        comments_at_end(value, indent);
    }

    /// What to write behind the entry. A line has place for one, others stand above.
    std::string comment_beside(const Node& entry, std::size_t indent) {
        const auto found = notes_.find(&entry);
        if (found == notes_.end() || found->second.beside.empty()) return {};
        auto texts = found->second.beside;
        const std::string last = std::move(texts.back());
        texts.pop_back();
        own_lines(texts, indent);
        return "   " + last;
    }

    // Structure

    static int order(const Kind& kind, std::string_view name) {
        int place = 0;
        if (name == "id") return -1;
        for (const Field& field : kind.fields) {
            if (field.type == Type::facts) continue;
            if (field.name == name) return place;
            ++place;
        }
        for (const Field& field : model::common_fields()) {
            if (field.name == name) return place;
            ++place;
        }
        return 1000;   // nested facts, and what the schema does not know
    }

    static std::vector<const Member*> ordered(const Kind* kind, const Node& map) {
        std::vector<const Member*> members;
        for (const Member& member : map.members) members.push_back(&member);
        if (kind) std::ranges::stable_sort(members, {}, [&](const Member* member) { return order(*kind, member->key); });
        return members;
    }

    static const Field* field_of(const Kind* kind, std::string_view name) { return kind ? kind->field(name) : nullptr; }

    void write_section(const Member& member) {
        const Node& value = member.value;
        const bool facts = value.form == Node::Form::sequence && !value.items.empty();
        const bool defaults = member.key == "defaults" && value.form == Node::Form::map && !value.members.empty();
        comments_above(value, 0);
        if (!facts && !defaults) comments_inside(value, 0);
        const std::string beside = comment_beside(value, 0);
        if (defaults) {
            out_ += "defaults:" + beside + "\n";
            for (const Member& section : value.members) write_member(model::find_kind(section.key), nullptr, section, 2);
            comments_at_end(value, 2);
        } else if (facts) {
            out_ += key(member.key) + ":" + beside + "\n";
            write_facts(model::find_kind(member.key), value, 2);
        } else {
            out_ += entry(key(member.key) + ":", flow(nullptr, nullptr, value)) + beside + "\n";
        }
    }

    /// Nothing behind a key or dash whose value is not written.
    static std::string entry(const std::string& start, const std::string& value) { return value.empty() ? start : start + " " + value; }

    /// Facts on one line each stand close together, those on several lines have a blank line between them.
    void write_facts(const Kind* kind, const Node& list, std::size_t indent) {
        bool first = true;
        for (const Node& item : list.items) {
            const bool block = item.form == Node::Form::map && item.style == Node::Style::block;
            if (!first && block && indent == 2) out_ += "\n";
            first = false;
            comments_above(item, indent);
            if (block) {
                write_block_fact(kind, item, indent);
                comments_at_end(item, indent + 2);
            } else {
                comments_inside(item, indent);
                const std::string beside = comment_beside(item, indent);
                out_ += entry(std::string(indent, ' ') + "-", flow(kind, nullptr, item)) + beside + "\n";
            }
        }
        comments_at_end(list, indent);
    }

    void write_block_fact(const Kind* kind, const Node& item, std::size_t indent) {
        bool first = true;
        for (const Member* member : ordered(kind, item)) {
            const auto start = out_.size();
            write_member(kind, field_of(kind, member->key), *member, indent + 2, first ? indent : indent + 2);
            if (!first) continue;
            first = false;
            // The dash goes before the first key, below the comments above it.
            auto line = start;
            while (out_[line + indent] == '#') line = out_.find('\n', line) + 1;
            out_[line + indent] = '-';
        }
    }

    void write_member(const Kind* kind, const Field* field, const Member& member, std::size_t indent) { write_member(kind, field, member, indent, indent); }

    void write_member(const Kind* kind, const Field* field, const Member& member, std::size_t indent, std::size_t comment_indent) {
        const Node& value = member.value;
        const std::string margin(indent, ' ');
        const std::string name = key(member.key);
        comments_above(value, comment_indent);
        const std::string line = flow(kind, field, value);
        const bool fits = base::characters(margin + name + ": " + line) <= line_width;
        const bool facts = field && field->type == Type::facts && value.form == Node::Form::sequence && !value.items.empty();
        const bool fields = !field && value.form == Node::Form::map && !value.members.empty() && (value.style == Node::Style::block || !fits);
        if (!facts && !fields) comments_inside(value, comment_indent);
        const std::string beside = comment_beside(value, comment_indent);
        if (facts) {
            out_ += margin + name + ":" + beside + "\n";
            write_facts(model::find_kind(field->target), value, indent + 2);
        } else if (fields) {
            out_ += margin + name + ":" + beside + "\n";
            for (const Member* inner : ordered(kind, value)) write_member(kind, field_of(kind, inner->key), *inner, indent + 2);
            comments_at_end(value, indent + 2);
        } else if (fits) {
            out_ += entry(margin + name + ":", line) + beside + "\n";
        } else if (value.form == Node::Form::sequence) {
            out_ += wrapped_list(field, value, margin + name + ": [") + beside + "\n";
        } else if (value.form == Node::Form::scalar && can_fold(value.text)) {
            out_ += margin + name + ": >-" + beside + "\n" + folded(value.text, indent + 2);
        } else if (value.form == Node::Form::map) {
            out_ += margin + name + ":" + beside + "\n";
            for (const Member& inner : value.members) out_ += entry(margin + "  " + key(inner.key) + ":", flow(kind, field, inner.value)) + "\n";
        } else {
            out_ += margin + name + ": " + line + beside + "\n";
        }
    }

    // Values

    static std::string key(const std::string& text) { return safe_plain(text) ? text : double_quoted(text); }

    /// `[, ]` is YAML for yaml-cpp only.
    std::string list_item(const Kind* kind, const Field* field, const Node& item) { return item.form == Node::Form::null ? "null" : flow(kind, field, item); }

    std::string flow(const Kind* kind, const Field* field, const Node& node) {
        switch (node.form) {
            case Node::Form::null: return "";
            case Node::Form::scalar: return scalar(field, node);
            case Node::Form::sequence: {
                std::vector<std::string> parts;
                const Kind* nested = field && field->type == Type::facts ? model::find_kind(field->target) : kind;
                for (const Node& item : node.items) parts.push_back(list_item(nested, field, item));
                return "[" + base::join(parts, ", ") + "]";
            }
            case Node::Form::map: {
                std::vector<std::string> parts;
                const bool own_fields = !field || field->type == Type::facts;
                for (const Member* member : ordered(own_fields ? kind : nullptr, node))
                    parts.push_back(key(member->key) + ": " + flow(kind, own_fields ? field_of(kind, member->key) : field, member->value));
                return "{" + base::join(parts, ", ") + "}";
            }
        }
        return {};
    }

    static std::string scalar(const Field* field, const Node& node) {
        const bool typed = mistyped_when_plain(node.text) || (field && is_plain_type(field->type));
        if (node.style == Node::Style::plain && typed) return node.text;   // right for numbers; else lint asks for quotes
        const bool want_quotes = field && is_quoted_type(field->type);
        return want_quotes || !safe_plain(node.text) ? double_quoted(node.text) : node.text;
    }

    /// `key: [a, b,` with the rest aligned below the first item.
    std::string wrapped_list(const Field* field, const Node& list, const std::string& start) {
        std::string text, line = start;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            const std::string part = list_item(nullptr, field, list.items[i]) + (i + 1 < list.items.size() ? "," : "]");
            if (i > 0 && base::characters(line) + base::characters(part) + 1 > line_width) {
                text += line + "\n";
                line = std::string(base::characters(start), ' ') + part;
            } else {
                line += (i == 0 ? "" : " ") + part;
            }
        }
        return text + line;
    }

    static bool can_fold(std::string_view text) {
        return text.find('\n') == std::string_view::npos && text.find("  ") == std::string_view::npos && text.find('\r') == std::string_view::npos &&
               text == base::trim(text);
    }

    static std::string folded(std::string_view text, std::size_t indent) {
        std::string out, line;
        for (const std::string_view word : base::split(text, ' ')) {
            if (!line.empty() && indent + base::characters(line) + 1 + base::characters(word) > line_width) {
                out += std::string(indent, ' ') + line + "\n";
                line.clear();
            }
            line += (line.empty() ? "" : " ") + std::string(word);
        }
        return out + std::string(indent, ' ') + line + "\n";
    }

    std::unordered_map<const Node*, Notes> notes_;
    std::string out_;
};

bool same(const Node& a, const Node& b);

bool same_members(const Node& a, const Node& b) {
    std::map<std::string_view, const Node*> others;
    for (const Member& member : b.members) others.emplace(member.key, &member.value);
    return std::ranges::all_of(a.members, [&](const Member& member) {
        const auto other = others.find(member.key);
        return other != others.end() && same(member.value, *other->second);
    });
}

bool same(const Node& a, const Node& b) {
    if (a.form != b.form || a.text != b.text || a.items.size() != b.items.size() || a.members.size() != b.members.size()) return false;
    if (a.form == Node::Form::scalar && (a.style == Node::Style::plain) != (b.style == Node::Style::plain) && mistyped_when_plain(a.text)) return false;
    for (std::size_t i = 0; i < a.items.size(); ++i)
        if (!same(a.items[i], b.items[i])) return false;
    return same_members(a, b);
}

std::vector<std::string> sorted_texts(std::vector<Comment> comments) {
    std::vector<std::string> texts;
    for (Comment& comment : comments) texts.push_back(std::move(comment.text));
    std::ranges::sort(texts);
    return texts;
}

}  // namespace

namespace {

/// Other YAML, a workflow say, is left alone. One section is enough: lint speaks about those that are misspelt.
bool is_matrix_file(const Node& root) {
    const auto is_section = [](const Member& member) { return model::find_kind(member.key) != nullptr; };
    const Node* defaults = root.find("defaults");
    return std::ranges::any_of(root.members, is_section) || (defaults && std::ranges::any_of(defaults->members, is_section));
}

}  // namespace

base::Result<std::string> format(std::string_view text, const std::string& path) {
    base::Findings findings;
    const auto before = yaml::parse(text, path, findings);
    if (!before || !findings.empty()) {
        const auto first = findings.sorted().front();
        return base::fail(to_string(first.at) + ": " + first.message, "mend it first: vmatrix matrix lint");
    }
    text = yaml::without_byte_order_mark(text);
    if (before->form == Node::Form::null || (before->form == Node::Form::map && before->members.empty())) return std::string(text);
    if (!is_matrix_file(*before)) return base::fail(base::printable(path, 300) + " is not a matrix file: it has no section that the schema knows", "see docs/matrix-format.md");
    CommentScanner scanner(text, *before);
    const auto comments = scanner.take();
    std::string result = Writer(CommentOwners(*before, scanner.take_ends()).find(comments)).write(*before);
    const auto after = yaml::parse(result, path, findings);
    if (!after || !findings.empty() || !same(*before, *after) || sorted_texts(CommentScanner(result, *after).take()) != sorted_texts(comments))
        return base::fail(path + ": cannot be formatted without losing something", "write unusual texts or comments in a simpler way, and please report this file");
    return result;
}

}  // namespace vmatrix::matrix
