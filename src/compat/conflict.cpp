/// How a conflict of the solver is told.
#include <algorithm>

#include "compat/rules/rules.hpp"
#include "compat/stack_problem.hpp"

namespace vmatrix::compat {

using solver::Bits;

void StackProblem::explain(const solver::Conflict& conflict, ResolveAnswer& answer) const {
    bool driver = false;
    for (const solver::Origin origin : conflict.origins) {
        const Source& source = sources_[origin];
        if (source.kind == Source::Kind::wish) answer.wishes.push_back(source.wish);
        driver = driver || source.relation == "driver" || source.relation.starts_with("driver of card");
    }
    // That a build for the other maker does not run is no news, unless there is nothing else to say.
    for (const bool own : {true, false})
        for (const solver::Origin origin : conflict.origins) {
            if (!own && !answer.conflict.empty()) break;
            auto judgement = tell(sources_[origin], left_by_others(conflict, origin), own);
            if (!judgement) continue;
            answer.conflict.push_back(std::move(judgement->reason));
            std::ranges::move(judgement->advice, std::back_inserter(answer.advice));
        }
    // The driver given is the only value of its variable, so that its clause is never needed for a contradiction.
    const std::string given = host_.driver ? "driver " + host_.driver->str() : "";
    if (driver && !given.empty() && std::ranges::find(answer.wishes, given) == answer.wishes.end()) answer.wishes.push_back(given);
    if (answer.conflict.empty()) answer.conflict.push_back(nothing_matches());
}

/// The candidates that the other wishes of a conflict leave.
Bits StackProblem::left_by_others(const solver::Conflict& conflict, solver::Origin told) const {
    Bits left(candidates_.size(), true);
    for (const solver::Origin origin : conflict.origins)
        if (origin != told && sources_[origin].kind == Source::Kind::wish && sources_[origin].allowed.size() == left.size()) left &= sources_[origin].allowed;
    return left;
}

bool StackProblem::for_this_maker(std::size_t candidate) const {
    const Candidate& one = candidates_[candidate];
    return host_.vendor == "nvidia" ? one.cuda.has_value() : host_.vendor == "amd" ? one.rocm.has_value() : true;
}

/// By the first candidate that this relation refuses; nothing for a wish that needs no reason but itself.
std::optional<Judgement> StackProblem::tell(const Source& source, const Bits& left, bool own) const {
    if (source.kind == Source::Kind::wish && (source.relation == "package" || source.relation == "python" || source.relation == "driver")) return std::nullopt;
    for (const Version& driver : drivers_)   // a relation of the driver alone: the first choice that it refuses
        for (Judgement& judgement : of_driver(matrix_, host_, request_, driver))
            if (own && judgement.relation == source.relation && judgement.level < floor_) return std::move(judgement);
    for (std::size_t c = left.first(); c < candidates_.size(); ++c) {
        if (!left.test(c) || for_this_maker(c) != own) continue;
        auto judgement = worst_of(source, c);
        if (!judgement || judgement->level >= floor_ || judgement->reason.text.empty()) continue;
        const std::size_t same = count_same(source, left, c);
        if (same > 0) judgement->reason.text += "; no better are " + std::to_string(same) + (same == 1 ? " other build" : " other builds");
        return judgement;
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
        if (!left.test(c) || for_this_maker(c) != for_this_maker(told)) continue;
        const auto judgement = worst_of(source, c);
        count += judgement && judgement->level < floor_;
    }
    return count;
}

Reason StackProblem::nothing_matches() const {
    Reason reason{candidates_.front().build ? "packaging" : "runtime", {subject_.name}, {}, {}, {}};
    reason.text = "nothing that the matrix knows of " + subject_.name + " is all that was asked for; the newest is " + candidates_.front().version;
    if (candidates_.front().build && candidates_.front().build->release) cite(reason, *candidates_.front().build->release);
    return reason;
}

}  // namespace vmatrix::compat
