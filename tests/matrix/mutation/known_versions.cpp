#include "known_versions.hpp"

#include <algorithm>

#include "compat/facts.hpp"

namespace mutation {
namespace {

namespace base = vmatrix::base;
namespace compat = vmatrix::compat;
namespace model = vmatrix::model;
using vmatrix::model::Fact;
using vmatrix::version::Scheme;
using vmatrix::version::Version;
using vmatrix::version::VersionSet;

/// Where the versions stand in a set: ">=2.6,<2.8" has two.
struct Bound {
    std::size_t begin, end;
};
std::vector<Bound> bounds_of(const std::string& set) {
    std::vector<Bound> bounds;
    constexpr std::string_view outside = "<>=!~,| ";
    for (std::size_t at = set.find_first_not_of(outside); at != std::string::npos; at = set.find_first_not_of(outside, at)) {
        const auto end = std::min(set.find_first_of(outside, at), set.size());
        if (set[at] != '*') bounds.push_back({at, end});
        at = end;
        if (at == set.size()) break;
    }
    return bounds;
}

/// A set without the version of one of its bounds: ">=" and ",<2.8" of ">=2.6,<2.8".
struct Gap {
    std::string before, version, after;

    Gap(const std::string& set, Bound bound) : before(set.substr(0, bound.begin)), version(set.substr(bound.begin, bound.end - bound.begin)), after(set.substr(bound.end)) {
        if (!version.ends_with(".*")) return;
        version.resize(version.size() - 2);
        after = ".*" + after;
    }
    [[nodiscard]] bool is_wildcard() const { return after.starts_with(".*"); }
    [[nodiscard]] std::string filled(const std::string& other) const { return before + other + after; }
};

bool tell_apart(Scheme scheme, const std::string& one, const std::string& other, const std::vector<Version>& versions) {
    const auto a = VersionSet::parse(scheme, one), b = VersionSet::parse(scheme, other);
    return a && b && std::ranges::any_of(versions, [&](const Version& version) { return a->contains(version) != b->contains(version); });
}

void sort_unique(std::vector<Version>& versions) {
    std::ranges::stable_sort(versions, [](const Version& a, const Version& b) { return a < b; });
    const auto rest = std::ranges::unique(versions);
    versions.erase(rest.begin(), rest.end());
}

}  // namespace

bool known_less(const std::string& a, const std::string& b) { return compat::dotted(a) < compat::dotted(b); }

KnownVersions::KnownVersions(const model::Matrix& matrix) : matrix_(matrix) {
    for (const Fact& fact : matrix.facts()) {
        const auto component = fact.text("component");
        if (fact.kind->name == "release") add(component, fact.text("version"), true);
        for (const char* const field : {"branch", "latest", "first", "driver"})
            if (fact.kind->name.starts_with("driver-")) add(component, fact.text(field), false);
        if (fact.kind->name == "driver-kernel")
            for (const char* const field : {"works-to", "fails-from"}) add("kernel", fact.text(field), false);
        if (fact.kind->name == "architecture") add("compute-capability", fact.text("compute-capability"), true);
        if (fact.kind->name == "platform-tag" && fact.text("libc") == "glibc") add("glibc", fact.text("least-libc"), false);
        if (fact.kind->name == "python-release") add("python", fact.text("version"), true);
        for (const auto& [name, value] : fact.fields) {
            const auto* field = fact.kind->field(name);
            if (!field) continue;
            for (const auto& [key, entry] : value.members)
                if (field->type == model::Type::version_map) add(key, entry.text, false);
                else if (field->type == model::Type::set_map) add_bounds(key, entry.text);
        }
    }
    for (const char* const count : {"1", "2", "3"}) add("cards", count, true);
    for (auto& [name, component] : components_) {
        sort_unique(component.releases);
        sort_unique(component.mentioned);
    }
}

void KnownVersions::add(std::string_view component, std::string_view version, bool release) {
    const bool number = component == "compute-capability" || component == "cards" || component == "kernel";
    const auto scheme = number ? Scheme::dotted : matrix_.scheme(component);
    auto parsed = scheme && *scheme != Scheme::opaque ? Version::parse(*scheme, version) : base::fail("");
    if (!parsed) return;
    Component& known = components_.try_emplace(std::string(component), Component{*scheme, {}, {}}).first->second;
    known.mentioned.push_back(*parsed);
    if (release) known.releases.push_back(std::move(*parsed));
}

void KnownVersions::add_bounds(std::string_view component, std::string_view set) {
    const std::string text(set);
    for (const Bound bound : bounds_of(text)) add(component, Gap(text, bound).version, false);
}

std::vector<std::string> KnownVersions::neighbours(const std::string& component, const std::string& version, Exactness exactness, const std::function<bool(const Version&)>& matters) const {
    const auto found = components_.find(component);
    const auto own = found == components_.end() ? base::fail("") : Version::parse(found->second.scheme, version);
    if (!own) return {};
    std::optional<Version> before, after;
    for (Version other : found->second.releases.empty() ? found->second.mentioned : found->second.releases) {
        if (exactness == Exactness::as_written) other = compat::cut(other, *own);
        if (matters && !matters(other)) continue;
        if (other < *own) before = other;
        if (*own < other && !after) after = other;
    }
    std::vector<std::string> all;
    for (const auto& one : {before, after})
        if (one) all.push_back(one->str());
    return all;
}

std::vector<std::string> KnownVersions::moved_sets(const std::string& component, const std::string& set) const {
    std::vector<std::string> all;
    const auto found = components_.find(component);
    if (found == components_.end()) return all;
    for (const Bound bound : bounds_of(set)) {
        const Gap gap(set, bound);
        for (const std::string& other : neighbours(component, gap.version, gap.is_wildcard() ? Exactness::as_written : Exactness::full))
            if (tell_apart(found->second.scheme, set, gap.filled(other), found->second.mentioned)) all.push_back(gap.filled(other));
    }
    return all;
}

std::vector<std::string> KnownVersions::moved_sets(const std::string& component, const std::string& set, std::vector<Version> among) const {
    std::vector<std::string> all;
    const auto found = components_.find(component);
    if (found == components_.end()) return all;
    const Scheme scheme = found->second.scheme;
    sort_unique(among);
    for (const Bound bound : bounds_of(set)) {
        const Gap gap(set, bound);
        const auto own = Version::parse(scheme, gap.version);
        if (!own) continue;
        std::vector<Version> candidates = among;
        if (gap.is_wildcard())
            for (Version& candidate : candidates) candidate = compat::cut(candidate, *own);
        const auto first_difference = [&](const auto& begin, const auto& end) {
            const auto other = std::find_if(begin, end, [&](const Version& version) { return version != *own && tell_apart(scheme, set, gap.filled(version.str()), among); });
            if (other != end) all.push_back(gap.filled(other->str()));
        };
        const auto middle = std::ranges::lower_bound(candidates, *own, [](const Version& a, const Version& b) { return a < b; });
        first_difference(std::make_reverse_iterator(middle), candidates.rend());
        first_difference(middle, candidates.end());
    }
    return all;
}

}  // namespace mutation
