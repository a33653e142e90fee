#include "compat/resolve.hpp"

#include <algorithm>
#include <array>
#include <ranges>

#include "compat/records.hpp"
#include "compat/repairs.hpp"
#include "compat/rules/rules.hpp"
#include "compat/stack_problem.hpp"

namespace vmatrix::compat {
namespace {

constexpr std::array<Level, 4> floors{Level::supported, Level::expected, Level::workaround, Level::unknown};

/// The best stack at the best floor that has one. A record goes before the rules, unless something else than evidence was asked for.
std::optional<std::pair<Level, solver::Solution>> search(StackProblem& problem, const Request& request) {
    if (request.policy == Policy::best_evidence || request.least == Level::verified)
        if (auto found = problem.recorded()) return std::pair(Level::verified, std::move(*found));
    for (const Level floor : floors_of(request)) {
        auto answer = solver::solve(problem.problem(floor));
        auto* found = std::get_if<solver::Solution>(&answer);
        if (found && floor == Level::unknown) return std::pair(floor, problem.raise(std::move(*found)));
        if (found) return std::pair(floor, std::move(*found));
    }
    return std::nullopt;
}

/// First what a lower floor would gain (a newer release, say), then further releases of the same level. Workarounds are no
/// alternative to something that runs without.
void add_alternatives(StackProblem& problem, const Request& request, const std::pair<Level, solver::Solution>& best, std::size_t wanted, ResolveAnswer& answer) {
    std::vector<solver::Solution> chosen{best.second};
    const auto add = [&](Level floor) {
        solver::Problem clauses = problem.problem(floor);
        const solver::Origin origin = problem.free_origin();
        for (const auto& values : chosen) clauses.clauses.push_back(problem.other_release(values, origin));
        auto next = solver::solve(clauses);
        auto* values = std::get_if<solver::Solution>(&next);
        if (!values) return false;
        answer.stacks.push_back(problem.stack(*values));
        chosen.push_back(std::move(*values));
        return true;
    };
    if (best.first >= Level::supported && request.least < Level::supported && wanted > 0) add(Level::expected);
    const Level last = std::max(std::min(best.first, Level::expected), request.least);
    for (const Level floor : floors)
        if (floor <= best.first && floor >= last)
            while (answer.stacks.size() <= wanted && add(floor)) {
            }
}

/// The best stack that runs only with an override, to tell it from those that need none.
std::optional<Stack> find_workaround(StackProblem& problem) {
    solver::Problem clauses = problem.problem(Level::workaround);
    clauses.clauses.push_back(problem.only_with_environment(problem.free_origin()));
    auto found = solver::solve(clauses);
    if (const auto* values = std::get_if<solver::Solution>(&found)) return problem.stack(*values);
    return std::nullopt;
}

/// What an override must gain to be worth a word.
bool is_newer(const Stack& one, const Stack& other) { return !one.builds.empty() && !other.builds.empty() && other.builds.front().version < one.builds.front().version; }

using Unsolved = std::pair<solver::Problem, solver::Conflict>;

/// Finds conflicts of the clauses that `make()` gives, and of some of them.
template <class Make>
class Conflicts {
public:
    Conflicts(StackProblem& problem, Make make) : problem_(problem), make_(std::move(make)), all_(make_()) {}

    /// Of those that `keep(clause)` leaves, once everything is judged that it or a solution rests on; nothing if there is a solution.
    template <class Keep>
    std::optional<Unsolved> find(const Keep& keep) {
        while (true) {
            solver::Problem clauses{all_.domains, {}, all_.first};
            std::ranges::copy_if(all_.clauses, std::back_inserter(clauses.clauses), keep);
            auto outcome = solver::solve(clauses);
            auto* conflict = std::get_if<solver::Conflict>(&outcome);
            const bool more = conflict ? problem_.judge_all(*conflict) : problem_.judge_all(std::get<solver::Solution>(outcome));
            if (more) all_ = make_();
            else return conflict ? std::optional(Unsolved{std::move(clauses), std::move(*conflict)}) : std::nullopt;
        }
    }

private:
    StackProblem& problem_;
    Make make_;
    solver::Problem all_;
};

/// Tells why no stack is at the least level. Wishes without which there is none either are left out, the last first, and then packages: to
/// name them would promise that it helps to give them up.
void explain_conflict(StackProblem& problem, const Request& request, ResolveAnswer& answer) {
    std::vector<solver::Origin> idle;
    std::vector<solver::Variable> absent;
    const auto is_in = [](const auto& all) { return [&all](std::size_t one) { return std::ranges::find(all, one) != all.end(); }; };
    Conflicts conflicts(problem, [&] { return problem.problem(request.least); });
    const auto is_left = [&](const solver::Clause& clause) { return !is_in(idle)(clause.origin) && std::ranges::none_of(clause.literals, is_in(absent), &solver::Literal::variable); };
    auto found = conflicts.find(is_left);
    if (!found) return;
    for (const auto& wish : std::views::reverse(problem.wishes())) {
        idle.insert(idle.end(), wish.begin(), wish.end());
        if (std::ranges::none_of(wish, is_in(found->second.origins))) continue;
        if (auto without = conflicts.find(is_left)) found = std::move(without);
        else idle.resize(idle.size() - wish.size());
    }
    for (const solver::Variable variable : std::views::reverse(problem.present_in(found->first, found->second))) {
        absent.push_back(variable);
        if (auto without = conflicts.find(is_left)) found = std::move(without);
        else absent.pop_back();
    }
    problem.explain(found->first, found->second, answer);
}

/// No build serves two makers.
void explain_mixed(const Host& host, ResolveAnswer& answer) {
    Reason reason{"hardware", {"gpu"}, "no build serves cards of two makers", {}, {}};
    for (const Card& card : host.cards) {
        reason.text += (&card == &host.cards.front() ? ": " : ", ") + card.name + " is " + card.title();
        cite(reason, *card.architecture);
    }
    answer.story.push_back({{}, reason, {}, true, 0});
    answer.conflict.push_back(std::move(reason));
}

}  // namespace

std::vector<Level> floors_of(const Request& request) {
    std::vector<Level> tried;
    for (const Level floor : floors) {
        if (floor == Level::supported && request.policy == Policy::newest && request.least < floor) continue;
        if (floor >= request.least) tried.push_back(floor);
    }
    return tried;
}

std::optional<Stack> best_stack(const Matrix& matrix, const Host& host, const Request& request, Judged& judged) {
    const Spec subject = subject_of(matrix, request);
    StackProblem problem(matrix, host, request, subject, judged);
    if (!problem.build()) return std::nullopt;
    const auto found = search(problem, request);
    return found ? std::optional(problem.stack(found->second)) : std::nullopt;
}

base::Result<ResolveAnswer> explain(const Matrix& matrix, const Host& host, const Request& request) {
    auto answer = resolve(matrix, host, request, 0);
    if (!answer || answer->stacks.empty()) return answer;
    Judged judged;
    const Spec subject = subject_of(matrix, request);
    StackProblem problem(matrix, host, request, subject, judged);
    if (auto built = problem.build(); !built) return tl::make_unexpected(built.error());
    const auto found = search(problem, request);
    if (!found) return answer;
    if (!problem.has_better(found->second)) return answer;
    ResolveAnswer above;
    Conflicts conflicts(problem, [&] {
        solver::Problem clauses = problem.problem(found->first);
        problem.want_better(clauses, found->second);
        return clauses;
    });
    const auto conflict = conflicts.find([](const solver::Clause&) { return true; });
    if (conflict) problem.explain(conflict->first, conflict->second, above);
    answer->why_nothing_better = std::move(above.story);
    return answer;
}

base::Result<ResolveAnswer> resolve(const Matrix& matrix, const Host& host, const Request& request, std::size_t alternatives) {
    const Spec subject = subject_of(matrix, request);
    if (const auto set = read_versions(subject, has_builds(matrix, subject.name) ? Scheme::pep440 : Scheme::dotted); !set) return tl::make_unexpected(set.error());
    Judged judged;
    StackProblem problem(matrix, host, request, subject, judged);
    if (auto built = problem.build(); !built) return tl::make_unexpected(built.error());
    ResolveAnswer answer;
    for (const Card& card : host.cards) {
        answer.meaning.push_back(card.meaning());
        if (auto reason = last_branch(host, card)) answer.limits.push_back(std::move(*reason));
    }
    if (auto reason = problem.last_release()) answer.limits.push_back(std::move(*reason));
    const auto found = host.vendor == "mixed" ? std::nullopt : search(problem, request);
    if (found) {
        answer.stacks.push_back(problem.stack(found->second));
        add_alternatives(problem, request, *found, alternatives, answer);
        if (request.least <= Level::workaround && found->first > Level::workaround) answer.workaround = find_workaround(problem);
        if (answer.workaround && !is_newer(*answer.workaround, answer.stacks.front())) answer.workaround.reset();
        return answer;
    }
    if (host.vendor == "mixed") {
        explain_mixed(host, answer);
    } else {
        if (request.least == Level::verified) {
            answer.conflict.push_back(no_record(matrix, subject.name));
            answer.story.push_back({{}, answer.conflict.back(), {}, true, 0});
        } else {
            explain_conflict(problem, request, answer);
        }
        answer.repairs = relax(matrix, host, request, subject, judged);
    }
    std::ranges::move(offer_apart(matrix, host, request, subject, judged), std::back_inserter(answer.repairs));
    if (answer.repairs.empty())
        if (auto repair = fresh_start(matrix, host, request, subject.name, judged)) answer.repairs.push_back(std::move(*repair));
    add_advice(answer.repairs, answer.advice);
    const auto about_card = [](const Reason& reason) { return reason.is_about("gpu"); };
    if (answer.repairs.empty()) answer.repairs = last_resorts(matrix, host, request, std::ranges::any_of(answer.conflict, about_card));
    if (answer.repairs.empty()) answer.repairs = last_resorts(matrix, host, request, true);   // not even a fresh start serves the card
    return answer;
}

}  // namespace vmatrix::compat
