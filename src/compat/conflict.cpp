/// How a conflict of the solver is told.
#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "compat/rules/rules.hpp"
#include "compat/stack_problem.hpp"

namespace vmatrix::compat {

using solver::Bits;

namespace {

std::optional<Judgement> worst_judgement(std::vector<Judgement> all) {
    if (all.empty()) return std::nullopt;
    return std::move(*std::ranges::min_element(all, {}, &Judgement::level));
}

/// Runs of neighbours in a list that is newest first: "2.0.0 to 2.5.1 and 2.7.0".
std::string runs(const std::vector<std::string>& all, const std::vector<bool>& member) {
    constexpr std::size_t most = 4;
    std::vector<std::string> parts;
    for (std::size_t i = all.size(); i-- > 0;) {
        if (!member[i]) continue;
        const std::size_t oldest = i;
        while (i > 0 && member[i - 1]) --i;
        parts.push_back(all[oldest] + (i == oldest ? "" : " to " + all[i]));
    }
    if (parts.size() <= most) return listed(parts);
    return base::join({parts.begin(), parts.begin() + most}, ", ") + " and others";
}

}  // namespace

void StackProblem::explain(const solver::Problem& problem, const solver::Conflict& conflict, ResolveAnswer& answer) const {
    bool driver = false;
    for (const solver::Origin origin : conflict.origins) {
        const Source& source = sources_[origin];
        if (source.kind == Source::Kind::wish) answer.wishes.push_back(source.wish);
        driver = driver || source.relation == "driver" || source.relation.starts_with("driver of card");
    }
    for (const solver::Variable variable : present_in(problem, conflict)) {   // that a package is there at all is a wish too
        const Spec& wish = choices_[variable].wish;
        answer.wishes.push_back(wish.versions.empty() ? wish.text : wish.name);
    }
    // The driver given is the only value of its variable, so that its clause is never needed for a contradiction.
    const std::string given = host_.driver ? "driver " + host_.driver->str() : "";
    if (driver && !given.empty() && std::ranges::find(answer.wishes, given) == answer.wishes.end()) answer.wishes.push_back(given);
    solver::Conflict ordered = conflict;
    std::ranges::stable_partition(ordered.origins, [&](solver::Origin origin) { return sources_[origin].kind == Source::Kind::wish; });
    const auto steps = solver::prove(problem, ordered);
    Domains domains;
    for (const std::size_t size : problem.domains) domains.emplace_back(size, true);
    // That a build for the other maker does not run is no news, unless there is nothing else to say.
    for (const bool own : {true, false}) {
        if (!answer.conflict.empty()) break;
        answer.story.clear();
        if (driver && !given.empty()) answer.story.push_back({given, {}, given, true, 0});
        tell(steps, domains, 0, own, answer);
    }
    if (answer.conflict.empty()) {
        answer.conflict.push_back(nothing_matches());
        answer.story.push_back({{}, answer.conflict.front(), {}, true, 0});
    }
}

std::vector<std::vector<solver::Origin>> StackProblem::wishes() const {
    std::vector<std::vector<solver::Origin>> all;
    for (solver::Origin origin = 0; origin < sources_.size(); ++origin) {
        if (sources_[origin].kind != Source::Kind::wish) continue;
        const auto same = std::ranges::find_if(all, [&](const auto& origins) { return sources_[origins.front()].wish == sources_[origin].wish; });
        if (same == all.end()) all.push_back({origin});
        else same->push_back(origin);
    }
    return all;
}

bool StackProblem::is_named(const std::string& package) const {
    return std::ranges::find(request_.specs, package, &Spec::name) != request_.specs.end();
}

/// Whether another package that is named brings it in any case.
bool StackProblem::is_needed(const std::string& package) const {
    return std::ranges::any_of(choices_, [&](const Choice& choice) {
        return is_named(choice.wish.name) && choice.wish.name != package && std::ranges::all_of(choice.candidates, [&](const Candidate& candidate) { return need_of(candidate, package) != nullptr; });
    });
}

std::vector<solver::Variable> StackProblem::present_in(const solver::Problem& problem, const solver::Conflict& conflict) const {
    const auto takes_part = [&](solver::Variable variable) {
        return std::ranges::any_of(problem.clauses, [&](const solver::Clause& clause) {
            return std::ranges::find(conflict.origins, clause.origin) != conflict.origins.end() && std::ranges::find(clause.literals, variable, &solver::Literal::variable) != clause.literals.end();
        });
    };
    const auto is_wished = [&](const Choice& choice) {
        return !choice.wish.versions.empty() && std::ranges::any_of(conflict.origins, [&](solver::Origin origin) { return sources_[origin].wish == choice.wish.text; });
    };
    std::vector<solver::Variable> present;
    for (solver::Variable v = 0; v < choices_.size(); ++v)
        if (is_named(choices_[v].wish.name) && !is_wished(choices_[v]) && !is_needed(choices_[v].wish.name) && takes_part(v)) present.push_back(v);
    return present;
}

void StackProblem::tell(const std::vector<solver::Step>& steps, Domains domains, std::size_t depth, bool own, ResolveAnswer& answer) const {
    for (const solver::Step& step : steps) {
        if (!step.cases.empty()) return tell_cases(step, domains, depth, own, answer);
        const Source& source = sources_[step.origin];
        const bool plain_wish = source.kind == Source::Kind::wish && (source.relation == "package" || source.relation == "python" || source.relation == "driver");
        const std::string leaves = values_text(step.variable, step.left);
        if (plain_wish && source.relation != "driver") answer.story.push_back({source.wish, {}, leaves, true, depth});
        auto told = plain_wish ? std::vector<Judgement>{} : statements(source, step, domains, own);
        if (told.empty() && own && !plain_wish && step.left.empty()) told = statements(source, step, domains, false);   // what ends it is told in any case
        for (Judgement& judgement : told) {
            answer.story.push_back({{}, judgement.reason, leaves, &judgement == &told.back(), depth});
            answer.conflict.push_back(std::move(judgement.reason));
            std::ranges::move(judgement.advice, std::back_inserter(answer.advice));
        }
        if (!step.of_none) domains[step.variable] = step.left;
    }
}

void StackProblem::tell_cases(const solver::Step& step, const Domains& domains, std::size_t depth, bool own, ResolveAnswer& answer) const {
    for (const solver::Case& one : step.cases) {
        answer.story.push_back({"with " + values_text(step.variable, one.values), {}, {}, false, depth});
        Domains narrowed = domains;
        narrowed[step.variable] = one.values;
        tell(one.steps, std::move(narrowed), depth + 1, own, answer);
    }
}

bool StackProblem::for_this_maker(const Candidate& candidate) const {
    if (candidate.absent() || host_.vendor.empty() || host_.vendor == "mixed") return true;
    const std::string own = host_.vendor == "nvidia" ? "cuda" : "rocm";
    if (!candidate.build) return candidate.component == own;
    return candidate.build->accelerator == own || candidate.build->accelerator == "any";
}

/// The values that a line speaks of: candidates for the cards' maker, or the others; all Pythons and drivers.
Bits StackProblem::told_of(solver::Variable variable, const Bits& values, bool own) const {
    Bits told = values;
    for (std::size_t v = 0; variable < choices_.size() && v < values.size(); ++v)
        if (values.test(v) && for_this_maker(candidates(variable)[v]) != own) told.reset(v);
    return told;
}

/// One for each level, as what is not known is another thing than what does not work.
std::vector<Judgement> StackProblem::statements(const Source& source, const solver::Step& step, const Domains& domains, bool own) const {
    if (step.of_none) return own ? about_host(source) : std::vector<Judgement>{};
    if (source.relation == "package")
        if (auto needs = unmet_needs(source, step, domains, own); !needs.empty()) return needs;
    const Bits told = told_of(step.variable, step.removed, own);
    std::map<std::pair<Level, std::string>, std::pair<Judgement, Bits>> groups;   // the first of a level and a layer, and the others
    for (std::size_t v = told.first(); v < told.size(); ++v) {
        auto judgement = told.test(v) ? about_value(source, step.variable, v, domains) : std::nullopt;
        if (!judgement || judgement->level >= floor_ || judgement->reason.text.empty()) continue;
        if (judgement->level == Level::expected) judgement->reason.text += ", which is expected and not supported";
        std::pair key(judgement->level, judgement->reason.layer);
        const auto [group, fresh] = groups.try_emplace(std::move(key), std::move(*judgement), Bits(told.size()));
        if (!fresh) {
            group->second.second.set(v);
            for (const std::string& fact : judgement->reason.facts)
                if (std::ranges::find(group->second.first.reason.facts, fact) == group->second.first.reason.facts.end()) group->second.first.reason.facts.push_back(fact);
        }
    }
    std::vector<Judgement> all;
    for (auto& [key, group] : groups) {
        if (!group.second.empty()) group.first.reason.text += "; the same goes for " + values_text(step.variable, group.second);
        all.push_back(std::move(group.first));
    }
    return all;
}

/// What packages need of each other, where that is what takes the values: those with the same need in one line.
std::vector<Judgement> StackProblem::unmet_needs(const Source& source, const solver::Step& step, const Domains& domains, bool own) const {
    const std::size_t left = step.variable, right = left == source.choice ? source.other : source.choice;
    const Bits told = told_of(left, step.removed, own);
    auto needs = by_need(left, right, told, domains[right]);
    if (needs.empty()) needs = by_need(right, left, told_of(right, domains[right], own), told);
    return needs;
}

/// The needs of candidates of a choice that no value of the other one meets; nothing if some candidate has no such need.
std::vector<Judgement> StackProblem::by_need(std::size_t choice, std::size_t other, const Bits& values, const Bits& offered) const {
    std::vector<std::pair<std::string, Bits>> groups;
    for (std::size_t v = 0; v < values.size(); ++v) {
        if (!values.test(v) || candidates(choice)[v].absent()) continue;
        const Candidate& candidate = candidates(choice)[v];
        const Value* need = need_of(candidate, choices_[other].wish.name);
        for (std::size_t o = 0; need != nullptr && o < offered.size(); ++o)
            if (offered.test(o) && !candidates(other)[o].absent() && judge_need(candidate, choices_[other].wish.name, candidates(other)[o].parts.at(choices_[other].wish.name)).level > Level::broken) need = nullptr;
        if (need == nullptr) return {};
        auto group = std::ranges::find(groups, need->text, &std::pair<std::string, Bits>::first);
        if (group == groups.end()) group = groups.insert(groups.end(), {need->text, Bits(values.size())});
        group->second.set(v);
    }
    std::vector<Judgement> all;
    for (const auto& [need, members] : groups) {
        Judgement judgement;
        judgement.level = Level::broken;
        judgement.reason = {"packaging", {choices_[choice].wish.name, choices_[other].wish.name}, values_text(choice, members) + (members.count() > 1 ? " need " : " needs ") + choices_[other].wish.name + " " + need, {}, {}};
        for (std::size_t v = 0; v < members.size(); ++v)
            if (members.test(v)) cite(judgement.reason, *candidates(choice)[v].build->fact);
        all.push_back(std::move(judgement));
    }
    return all;
}

std::optional<Judgement> StackProblem::about_value(const Source& source, solver::Variable variable, std::size_t value, const Domains& domains) const {
    if (variable < choices_.size()) return about_candidate(source, variable, value, domains);
    if (source.relation != "python" && source.relation != "driver") {
        for (const Judgement& judgement : driver_judgements_[value])
            if (judgement.relation == source.relation) return judgement;
        return std::nullopt;
    }
    std::optional<Judgement> best;   // by the candidate that does best with it
    for (std::size_t c = 0; c < candidates(source.choice).size(); ++c) {
        if (!domains[source.choice].test(c)) continue;
        auto judgement = worst_judgement(of_pair(source, c, value));
        if (judgement && (!best || best->level < judgement->level)) best = std::move(judgement);
    }
    return best;
}

std::vector<Judgement> StackProblem::about_host(const Source& source) const {
    auto all = of_host(question_);
    std::erase_if(all, [&](const Judgement& judgement) { return judgement.relation != source.relation; });
    return all;
}

/// Why nobody gets a candidate without having asked for it, or at all.
std::optional<Judgement> StackProblem::about_choice(const Source& source, const Candidate& candidate) const {
    std::string text;
    if (source.relation == "preview") text = candidate.component + " " + candidate.version + " is a preview, which nobody gets unasked";
    if (source.relation == "index") text = "the matrix knows no index that has " + candidate.component + " " + candidate.version + " for " + host_.platform;
    if (source.relation == "accelerator") text = candidate.component + " " + candidate.version + " runs on no GPU";
    if (text.empty()) return std::nullopt;
    Judgement judgement;
    judgement.level = Level::broken;
    judgement.reason = {"packaging", {candidate.component}, std::move(text), {}, {}};
    if (candidate.build && candidate.build->fact) cite(judgement.reason, *candidate.build->fact);
    return judgement;
}

/// What a relation says of a candidate: by itself, or with the value of the other variable that suits it best.
std::optional<Judgement> StackProblem::about_candidate(const Source& source, std::size_t choice, std::size_t candidate, const Domains& domains) const {
    for (const Judgement& judgement : candidates(choice)[candidate].judgements)
        if (judgement.relation == source.relation) return judgement;
    if (auto refused = about_choice(source, candidates(choice)[candidate])) return refused;
    if (source.relation != "python" && source.relation != "driver" && source.relation != "package") return std::nullopt;
    const bool second = source.relation == "package" && source.other == choice;   // it is the other package of the pair
    const solver::Variable variable = source.relation == "python" ? python_variable() : source.relation == "driver" ? driver_variable() : second ? source.choice : source.other;
    std::optional<Judgement> best;
    for (std::size_t v = 0; v < domains[variable].size(); ++v) {
        if (!domains[variable].test(v)) continue;
        auto judgement = worst_judgement(second ? of_pair(source, v, candidate) : of_pair(source, candidate, v));
        if (judgement && judgement->level < floor_ && (!best || best->level < judgement->level)) best = std::move(judgement);
    }
    return best;
}

/// A candidate of the source's choice with a value of the other variable.
std::vector<Judgement> StackProblem::of_pair(const Source& source, std::size_t candidate, std::size_t value) const {
    const Candidate& one = candidates(source.choice)[candidate];
    if (source.relation == "python") return with_python(question_, one, pythons_[value]);
    if (source.relation == "driver") return with_driver(question_, one, drivers_[value]);
    const auto pair = std::ranges::find_if(pairs_, [&](const Pair& other) { return other.one == source.choice && other.other == source.other; });
    return with_package(question_, pair->link, one, candidates(source.other)[value]);
}

/// "torch 2.0.0 to 2.5.1 (31 builds)", "Python 3.8 to 3.10"; empty for no values.
std::string StackProblem::values_text(solver::Variable variable, const Bits& values) const {
    std::vector<std::string> all;
    std::vector<bool> member;
    std::size_t builds = 0;
    const auto add = [&](const std::string& text, bool inside) {
        if (all.empty() || all.back() != text) all.push_back(text), member.push_back(false);
        if (inside) member.back() = true, ++builds;
    };
    if (variable == python_variable()) {
        for (std::size_t v = 0; v < values.size(); ++v) add(pythons_[v], values.test(v));
    } else if (variable == driver_variable()) {
        for (std::size_t v = 0; v < values.size(); ++v) add(drivers_[v].str(), values.test(v));
    } else {
        for (std::size_t v = 0; v < values.size(); ++v) {
            const Candidate& candidate = candidates(variable)[v];
            if (candidate.absent()) continue;
            const bool one = values.count() == 1;
            add(candidate.build && !one ? candidate.build->version.str() : candidate.version, values.test(v));
        }
    }
    if (builds == 0) return values.empty() ? "" : "no " + choices_[variable].wish.name;
    const std::string name = variable == python_variable() ? "Python" : variable == driver_variable() ? "driver" : choices_[variable].wish.name;
    const auto releases = static_cast<std::size_t>(std::ranges::count(member, true));
    return name + " " + runs(all, member) + (builds > releases ? " (" + std::to_string(builds) + " builds)" : "");
}

Reason StackProblem::nothing_matches() const {
    const Candidate& newest = candidates().front();
    Reason reason{newest.build ? "packaging" : "runtime", {subject_.name}, {}, {}, {}};
    reason.text = "nothing that the matrix knows of " + subject_.name + " is all that was asked for; the newest is " + newest.version;
    if (newest.build && newest.build->release) cite(reason, *newest.build->release);
    return reason;
}

}  // namespace vmatrix::compat
