#include "model/matrix.hpp"

#include "base/text.hpp"

namespace vmatrix::model {

const Fact* Matrix::add(Fact fact) {
    auto& ids = fact.kind->sourced ? by_id_ : vocabulary_[fact.kind->name];
    if (const auto known = ids.find(fact.id); known != ids.end()) return known->second;
    const Fact& kept = facts_.emplace_back(std::move(fact));
    ids.emplace(kept.id, &kept);
    by_kind_[kept.kind->name].push_back(&kept);
    if (!kept.parent.empty()) by_parent_[kept.parent].push_back(&kept);
    return nullptr;
}

void Matrix::unpack() const {
    for (const Fact& fact : facts_) (void)fact.fields.all();
}

namespace {

const std::vector<const Fact*>& those_of(const std::unordered_map<std::string_view, std::vector<const Fact*>>& facts, std::string_view key) {
    static const std::vector<const Fact*> none;
    const auto found = facts.find(key);
    return found == facts.end() ? none : found->second;
}

}  // namespace

const std::vector<const Fact*>& Matrix::of(std::string_view kind) const { return those_of(by_kind_, kind); }

const std::vector<const Fact*>& Matrix::nested(const Fact& parent) const { return those_of(by_parent_, parent.id); }

const Fact* Matrix::find(std::string_view id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : found->second;
}

const Fact* Matrix::find(std::string_view kind, std::string_view id) const {
    if (const auto words = vocabulary_.find(kind); words != vocabulary_.end()) {
        const auto found = words->second.find(id);
        return found == words->second.end() ? nullptr : found->second;
    }
    const Fact* fact = find(id);
    return fact && fact->kind->name == kind ? fact : nullptr;
}

std::vector<std::string_view> Matrix::ids(std::string_view kind) const {
    std::vector<std::string_view> result;
    for (const Fact* fact : of(kind)) result.push_back(fact->id);
    return result;
}

base::Result<version::Scheme> Matrix::scheme(std::string_view component) const {
    const Fact* fact = find("component", component);
    if (!fact) {
        const auto known = ids("component");
        return base::fail("`" + base::printable(component) + "` is not a component", base::did_you_mean(base::nearest(component, known)));
    }
    return version::parse_scheme(fact->text("scheme"));
}

}  // namespace vmatrix::model
