#include "beside.hpp"

#include <algorithm>

#include "compat/facts.hpp"

namespace mutation {
namespace {

namespace compat = vmatrix::compat;
namespace model = vmatrix::model;
using vmatrix::model::Fact;
using vmatrix::model::Value;
using vmatrix::version::Version;

bool fit(const Fact& build, const Fact& other) {
    const auto a = build.text("accelerator"), b = other.text("accelerator");
    return a == b || a == "any" || b == "any";
}

}  // namespace

Beside::Beside(const model::Matrix& matrix) : matrix_(matrix) {
    for (const Fact* build : matrix.of("build")) builds_of_[matrix.find("release", build->parent)->text("component")].push_back(build);
}

bool Beside::decides(const Fact& build, std::string_view component) const {
    const Value* needs = build.find("requires");
    const bool needs_builds = needs && std::ranges::any_of(needs->members, [&](const model::Entry& need) { return builds_of_.contains(need.name); });
    return needs_builds && (component == "cuda" || component == "rocm" || component == "python" || builds_of_.contains(component));
}

const std::vector<Version>& Beside::versions(const Fact& build, std::string_view component) {
    std::string key = std::string(component) + " " + std::string(build.text("accelerator"));
    for (const auto& [name, set] : build.find("requires")->members) key += " " + name + set.text;
    const auto known = versions_.find(key);
    return known != versions_.end() ? known->second : versions_.emplace(std::move(key), found(build, component)).first->second;
}

std::vector<Version> Beside::found(const Fact& build, std::string_view component) const {
    std::vector<Version> all;
    const auto scheme = matrix_.scheme(component);
    if (!scheme) return all;
    for (const auto& [package, others] : builds_of_) {
        if (!build.find("requires", package)) continue;
        for (const Fact* other : others) {
            if (!fit(build, *other) || !allows(build, *other, component)) continue;
            for (const std::string_view text : versions_in(*other, component))
                if (auto version = Version::parse(*scheme, text)) all.push_back(std::move(*version));
        }
    }
    return all;
}

/// The Pythons that a build has wheels for, its own version, or that of what it brings.
std::vector<std::string_view> Beside::versions_in(const Fact& build, std::string_view component) const {
    const Fact& release = *matrix_.find("release", build.parent);
    if (component == "python") return build.texts("python");
    if (component == release.text("component")) return {release.text("version")};
    const Value* brought = build.find("bundles", component);
    return brought ? std::vector<std::string_view>{brought->text} : std::vector<std::string_view>{};
}

/// Whether what a build needs, but for one component, holds for another one.
bool Beside::allows(const Fact& build, const Fact& other, std::string_view component) const {
    return std::ranges::all_of(build.find("requires")->members, [&](const model::Entry& need) {
        if (need.name == component) return true;
        const auto scheme = matrix_.scheme(need.name);
        const auto texts = versions_in(other, need.name);
        return !scheme || texts.empty() || std::ranges::any_of(texts, [&](const std::string_view text) {
            const auto version = Version::parse(*scheme, text);
            return !version || compat::set_holds(build, "requires", need.name, *version);
        });
    });
}

}  // namespace mutation
