/// `matrix table`: the rows of cards for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "app/card_rows.hpp"
#include "report/table.hpp"
#include "report/tree.hpp"

namespace vmatrix::app {

/// As Markdown and HTML a wall has few names of cards, and numbers of sources; as CSV a program has all of them.
[[nodiscard]] report::Table card_table(const model::Matrix& matrix, const std::string& package, const std::vector<CardRow>& rows, report::TableFormat format);

/// `brief`: the columns that fit a screen.
[[nodiscard]] report::Tree card_tree(const model::Matrix& matrix, const std::string& package, const std::vector<CardRow>& rows, bool brief);

}  // namespace vmatrix::app
