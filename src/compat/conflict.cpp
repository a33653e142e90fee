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
            auto judgement = tell(sources_[origin], left_by_others(conflict, sources_[origin].choice, origin), own);
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
Bits StackProblem::left_by_others(const solver::Conflict& conflict, std::size_t choice, solver::Origin told) const {
    Bits left = those(choice, [](const Candidate& candidate) { return !candidate.absent(); });
    for (const solver::Origin origin : conflict.origins)
        if (const Source& source = sources_[origin]; origin != told && source.choice == choice && source.kind == Source::Kind::wish && source.allowed.size() == left.size()) left &= source.allowed;
    return left;
}

bool StackProblem::for_this_maker(const Candidate& candidate) const {
    if (candidate.absent() || host_.vendor.empty() || host_.vendor == "mixed") return true;
    const std::string own = host_.vendor == "nvidia" ? "cuda" : "rocm";
    if (!candidate.build) return candidate.component == own;
    return candidate.build->accelerator == own || candidate.build->accelerator == "any";
}

/// By the first candidate that this relation refuses; nothing for a wish that needs no reason but itself.
std::optional<Judgement> StackProblem::tell(const Source& source, const Bits& left, bool own) const {
    if (source.kind == Source::Kind::wish && (source.relation == "package" || source.relation == "python" || source.relation == "driver")) return std::nullopt;
    for (Judgement& judgement : of_host(question_))
        if (own && judgement.relation == source.relation) return std::move(judgement);
    for (const Version& driver : drivers_)   // a relation of the driver alone: the first choice that it refuses
        for (Judgement& judgement : of_driver(question_, driver))
            if (own && judgement.relation == source.relation && judgement.level < floor_) return std::move(judgement);
    const auto& all = candidates(source.choice);
    for (std::size_t c = left.first(); c < all.size(); ++c) {
        if (!left.test(c) || for_this_maker(all[c]) != own) continue;
        auto judgement = worst_of(source, all[c]);
        if (!judgement || judgement->level >= floor_ || judgement->reason.text.empty()) continue;
        const std::size_t same = count_same(source, left, c);
        if (same > 0) judgement->reason.text += "; no better are " + std::to_string(same) + (same == 1 ? " other build" : " other builds");
        return judgement;
    }
    return std::nullopt;
}

std::optional<Judgement> StackProblem::worst_of(const Source& source, const Candidate& candidate) const {
    const auto least = [](std::vector<Judgement> all) -> std::optional<Judgement> {
        if (all.empty()) return std::nullopt;
        return std::move(*std::ranges::min_element(all, {}, &Judgement::level));
    };
    for (const Judgement& judgement : candidate.judgements)
        if (judgement.relation == source.relation) return judgement;
    if (source.relation == "python") return least(with_python(question_, candidate, pythons_.front()));
    if (source.relation == "driver" && has_driver()) return least(with_driver(question_, candidate, drivers_.front()));
    if (source.relation != "package") return std::nullopt;
    std::optional<Judgement> best;   // with whichever of the other package does best
    for (const Candidate& other : candidates(source.other)) {
        auto judgement = least(with_package(question_, link_of(question_, candidate.component, other.component), candidate, other));
        if (!judgement || judgement->level >= floor_) continue;
        if (!best || best->level < judgement->level) best = std::move(judgement);
    }
    return best;
}

std::size_t StackProblem::count_same(const Source& source, const Bits& left, std::size_t told) const {
    const auto& all = candidates(source.choice);
    std::size_t count = 0;
    for (std::size_t c = told + 1; c < all.size(); ++c) {
        if (!left.test(c) || for_this_maker(all[c]) != for_this_maker(all[told])) continue;
        const auto judgement = worst_of(source, all[c]);
        count += judgement && judgement->level < floor_;
    }
    return count;
}

Reason StackProblem::nothing_matches() const {
    const Candidate& newest = candidates().front();
    Reason reason{newest.build ? "packaging" : "runtime", {subject_.name}, {}, {}, {}};
    reason.text = "nothing that the matrix knows of " + subject_.name + " is all that was asked for; the newest is " + newest.version;
    if (newest.build && newest.build->release) cite(reason, *newest.build->release);
    return reason;
}

}  // namespace vmatrix::compat
