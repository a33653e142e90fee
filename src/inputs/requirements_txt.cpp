#include <string>

#include "base/text.hpp"
#include "inputs/kinds.hpp"
#include "inputs/pip_lines.hpp"

namespace vmatrix::inputs {
namespace {

/// A comment begins a line or stands behind a blank.
std::string_view without_comment(std::string_view line) {
    for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1))
        if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
    return line;
}

}  // namespace

base::Result<void> read_requirements(std::string_view text, Collector& found) {
    PipLines lines(found);
    std::string joined;
    base::Position start;
    std::size_t number = 0;
    const auto flush = [&]() -> base::Result<void> {
        auto added = lines.add(joined, start);
        joined.clear();
        return added;
    };
    for (std::string_view line : base::split(text, '\n')) {
        ++number;
        if (line.ends_with('\r')) line.remove_suffix(1);
        const auto first = line.find_first_not_of(" \t");
        if (first != std::string_view::npos && line[first] == '#') continue;   // also between lines that are continued
        if (base::trim(joined).empty() && first != std::string_view::npos) start = found.at(number, base::characters(line.substr(0, first)) + 1);
        const bool continued = line.ends_with('\\');
        joined += without_comment(continued ? line.substr(0, line.size() - 1) : line);
        if (continued) continue;
        if (auto added = flush(); !added) return added;
    }
    if (auto added = flush(); !added) return added;   // the last line may end with a backslash
    lines.finish();
    return {};
}

}  // namespace vmatrix::inputs
