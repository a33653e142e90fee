#include "matrix/lint.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <optional>
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
        const auto& builds = matrix.nested(*release);
        if (std::ranges::none_of(builds, [&](const Fact* build) { return build->text("build") == wanted->text; }))
            findings.error("no-such-build", release->position(*wanted), "this release has no build `" + wanted->text + "`", "add the build, or correct the name");
    }
}

void check_vendors(const Matrix& matrix, base::Findings& findings) {
    std::unordered_map<std::string_view, const Fact*> owner;
    for (const Fact* vendor : matrix.of("vendor")) {
        const Value* id = vendor->find("pci");
        if (!id) continue;
        const auto [known, fresh] = owner.emplace(id->text, vendor);
        if (!fresh) findings.error("contradiction", vendor->position(*id), "the PCI vendor id `" + id->text + "` is that of " + quoted(known->second->id) + " in " + to_string(known->second->at), "correct one of them");
    }
}

/// What a fact refers to is another fact, and of the same maker.
void check_reference(const Matrix& matrix, const Fact& fact, const model::Field& field, const Value& value, base::Findings& findings) {
    if (field.target == fact.kind->name && value.text == fact.id)
        findings.error("refers-to-itself", fact.position(value), quoted(field.name) + " of " + quoted(fact.id) + " names the fact itself", "name another one, or remove it");
    const Fact* target = matrix.find(field.target, value.text);
    const auto vendor = fact.text("vendor"), other = target ? target->text("vendor") : std::string_view();
    if (!other.empty() && vendor != other && matrix.find("vendor", vendor))
        findings.error("other-vendor", fact.position(value), quoted(value.text) + " is of " + std::string(other) + ", " + quoted(fact.id) + " of " + std::string(vendor), "correct one of them");
}

void check_references(const Matrix& matrix, const Fact& fact, base::Findings& findings) {
    for (const auto& [name, value] : fact.fields) {
        const model::Field* field = fact.kind->field(name);
        if (!field || field->type != model::Type::reference) continue;
        if (!field->list) check_reference(matrix, fact, *field, value, findings);
        for (const Value& item : value.items) check_reference(matrix, fact, *field, item, findings);
    }
}

/// Fields of which the second cannot come before the first.
struct Order {
    std::string_view first, second;
    bool may_be_equal = true;
};
constexpr std::array orders{
    Order{"date", "end"},   Order{"date", "bugfix-end"}, Order{"bugfix-end", "end"},  Order{"end", "extended-end"},
    Order{"seen", "last-seen"}, Order{"date", "latest-date"}, Order{"first", "latest"}, Order{"works-to", "fails-from", false},
};

/// Dates as exactly as both are known.
std::weak_ordering compare_dates(std::string_view a, std::string_view b) {
    const auto exact = std::min(a.size(), b.size());
    return a.substr(0, exact) <=> b.substr(0, exact);
}

std::optional<std::weak_ordering> compare(model::Type type, std::string_view a, std::string_view b) {
    if (type == model::Type::date) return compare_dates(a, b);
    const auto first = version::Version::parse(version::Scheme::dotted, a), second = version::Version::parse(version::Scheme::dotted, b);
    if (!first || !second) return std::nullopt;   // reported by check()
    return *first <=> *second;
}

void check_order(const Fact& fact, base::Findings& findings) {
    for (const auto& [first, second, may_be_equal] : orders) {
        const Value *a = fact.find(first), *b = fact.find(second);
        if (!a || !b) continue;
        const auto order = compare(fact.kind->field(first)->type, a->text, b->text);
        if (order && (*order > 0 || (*order == 0 && !may_be_equal)))
            findings.error("wrong-order", fact.position(*b), quoted(second) + " " + b->text + (may_be_equal ? " is before " : " is not above ") + quoted(first) + " " + a->text, "correct one of them");
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
    for (const Fact& fact : matrix.facts()) {
        check_confidence(fact, findings);
        check_references(matrix, fact, findings);
        check_order(fact, findings);
    }
    check_vendors(matrix, findings);
    check_gpus(matrix, findings);
    check_default_builds(matrix, findings);
    check_equal_versions(matrix, findings);
}

}  // namespace vmatrix::matrix
