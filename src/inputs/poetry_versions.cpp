#include "inputs/poetry_versions.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace vmatrix::inputs {
namespace {

constexpr std::string_view operators = "=<>!~^";

/// The numbers up to `last`, the last of them one higher: 2.6.1 up to the second is 2.7. Nothing for what has no such number.
std::string next(std::string_view version, std::size_t last) {
    const auto parts = base::split(version.substr(0, version.find_first_not_of("0123456789.")), '.');
    constexpr std::size_t longest = 9;   // digits of a number that a sum can hold
    std::string text;
    for (std::size_t i = 0; i <= last && i < parts.size(); ++i) {
        if (parts[i].empty() || parts[i].size() > longest) return {};
        text += (i == 0 ? "" : ".") + (i == last ? std::to_string(std::stoul(std::string(parts[i])) + 1) : std::string(parts[i]));
    }
    return last < parts.size() ? text : std::string();
}

/// The first number that is not zero, for `^`: what stands before it may not change.
std::size_t leading(std::string_view version) {
    const auto parts = base::split(version.substr(0, version.find_first_not_of("0123456789.")), '.');
    const auto found = std::ranges::find_if(parts, [](std::string_view part) { return part.find_first_not_of('0') != std::string_view::npos; });
    return found == parts.end() ? parts.size() - 1 : static_cast<std::size_t>(found - parts.begin());
}

/// `bound` itself, which PEP 440 will refuse, where its version is none.
std::string range(std::string_view bound, std::string_view version, std::size_t last) {
    const std::string end = next(version, last);
    return end.empty() ? std::string(bound) : ">=" + std::string(version) + ",<" + end;
}

std::string to_clause(std::string_view bound) {
    if (bound == "*") return "*";
    if (bound.starts_with('^')) return range(bound, base::trim(bound.substr(1)), leading(base::trim(bound.substr(1))));
    if (bound.starts_with('~') && !bound.starts_with("~=")) {
        const auto version = base::trim(bound.substr(1));
        return range(bound, version, version.find('.') == std::string_view::npos ? 0 : 1);
    }
    if (bound.starts_with('=') && !bound.starts_with("==")) return "=" + std::string(bound);
    return (operators.find(bound.front()) == std::string_view::npos ? "==" : "") + std::string(bound);
}

/// Bounds stand behind commas or blanks; a blank behind an operator is none of those.
std::vector<std::string> bounds(std::string_view text) {
    std::vector<std::string> all;
    bool open = false;   // the last one still wants its version
    for (const std::string_view part : base::split(text, ','))
        for (const std::string_view word : base::split(part, ' ')) {
            if (base::trim(word).empty()) continue;
            if (open) all.back() += base::trim(word);
            else all.emplace_back(base::trim(word));
            open = word.find_first_not_of(operators) == std::string_view::npos;
        }
    return all;
}

}  // namespace

std::string from_poetry(std::string_view text) {
    std::vector<std::string> either;
    for (const std::string_view side : base::split(text, '|')) {
        if (base::trim(side).empty()) continue;   // `||` and `|` are the same
        std::vector<std::string> all;
        for (const std::string& bound : bounds(side)) all.push_back(to_clause(bound));
        either.push_back(base::join(all, ","));
    }
    const std::string versions = base::join(either, " || ");
    return versions == "*" ? std::string() : versions;
}

}  // namespace vmatrix::inputs
