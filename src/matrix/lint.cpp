#include "matrix/lint.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "version/version.hpp"

namespace vmatrix::matrix {
namespace {

using model::Fact;
using model::Matrix;
using model::Value;

std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

/// A source that nobody cites is a leftover, and one without an address cannot be looked up.
void check_sources(const Matrix& matrix, base::Findings& findings) {
    std::unordered_set<std::string_view> cited;
    for (const Fact& fact : matrix.facts()) {
        for (const std::string_view citation : fact.texts("source")) cited.insert(model::parse_citation(citation).source);
        if (const Value* claims = fact.find("claims"))
            for (const Value& claim : claims->items)
                if (const Value* sources = claim.find("source"))
                    for (const Value& citation : sources->items) cited.insert(model::parse_citation(citation.text).source);
    }
    const bool all_read = findings.errors() == 0;   // else a fact that cites it may be among those that could not be read
    for (const Fact* source : matrix.of("source")) {
        if (all_read && !cited.contains(source->id)) findings.warning("unused-source", source->at, "no fact cites the source " + quoted(source->id), "remove it");
        if (!source->find("address") && !source->find("repository"))
            findings.error("no-address", source->at, "the source " + quoted(source->id) + " has neither `address` nor `repository`", "say where it can be read");
    }
}

/// `unconfirmed` and `derived` speak of values that are there.
void check_confidence(const Fact& fact, base::Findings& findings) {
    for (const std::string_view list : {"unconfirmed", "derived"}) {
        const Value* names = fact.find(list);
        if (!names) continue;
        for (const Value& name : names->items)
            if (fact.kind->field(name.text) && !fact.find(name.text) && name.text != "builds")
                findings.error("not-stated", fact.position(name), quoted(list) + " names `" + name.text + "`, which " + quoted(fact.id) + " does not state", "remove the name, or state the field");
    }
    if (fact.find("derived") && !fact.find("derived-by") && !fact.find("note"))
        findings.error("no-rule", fact.at, "a fact with `derived` fields says how they were worked out", "add `derived-by`, or a `note`");
}

void check_gpus(const Matrix& matrix, base::Findings& findings) {
    std::unordered_map<std::string_view, const Fact*> owner;
    for (const Fact* gpu : matrix.of("gpu")) {
        const Fact* vendor = matrix.find("vendor", gpu->text("vendor"));
        const Value* ids = gpu->find("pci");
        if (!ids || !vendor) continue;
        for (const Value& id : ids->items) {
            if (!std::string_view(id.text).starts_with(vendor->text("pci")))
                findings.error("foreign-pci-id", gpu->position(id), "`" + id.text + "` is not a PCI id of " + std::string(vendor->text("title")), "it begins with \"" + std::string(vendor->text("pci")) + ":\"");
            const auto [known, fresh] = owner.emplace(id.text, gpu);
            if (!fresh && known->second->text("architecture") != gpu->text("architecture"))
                findings.error("contradiction", gpu->position(id), "`" + id.text + "` is " + std::string(gpu->text("architecture")) + " here and " +
                               std::string(known->second->text("architecture")) + " in " + to_string(known->second->at), "tell them apart by revision or subsystem");
        }
    }
}

void check_default_builds(const Matrix& matrix, base::Findings& findings) {
    for (const Fact* release : matrix.of("release")) {
        const Value* wanted = release->find("default-build");
        if (!wanted) continue;
        const auto builds = matrix.nested(*release);
        if (std::ranges::none_of(builds, [&](const Fact* build) { return build->text("build") == wanted->text; }))
            findings.error("no-such-build", release->position(*wanted), "this release has no build `" + wanted->text + "`", "add the build, or correct the name");
    }
}

/// "2.0" and "2.0.0" have ids of their own and are one version all the same.
void check_equal_versions(const Matrix& matrix, base::Findings& findings) {
    std::map<std::pair<std::string_view, std::string>, const Fact*> known;
    for (const Fact* release : matrix.of("release")) {
        const auto component = release->text("component");
        const auto scheme = matrix.scheme(component);
        const auto version = scheme ? version::Version::parse(*scheme, release->text("version")) : base::fail("");
        if (!version) continue;   // reported by check()
        const auto [other, fresh] = known.emplace(std::pair(component, version->key()), release);
        if (!fresh)
            findings.error("equal-version", release->position(*release->find("version")), quoted(version->str()) + " is the same version of " + std::string(component) + " as " +
                           quoted(other->second->text("version")) + " in " + to_string(other->second->at), "merge the two");
    }
}

}  // namespace

void lint(const Matrix& matrix, base::Findings& findings) {
    check_sources(matrix, findings);
    for (const Fact& fact : matrix.facts()) check_confidence(fact, findings);
    check_gpus(matrix, findings);
    check_default_builds(matrix, findings);
    check_equal_versions(matrix, findings);
}

}  // namespace vmatrix::matrix
