/// A table that leaves the program: as Markdown for a wiki, CSV for a spreadsheet, HTML for a browser or a wall. Whatever the
/// texts hold, they come out as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/tree.hpp"

namespace vmatrix::report {

using Cell = std::vector<std::string>;    ///< texts that stand below each other

/// Where the table's statements come from; rows name it by its number, from 1.
struct Reference {
    std::string name, title, address;     ///< address: empty, or begins with https://
};

struct Table {
    std::string title;
    std::vector<std::string> notes;       ///< sentences about the whole table
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;  ///< each has a cell for each column
    std::vector<Reference> references;
};

/// A list of records: a column for each name that one of them has, the items of a list below each other.
[[nodiscard]] Table to_table(std::string title, const Tree& rows);

enum class TableFormat { markdown, csv, html };

[[nodiscard]] std::optional<TableFormat> parse_table_format(std::string_view name);

/// Markdown is a pipe table, HTML one file without scripts or anything that is loaded. CSV (RFC 4180) has the columns and rows
/// only, with "; " between the texts of a cell, and an apostrophe before what a spreadsheet would take for a formula.
[[nodiscard]] std::string render(const Table& table, TableFormat format);

}  // namespace vmatrix::report
