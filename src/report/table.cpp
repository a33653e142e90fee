#include "report/table.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "report/one_line.hpp"

namespace vmatrix::report {
namespace {

std::string joined(const Cell& cell, std::string_view between, std::string (*escape)(std::string)) {
    std::string text;
    for (const std::string& part : cell) {
        if (&part != cell.data()) text += between;
        text += escape(part);
    }
    return text;
}

// ---- Markdown

bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// An underscore inside a word, as in the name of a variable, marks nothing and stays readable.
bool is_inside_word(std::string_view text, std::size_t at) { return at > 0 && at + 1 < text.size() && is_word(text[at - 1]) && is_word(text[at + 1]); }

bool marks_something(std::string_view text, std::size_t at) {
    static constexpr std::string_view anywhere = "\\`*[]|~$@", at_the_start = "#+-=>";
    const char c = text[at];
    if (c == '_') return !is_inside_word(text, at);
    if (c == ':') return text.substr(at).starts_with("://");   // an address would become a link
    return anywhere.find(c) != std::string_view::npos || (at == 0 && at_the_start.find(c) != std::string_view::npos);
}

std::string markdown_text(std::string raw) {
    const std::string text = one_line(std::move(raw));
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '<') out += "&lt;";
        else if (text[i] == '&') out += "&amp;";
        else out += (marks_something(text, i) ? "\\" : "") + std::string(1, text[i]);
    }
    return out;
}

std::string markdown_row(const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const std::string& cell : cells) line += " " + cell + (cell.empty() ? "|" : " |");
    return line + "\n";
}

/// An address between angle brackets ends with the first of these.
std::string markdown_address(const std::string& address) {
    std::string out;
    for (const char c : one_line(address)) out += c == '<' ? "%3C" : c == '>' ? "%3E" : c == ' ' ? "%20" : std::string(1, c);
    return out;
}

std::string markdown(const Table& table) {
    std::string out = "# " + markdown_text(table.title) + "\n\n";
    std::vector<std::string> head;
    for (const std::string& column : table.columns) head.push_back(markdown_text(column));
    out += markdown_row(head) + markdown_row(std::vector<std::string>(head.size(), "---"));
    for (const auto& row : table.rows) {
        std::vector<std::string> cells;
        for (const Cell& cell : row) cells.push_back(joined(cell, "<br>", markdown_text));
        out += markdown_row(cells);
    }
    for (const std::string& note : table.notes) out += "\n" + markdown_text(note) + "\n";
    if (!table.references.empty()) out += "\n## Sources\n\n";
    for (std::size_t i = 0; i < table.references.size(); ++i) {
        const auto& [name, title, address] = table.references[i];
        out += std::to_string(i + 1) + ". " + markdown_text(name) + ": " + markdown_text(title) + (address.empty() ? "" : " <" + markdown_address(address) + ">") + "\n";
    }
    return out;
}

// ---- CSV

std::string csv_field(std::string text) {
    static constexpr std::string_view formula = "=+-@", special = ",;\"";   // `;` separates fields for spreadsheets of some languages
    const auto first = text.find_first_not_of(' ');
    if (first != std::string::npos && formula.find(text[first]) != std::string_view::npos) text.insert(0, "'");
    if (text.find_first_of(special) == std::string::npos && !text.starts_with(' ') && !text.ends_with(' ')) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

std::string csv_line(const std::vector<std::string>& fields) {
    std::string line;
    for (const std::string& field : fields) line += (&field == fields.data() ? "" : ",") + csv_field(field);
    return line + "\r\n";
}

std::string csv(const Table& table) {
    std::vector<std::string> head;
    for (const std::string& column : table.columns) head.push_back(one_line(column));
    std::string out = csv_line(head);
    for (const auto& row : table.rows) {
        std::vector<std::string> fields;
        for (const Cell& cell : row) fields.push_back(joined(cell, "; ", one_line));
        out += csv_line(fields);
    }
    return out;
}

// ---- HTML

std::string html_text(std::string text) {
    std::string out;
    for (const char c : one_line(std::move(text))) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default: out += c;
        }
    }
    return out;
}

constexpr std::string_view style = R"(
body { font: 14px/1.35 sans-serif; margin: 1.5em; color: #111; background: #fff; }
h1 { font-size: 1.4em; }
h2 { font-size: 1.1em; }
table { border-collapse: collapse; width: 100%; }
th, td { border: 1px solid #888; padding: 0.25em 0.4em; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { background: #eee; }
tbody tr:nth-child(even) { background: #f7f7f7; }
ol { font-size: 0.85em; overflow-wrap: anywhere; }
@media print {
  @page { size: A3 landscape; margin: 1cm; }
  body { font-size: 8px; margin: 0; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
}
)";

std::string html_row(const std::vector<std::string>& cells, const std::string& tag) {
    std::string line = "<tr>";
    for (const std::string& cell : cells) line.append("<").append(tag).append(">").append(cell).append("</").append(tag).append(">");
    return line + "</tr>\n";
}

std::string html_table(const Table& table) {
    std::vector<std::string> head;
    for (const std::string& column : table.columns) head.push_back(html_text(column));
    std::string out = "<table>\n<thead>\n" + html_row(head, "th") + "</thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        std::vector<std::string> cells;
        for (const Cell& cell : row) cells.push_back(joined(cell, "<br>", html_text));
        out += html_row(cells, "td");
    }
    return out + "</tbody>\n</table>\n";
}

std::string html_references(const Table& table) {
    if (table.references.empty()) return {};
    std::string out = "<h2>Sources</h2>\n<ol>\n";
    for (const auto& [name, title, address] : table.references) {
        const std::string text = html_text(name) + ": " + html_text(title);
        out += address.starts_with("https://") ? "<li><a href=\"" + html_text(address) + "\">" + text + "</a></li>\n" : "<li>" + text + "</li>\n";
    }
    return out + "</ol>\n";
}

std::string html(const Table& table) {
    std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + html_text(table.title) + "</title>\n<style>";
    out.append(style).append("</style>\n</head>\n<body>\n<h1>").append(html_text(table.title)).append("</h1>\n").append(html_table(table));
    for (const std::string& note : table.notes) out.append("<p>").append(html_text(note)).append("</p>\n");
    return out + html_references(table) + "</body>\n</html>\n";
}

// ---- Trees

std::string cell_text(const Tree& tree) {
    if (tree.form == Tree::Form::boolean) return tree.truth ? "true" : "false";
    std::string text = tree.text;
    for (const Tree& item : tree.items) text += (text.empty() ? "" : ", ") + cell_text(item);
    for (const auto& [name, value] : tree.members) text += (text.empty() ? "" : ", ") + name + " " + cell_text(value);
    return text;
}

Cell to_cell(const Tree& tree) {
    if (tree.form != Tree::Form::list) return {cell_text(tree)};
    Cell cell;
    for (const Tree& item : tree.items) cell.push_back(cell_text(item));
    return cell;
}

}  // namespace

Table to_table(std::string title, const Tree& rows) {
    Table table;
    table.title = std::move(title);
    for (const Tree& row : rows.items)
        for (const auto& [name, value] : row.members)
            if (std::ranges::find(table.columns, name) == table.columns.end()) table.columns.push_back(name);
    for (const Tree& row : rows.items) {
        auto& cells = table.rows.emplace_back(table.columns.size());
        for (const auto& [name, value] : row.members) cells[static_cast<std::size_t>(std::ranges::find(table.columns, name) - table.columns.begin())] = to_cell(value);
    }
    return table;
}

std::optional<TableFormat> parse_table_format(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, TableFormat>, 3> formats{{{"markdown", TableFormat::markdown}, {"csv", TableFormat::csv}, {"html", TableFormat::html}}};
    for (const auto& [known, format] : formats)
        if (known == name) return format;
    return std::nullopt;
}

std::string render(const Table& table, TableFormat format) {
    switch (format) {
        case TableFormat::markdown: return markdown(table);
        case TableFormat::csv: return csv(table);
        case TableFormat::html: return html(table);
    }
    return {};
}

}  // namespace vmatrix::report
