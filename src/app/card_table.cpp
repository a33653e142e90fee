#include "app/card_table.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "base/text.hpp"

namespace vmatrix::app {
namespace {

using model::Fact;
using model::Matrix;
using report::Cell;
using report::Table;
using report::TableFormat;
using report::Tree;

// ---- Words

std::string evidence(const CardRow& row) { return row.build.empty() ? "none" : std::string(to_string(row.level)); }

std::string stack_text(const CardRow& row, const std::string& package) { return row.build.empty() ? "none" : package + " " + row.build; }

std::string runtime_text(const CardRow& row) { return row.runtime + (row.runtime.empty() ? "" : " ") + row.runtime_version; }

/// The minor number of "3.12"; nothing for another text, "3.13t" say.
std::optional<int> minor_of(const std::string& python) {
    const auto dot = python.find('.');
    int minor = 0;
    const char* const end = python.data() + python.size();
    if (dot == std::string::npos) return std::nullopt;
    const auto [rest, problem] = std::from_chars(python.data() + dot + 1, end, minor);
    return problem == std::errc() && rest == end ? std::optional(minor) : std::nullopt;
}

bool follows(const std::string& python, const std::string& before) {
    const auto one = minor_of(before), next = minor_of(python);
    return one && next && *next == *one + 1 && python.substr(0, python.find('.')) == before.substr(0, before.find('.'));
}

/// "3.8, 3.10 to 3.14, 3.13t"
std::string python_text(const std::vector<std::string>& pythons) {
    std::vector<std::string> plain, others, parts;
    for (const std::string& python : pythons) (minor_of(python) ? plain : others).push_back(python);
    std::ranges::sort(plain, {}, [](const std::string& python) { return std::pair(python.substr(0, python.find('.')), minor_of(python)); });
    for (std::size_t first = 0, end = 0; first < plain.size(); first = end) {
        for (end = first + 1; end < plain.size() && follows(plain[end], plain[end - 1]);) ++end;
        constexpr std::size_t least = 3;   // two are named as shortly as a range
        if (end - first < least) end = first + 1;
        parts.push_back(plain[first] + (end - first < least ? "" : " to " + plain[end - 1]));
    }
    std::ranges::move(others, std::back_inserter(parts));
    return base::join(parts, ", ");
}

/// "nvidia from 525.60.13 (expected), from 560.35.05 (supported), last branch 580"
Cell driver_cell(const CardRow& row) {
    Cell cell;
    for (const auto& [version, level] : row.least_drivers) cell.push_back(row.driver_component + " from " + version + " (" + std::string(to_string(level)) + ")");
    if (!row.last_branch.empty()) cell.push_back("last branch " + row.last_branch);
    return cell;
}

std::string image_text(const CardRow& row) { return row.image + (row.image_holds.empty() ? "" : " (" + row.image_holds + ")"); }

Cell optional_cell(const std::string& text) { return text.empty() ? Cell() : Cell{text}; }

Cell few_cards(const CardRow& row) {
    constexpr std::size_t most = 6;
    Cell cell(row.cards.begin(), row.cards.begin() + static_cast<std::ptrdiff_t>(std::min(most, row.cards.size())));
    if (row.cards.size() > most) cell.push_back("and " + std::to_string(row.cards.size() - most) + " more");
    return cell;
}

// ---- Sources

/// Every source that some row cites, numbered in the order of the rows.
class Sources {
public:
    Sources(const Matrix& matrix, const std::vector<CardRow>& rows) {
        for (const CardRow& row : rows)
            for (const std::string& citation : row.citations.sources) add(matrix, std::string(model::parse_citation(citation).source));
    }

    [[nodiscard]] const std::vector<report::Reference>& all() const { return references_; }
    /// "1, 4, 7"
    [[nodiscard]] std::string numbers(const CardRow& row) const {
        std::vector<std::size_t> numbers;
        for (const std::string& citation : row.citations.sources)
            if (const auto found = numbers_.find(model::parse_citation(citation).source); found != numbers_.end()) numbers.push_back(found->second);
        std::ranges::sort(numbers);
        const auto repeated = std::ranges::unique(numbers);
        numbers.erase(repeated.begin(), repeated.end());
        std::vector<std::string> texts;
        for (const std::size_t number : numbers) texts.push_back(std::to_string(number));
        return base::join(texts, ", ");
    }

private:
    void add(const Matrix& matrix, const std::string& id) {
        if (const auto [entry, fresh] = numbers_.try_emplace(id, references_.size() + 1); !fresh) return;
        const Fact* source = matrix.find("source", id);
        const std::string repository(source ? source->text("repository") : ""), address(source ? source->text("address") : "");
        references_.push_back({id, std::string(source ? source->text("title") : ""), address.empty() && !repository.empty() ? "https://github.com/" + repository : address});
    }

    std::map<std::string, std::size_t, std::less<>> numbers_;
    std::vector<report::Reference> references_;
};

std::vector<std::string> notes() {
    return {"Evidence: supported is documented by the vendor, or built for exactly this; expected follows from general rules; workaround runs only with something that is not supported; unknown lacks a fact.",
            "Driver: the oldest that does and, where that is a newer one, the oldest with the evidence of the row.",
            "No host was named: a driver, a Python or an operating system of your own can change a row. vmatrix resolve answers for a host."};
}

// ---- Records

Tree texts(const std::vector<std::string>& values) {
    Tree list = Tree::list();
    for (const std::string& value : values) list.items.push_back(Tree::of(value));
    return list;
}

Tree text_or_null(const std::string& text) { return text.empty() ? Tree() : Tree::of(text); }

Tree driver_record(const CardRow& row) {
    Tree record = Tree::record(), least = Tree::list();
    for (const auto& [version, level] : row.least_drivers) {
        Tree one = Tree::record();
        least.items.push_back(std::move(one.set("version", version).set("evidence", std::string(to_string(level)))));
    }
    return std::move(record.set("component", row.driver_component).set("least", std::move(least)).set("last_branch", text_or_null(row.last_branch)));
}

Tree full_record(const CardRow& row) {
    Tree record = Tree::record();
    record.set("cards", texts(row.cards)).set("architecture", row.architecture).set("title", row.title).set("vendor", row.vendor).set("platform", row.platform);
    record.set("evidence", row.build.empty() ? Tree() : Tree::of(evidence(row))).set("build", text_or_null(row.build));
    record.set("runtime", text_or_null(row.runtime)).set("runtime_version", text_or_null(row.runtime_version)).set("python", texts(row.pythons));
    record.set("driver", driver_record(row)).set("other_builds", texts(row.other_builds)).set("last_release", text_or_null(row.last_release));
    record.set("image", text_or_null(row.image)).set("image_holds", text_or_null(row.image_holds)).set("known_bad", texts(row.known_bad));
    return std::move(record.set("facts", texts(row.citations.facts)).set("sources", texts(row.citations.sources)));
}

Tree brief_record(const CardRow& row) {
    const auto dash = [](std::string text) { return text.empty() ? std::string("-") : std::move(text); };
    Tree record = Tree::record();
    record.set("architecture", row.title).set("card", row.cards.front()).set("build", dash(row.build)).set("python", dash(python_text(row.pythons)));
    record.set("driver", dash(row.least_drivers.empty() ? "" : row.least_drivers.front().version)).set("last-branch", dash(row.last_branch));
    return std::move(record.set("evidence", evidence(row)).set("last-release", dash(row.last_release)));
}

Tree known_bad(const std::vector<CardRow>& rows) {
    constexpr std::size_t widest = 160;
    Tree list = Tree::list();
    for (const CardRow& row : rows)
        for (const std::string& text : row.known_bad) list.items.push_back(std::move(Tree::record().set("architecture", row.architecture).set("what", base::printable(text, widest))));
    return list;
}

Tree source_records(const Sources& sources) {
    Tree list = Tree::list();
    for (const auto& [name, title, address] : sources.all()) {
        Tree record = Tree::record();
        list.items.push_back(std::move(record.set("id", name).set("title", title).set("address", text_or_null(address))));
    }
    return list;
}

}  // namespace

Table card_table(const Matrix& matrix, const std::string& package, const std::vector<CardRow>& rows, TableFormat format) {
    const Sources sources(matrix, rows);
    const bool wall = format != TableFormat::csv;
    Table table{package + " by card: what works together, and what does not", notes(), {}, {}, wall ? sources.all() : std::vector<report::Reference>{}};
    table.columns = {"cards", "architecture", "platform", "newest stack", "runtime", "python", "driver", "evidence", "other builds", "last release", "image", "known bad"};
    if (format != TableFormat::markdown) table.columns.emplace_back("facts");
    table.columns.emplace_back("sources");
    for (const CardRow& row : rows) {
        std::vector<Cell> cells{wall ? few_cards(row) : row.cards, {row.title}, {row.platform}, {stack_text(row, package)}, optional_cell(runtime_text(row)),
                                optional_cell(python_text(row.pythons)), driver_cell(row), {evidence(row)}, optional_cell(base::join(row.other_builds, ", ")),
                                optional_cell(row.last_release), optional_cell(image_text(row)), row.known_bad};
        if (format != TableFormat::markdown) cells.push_back(wall ? optional_cell(base::join(row.citations.facts, ", ")) : row.citations.facts);   // a wall has no room for a line each
        cells.push_back(wall ? optional_cell(sources.numbers(row)) : row.citations.sources);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Tree card_tree(const Matrix& matrix, const std::string& package, const std::vector<CardRow>& rows, bool brief) {
    Tree answer = Tree::record(), records = Tree::list();
    for (const CardRow& row : rows) records.items.push_back(brief ? brief_record(row) : full_record(row));
    answer.set("package", package).set("rows", std::move(records));
    if (brief) answer.set("known-bad", known_bad(rows));
    else answer.set("sources", source_records(Sources(matrix, rows)));
    return answer;
}

}  // namespace vmatrix::app
