/// How a conflict of the solver is told.
#include <algorithm>

#include "compat/rules/rules.hpp"
#include "compat/stack_problem.hpp"

namespace vmatrix::compat {

using solver::Bits;

void StackProblem::explain(const solver::Conflict& conflict, ResolveAnswer& answer) const {
    Bits left(candidates_.size(), true);
    for (const solver::Origin origin : conflict.origins)
        if (sources_[origin].kind == Source::Kind::wish && sources_[origin].allowed.size() == left.size()) left &= sources_[origin].allowed;
    bool driver = false;
    for (const solver::Origin origin : conflict.origins) {
        const Source& source = sources_[origin];
        if (source.kind == Source::Kind::wish) answer.wishes.push_back(source.wish);
        else if (auto reason = tell(source, left)) answer.conflict.push_back(std::move(*reason));
        driver = driver || source.relation == "driver" || source.relation.starts_with("driver of card");
    }
    // The driver given is the only value of its variable, so that its clause is never needed for a contradiction.
    const std::string given = host_.driver ? "driver " + host_.driver->str() : "";
    if (driver && !given.empty() && std::ranges::find(answer.wishes, given) == answer.wishes.end()) answer.wishes.push_back(given);
    if (answer.conflict.empty()) answer.conflict.push_back(nothing_matches());
}

std::optional<Reason> StackProblem::tell(const Source& source, const Bits& left) const {
    for (const Version& driver : drivers_)   // a relation of the driver alone: the first choice that it refuses
        for (Judgement& judgement : of_driver(matrix_, host_, request_, driver))
            if (judgement.relation == source.relation && judgement.level < floor_) return std::move(judgement.reason);
    for (std::size_t c = left.first(); c < candidates_.size(); ++c) {
        if (!left.test(c)) continue;
        auto judgement = worst_of(source, c);
        if (!judgement || judgement->level >= floor_ || judgement->reason.text.empty()) continue;
        const std::size_t same = count_same(source, left, c);
        if (same > 0) judgement->reason.text += "; the same holds for " + std::to_string(same) + (same == 1 ? " other candidate" : " others");
        return judgement->reason;
    }
    return std::nullopt;
}

std::optional<Judgement> StackProblem::worst_of(const Source& source, std::size_t candidate) const {
    for (const Judgement& judgement : candidates_[candidate].judgements)
        if (judgement.relation == source.relation) return judgement;
    if (source.relation == "python") return with_python(host_, candidates_[candidate], pythons_.front());
    if (source.relation == "driver" && has_driver()) return with_driver(matrix_, host_, candidates_[candidate], drivers_.front());
    return std::nullopt;
}

std::size_t StackProblem::count_same(const Source& source, const Bits& left, std::size_t told) const {
    std::size_t count = 0;
    for (std::size_t c = told + 1; c < candidates_.size(); ++c) {
        if (!left.test(c)) continue;
        const auto judgement = worst_of(source, c);
        count += judgement && judgement->level < floor_;
    }
    return count;
}

Reason StackProblem::nothing_matches() const {
    Reason reason{candidates_.front().build ? "packaging" : "runtime", {subject_.name}, {}, {}, {}};
    reason.text = "no release of " + subject_.name + " that the matrix knows matches " + (subject_.versions.empty() ? subject_.text : subject_.versions) + "; the newest is " + candidates_.front().version;
    if (candidates_.front().build && candidates_.front().build->release) cite(reason, *candidates_.front().build->release);
    return reason;
}

}  // namespace vmatrix::compat
