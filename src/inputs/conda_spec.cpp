#include "inputs/conda_spec.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "inputs/requirement.hpp"
#include "version/version_set.hpp"

namespace vmatrix::inputs {
namespace {

constexpr std::string_view operators = "=<>!~";

/// One bound: `1.2`, `1.2.*`, `1.2*`, `=1.2`, `==1.2`, `>=1`. `exact` is what a version without an operator means.
std::string to_clause(std::string_view bound, bool exact) {
    bound = base::trim(bound);
    const bool single = bound.starts_with('=') && !bound.starts_with("==");
    if (single) bound = base::trim(bound.substr(1));
    if (bound == "*" || bound.empty()) return "*";
    if (!single && operators.find(bound.front()) != std::string_view::npos) return std::string(bound);
    if (bound.ends_with(".*")) return "==" + std::string(bound);
    if (bound.ends_with('*')) return "==" + std::string(bound.substr(0, bound.size() - 1)) + ".*";
    constexpr auto full = 2;   // dots
    const bool whole = std::ranges::count(bound, '.') >= full;
    return "==" + std::string(bound) + (exact && !single ? "" : whole ? "" : ".*");
}

std::string to_versions(std::string_view text, bool exact) {
    std::vector<std::string> either;
    for (const std::string_view side : base::split(text, '|')) {
        std::vector<std::string> all;
        for (const std::string_view bound : base::split(side, ',')) all.push_back(to_clause(bound, exact));
        either.push_back(base::join(all, ","));
    }
    const std::string versions = base::join(either, " || ");
    return versions == "*" ? std::string() : versions;
}

/// "py3.11_cuda12.4_cudnn9.1.0_0" and "cuda126_py312h" tell the CUDA, "cpu_py312" that there is none.
std::string label_of_build(std::string_view build) {
    if (build.starts_with("cpu") || build.find("_cpu") != std::string_view::npos) return "cpu";
    const auto cuda = build.find("cuda");
    if (cuda == std::string_view::npos) return {};
    std::string label = "cu";
    for (const char c : build.substr(cuda + 4)) {
        if (c == '.') continue;
        if (c < '0' || c > '9') break;
        label += c;
    }
    return label.size() > 3 ? label : std::string();
}

}  // namespace

base::Result<CondaSpec> parse_conda_spec(std::string_view text) {
    text = base::trim(text);
    if (const auto channel = text.rfind("::"); channel != std::string_view::npos) text.remove_prefix(channel + 2);
    const auto name_end = std::min(text.find_first_of("=<>!~[ \t"), text.size());
    CondaSpec spec{std::string(text.substr(0, name_end)), {}, {}};
    if (const auto name = parse_requirement(spec.name); !name) return base::fail("`" + base::printable(spec.name, 40) + "` is no package that pip could have");
    auto rest = base::trim(text.substr(name_end));
    if (rest.starts_with('[')) return base::fail("brackets are not read here");
    const bool blank = name_end < text.size() && (text[name_end] == ' ' || text[name_end] == '\t');
    // A build stands behind a second `=`, or behind a second blank.
    const auto version_start = std::min(rest.find_first_not_of("=<>!~ \t"), rest.size());
    auto build = rest.find_first_of(blank ? "= \t" : "=", version_start);
    if (rest.find_first_of(",|<>") != std::string_view::npos) build = std::string_view::npos;   // several bounds have none
    if (build != std::string_view::npos) {
        spec.label = label_of_build(rest.substr(build + 1));
        rest = base::trim(rest.substr(0, build));
        spec.versions = "==" + std::string(base::trim(rest.substr(std::min(rest.find_first_not_of(operators), rest.size()))));
    } else {
        spec.versions = to_versions(rest, blank);
    }
    if (spec.versions.empty()) return spec;
    const auto set = version::VersionSet::parse(version::Scheme::pep440, spec.versions);
    if (!set) return base::fail(set.error().message);
    if (set->empty()) return base::fail("no version can be all of that");
    return spec;
}

}  // namespace vmatrix::inputs
