#include "report/format.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "report/one_line.hpp"

namespace vmatrix::report {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Tree& tree) {
    switch (tree.form) {
        case Tree::Form::null: return nullptr;
        case Tree::Form::text: return tree.text;
        case Tree::Form::number: return Json::parse(tree.text);
        case Tree::Form::boolean: return tree.truth;
        case Tree::Form::list: {
            Json list = Json::array();
            for (const Tree& item : tree.items) list.push_back(to_json(item));
            return list;
        }
        case Tree::Form::record: {
            Json record = Json::object();
            for (const auto& [name, value] : tree.members) record[name] = to_json(value);
            return record;
        }
    }
    return nullptr;
}

bool is_scalar(const Tree& tree) { return tree.form != Tree::Form::list && tree.form != Tree::Form::record; }
bool is_empty(const Tree& tree) { return !is_scalar(tree) && tree.items.empty() && tree.members.empty(); }

// ---- YAML: block style; every text is a JSON string, which YAML reads the same way.

/// What YAML refuses or takes for a line break though JSON lets it through: DEL, the C1 controls, the Unicode line and
/// paragraph separators, the byte order mark.
std::string yaml_text(const Json& value) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> special{
        {{"\x7F", "\\u007f"}, {"\xE2\x80\xA8", "\\u2028"}, {"\xE2\x80\xA9", "\\u2029"}, {"\xEF\xBB\xBF", "\\ufeff"}}};
    static constexpr std::string_view digits = "0123456789abcdef";
    const std::string text = value.dump();
    std::string out;
    for (std::string_view rest = text; !rest.empty();) {
        const auto* const found = std::ranges::find_if(special, [&](const auto& entry) { return rest.starts_with(entry.first); });
        const auto next = static_cast<unsigned char>(rest.size() > 1 ? rest[1] : 0);
        if (found != special.end()) {
            out += found->second;
            rest.remove_prefix(found->first.size());
        } else if (rest.front() == '\xC2' && next < 0xA0) {
            out += {'\\', 'u', '0', '0', digits[next >> 4], digits[next & 0xF]};
            rest.remove_prefix(2);
        } else {
            out += rest.front();
            rest.remove_prefix(1);
        }
    }
    return out;
}

/// Keys that every YAML reads as the same text without quotes.
bool plain_key(const std::string& name) {
    static constexpr std::array<std::string_view, 8> words{"y", "n", "yes", "no", "true", "false", "on", "off"};
    return !name.empty() && name != "null" && std::ranges::find(words, name) == words.end() &&
           std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == '-'; }) && name.front() != '-';
}

void yaml(const Tree& tree, std::size_t indent, std::string& out);

void yaml_value(const Tree& tree, std::size_t indent, std::string& out) {
    if (is_scalar(tree) || is_empty(tree)) {
        out += " " + yaml_text(to_json(tree)) + "\n";
    } else {
        out += "\n";
        yaml(tree, indent, out);
    }
}

void yaml(const Tree& tree, std::size_t indent, std::string& out) {
    const std::string margin(indent, ' ');
    for (const auto& [name, value] : tree.members) {
        out += margin + (plain_key(name) ? name : yaml_text(name)) + ":";
        yaml_value(value, indent + 2, out);
    }
    for (const Tree& item : tree.items) {
        const auto start = out.size();
        if (is_scalar(item) || is_empty(item)) {
            out += margin + "-";
            yaml_value(item, indent + 2, out);
        } else {
            yaml(item, indent + 2, out);
            out[start + indent] = '-';
        }
    }
}

// ---- Text

std::string inline_text(const Tree& tree) {
    switch (tree.form) {
        case Tree::Form::null: return "-";
        case Tree::Form::text: return one_line(tree.text);
        case Tree::Form::number: return tree.text;
        case Tree::Form::boolean: return tree.truth ? "true" : "false";
        case Tree::Form::list: {
            std::string line;
            for (const Tree& item : tree.items) line += (line.empty() ? "" : " ") + inline_text(item);
            return line.empty() ? "none" : line;
        }
        case Tree::Form::record: {
            std::string line;
            for (const auto& [name, value] : tree.members) line += (line.empty() ? "" : ", ") + name + " " + inline_text(value);
            return line.empty() ? "none" : line;
        }
    }
    return {};
}

/// Characters, so that columns stay aligned with names outside ASCII.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t columns) {
    return width(text) < columns ? text + std::string(columns - width(text), ' ') : text;
}

void append_line(std::string& out, std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
}

bool is_table(const Tree& tree) {
    return tree.form == Tree::Form::list && !tree.items.empty() &&
           std::ranges::all_of(tree.items, [](const Tree& item) { return item.form == Tree::Form::record && !item.members.empty(); });
}

std::string upper(std::string text) {
    for (char& c : text)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return text;
}

void text_table(const Tree& table, std::size_t indent, std::string& out) {
    std::vector<std::string> names;
    for (const Tree& row : table.items)
        for (const auto& [name, value] : row.members)
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    std::vector<std::vector<std::string>> rows{{}};
    for (const std::string& name : names) rows[0].push_back(upper(name));
    for (const Tree& row : table.items) {
        auto& cells = rows.emplace_back(names.size(), "-");
        for (const auto& [name, value] : row.members)
            cells[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())] = inline_text(value);
    }
    std::vector<std::size_t> widths(names.size(), 0);
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    for (const auto& row : rows) {
        std::string line(indent, ' ');
        for (std::size_t i = 0; i < row.size(); ++i) line += padded(row[i], widths[i] + 2);
        append_line(out, line);
    }
}

/// What does not read well on the line of its name: tables, long records, lists of phrases.
bool needs_block(const Tree& value) {
    constexpr std::size_t most_on_a_line = 4, longest_line = 100;
    const auto phrase = [](const Tree& item) { return item.form == Tree::Form::record || item.text.find(' ') != std::string::npos; };
    return is_table(value) || value.members.size() > most_on_a_line || std::ranges::any_of(value.items, phrase) ||
           (value.items.size() > 1 && width(inline_text(value)) > longest_line);
}

void text(const Tree& tree, std::size_t indent, std::string& out) {
    const std::string margin(indent, ' ');
    if (is_table(tree)) return text_table(tree, indent, out);
    if (tree.form == Tree::Form::list) {
        for (const Tree& item : tree.items) append_line(out, margin + inline_text(item));
        return;
    }
    if (tree.form != Tree::Form::record) return append_line(out, margin + inline_text(tree));
    std::size_t longest = 0;
    for (const auto& [name, value] : tree.members)
        if (!needs_block(value)) longest = std::max(longest, width(name));
    for (const auto& [name, value] : tree.members) {
        if (needs_block(value)) {
            append_line(out, margin + name);
            text(value, indent + 2, out);
        } else {
            append_line(out, margin + padded(name, longest + 2) + inline_text(value));
        }
    }
}

}  // namespace

std::optional<Format> parse_format(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, Format>, 3> formats{{{"text", Format::text}, {"json", Format::json}, {"yaml", Format::yaml}}};
    for (const auto& [known, format] : formats)
        if (known == name) return format;
    return std::nullopt;
}

std::string render(const Tree& tree, Format format) {
    std::string out;
    switch (format) {
        case Format::json: return to_json(tree).dump(2) + "\n";
        case Format::yaml:
            if (is_scalar(tree) || is_empty(tree)) return yaml_text(to_json(tree)) + "\n";
            yaml(tree, 0, out);
            return out;
        case Format::text: text(tree, 0, out); return out;
    }
    return out;
}

}  // namespace vmatrix::report
