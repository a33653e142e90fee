#include "shipped.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/matrix_folder.hpp"
#include "compat/rules/rules.hpp"

namespace mutation {
namespace {

constexpr std::array unread_kinds{"source", "claim", "documented", "wheel-index", "advice"};
constexpr std::array unread_fields{"source", "note", "claims", "unconfirmed", "derived-by", "date", "end", "pins", "host-compilers", "commit", "packaging", "guide", "advice"};

template <class List>
bool has(const List& list, std::string_view word) { return std::ranges::find(list, word) != list.end(); }

Fact without_unread(const Fact& fact) {
    Fact lean = fact;
    std::erase_if(lean.fields.all(), [](const auto& entry) { return has(unread_fields, entry.name); });
    return lean;
}

}  // namespace

Shipped::Shipped(const std::string& folder) {
    auto loaded = vmatrix::app::load_matrix(folder);
    if (!loaded) throw std::runtime_error(loaded.error().message);
    if (loaded->findings.errors() > 0) throw std::runtime_error(folder + " has mistakes: run `vmatrix matrix lint`");
    whole_ = std::move(loaded->matrix);
    whole_.unpack();   // threads share it
    for (const Fact* build : whole_.of("build")) {
        package_of_build_[build] = whole_.find("release", build->parent)->text("component");
        needs_[package_of_build_[build]];
    }
    for (const Fact* build : whole_.of("build"))
        if (const auto* needed = build->find("requires"))
            for (const auto& [component, versions] : needed->members)
                if (needs_.contains(component)) needs_[package_of_build_[build]].insert(component);
    keep_one_build_of_each_architecture();
    for (const Fact& fact : whole_.facts())
        if (!has(unread_kinds, fact.kind->name)) lean_.emplace(&fact, without_unread(fact));
}

/// A rule asks whether any build at all has code for a card.
void Shipped::keep_one_build_of_each_architecture() {
    std::set<std::string_view> seen;
    for (const Fact* build : whole_.of("build"))
        for (const auto architecture : build->texts("architectures"))
            if (seen.insert(architecture).second) in_all_parts_.insert({build, whole_.find("release", build->parent)});
}

void Shipped::add_package(std::set<std::string>& packages, const std::string& package) const {
    const auto found = needs_.find(package);
    if (found == needs_.end() || !packages.insert(package).second) return;
    for (const std::string& needed : found->second) add_package(packages, needed);
}

Part Shipped::part_of(const Ask& ask) const {
    Part part;
    part.images = ask.request.image.has_value() || ask.command != "check";
    for (const auto& spec : ask.request.specs) add_package(part.packages, spec.name);
    const Fact* image = ask.request.image ? vmatrix::compat::find_image(whole_, *ask.request.image) : nullptr;
    if (const auto* bundles = image ? image->find("bundles") : nullptr)
        for (const auto& [component, version] : bundles->members) add_package(part.packages, component);
    if (ask.command != "check" && part.packages.empty() && ask.request.specs.empty()) add_package(part.packages, "torch");
    return part;
}

bool Shipped::belongs(const Fact& fact, const Part& part) const {
    const auto kind = fact.kind->name;
    if (in_all_parts_.contains(&fact)) return true;
    if (kind == "build") return part.packages.contains(package_of_build_.at(&fact));
    if (kind == "release") return !needs_.contains(std::string(fact.text("component"))) || part.packages.contains(std::string(fact.text("component")));
    return part.images || (kind != "image" && kind != "digest");
}

const std::vector<const Fact*>& Shipped::facts_of(const Part& part) const {
    const std::scoped_lock lock(mutex_);
    const auto [found, fresh] = facts_of_.try_emplace(part);
    if (fresh)
        for (const Fact& fact : whole_.facts())
            if (lean_.contains(&fact) && belongs(fact, part)) found->second.push_back(&fact);
    return found->second;
}

Matrix Shipped::cut(const Part& part, const Changes& changes) const {
    Matrix matrix;
    for (const Fact* fact : facts_of(part)) {
        const auto change = changes.find(fact);
        if (change == changes.end()) matrix.add(lean(*fact));
        else if (change->second) matrix.add(*change->second);
    }
    return matrix;
}

}  // namespace mutation
