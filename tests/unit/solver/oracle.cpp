// The solver against an oracle that tries every assignment: same verdict, same best answer, minimal conflicts.
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "solver/proof.hpp"
#include "support/catch.hpp"

using namespace vmatrix::solver;

namespace {

Bits random_set(std::size_t size) {
    Bits set(size);
    for (std::size_t i = 0; i < size; ++i)
        if (*rc::gen::arbitrary<bool>()) set.set(i);
    return set;
}

Problem random_problem() {
    Problem problem;
    const auto variables = *rc::gen::inRange<std::size_t>(1, 5);
    for (std::size_t v = 0; v < variables; ++v) problem.domains.push_back(*rc::gen::inRange<std::size_t>(1, 5));
    const auto clauses = *rc::gen::inRange<std::size_t>(0, 14);
    for (std::size_t c = 0; c < clauses; ++c) {
        Clause clause;
        clause.origin = *rc::gen::inRange<std::size_t>(0, 8);
        const auto literals = *rc::gen::inRange<std::size_t>(1, 4);
        for (std::size_t l = 0; l < literals; ++l) {
            const auto variable = *rc::gen::inRange<std::size_t>(0, variables);
            clause.literals.push_back({variable, random_set(problem.domains[variable])});
        }
        problem.clauses.push_back(std::move(clause));
    }
    return problem;
}

bool holds(const Clause& clause, const Solution& values) {
    return std::ranges::any_of(clause.literals, [&](const Literal& literal) { return literal.values.test(values[literal.variable]); });
}

bool next(Solution& values, const Problem& problem) {
    for (std::size_t v = values.size(); v-- > 0;) {
        if (++values[v] < problem.domains[v]) return true;
        values[v] = 0;
    }
    return false;
}

/// The first assignment, in order, that satisfies the clauses whose origin is wanted.
template <class Wanted>
std::optional<Solution> oracle(const Problem& problem, Wanted wanted) {
    Solution values(problem.domains.size(), 0);
    do {
        if (std::ranges::all_of(problem.clauses, [&](const Clause& clause) { return !wanted(clause.origin) || holds(clause, values); })) return values;
    } while (next(values, problem));
    return std::nullopt;
}

}  // namespace

TEST_CASE("the solver agrees with trying everything") {
    REQUIRE(rc::check("same verdict, same best answer", [] {
        const Problem problem = random_problem();
        const auto expected = oracle(problem, [](Origin) { return true; });
        const auto answer = solve(problem);
        RC_ASSERT(std::holds_alternative<Solution>(answer) == expected.has_value());
        if (expected) RC_ASSERT(std::get<Solution>(answer) == *expected);
    }));
}

TEST_CASE("a conflict is a conflict and minimal") {
    REQUIRE(rc::check("all of it contradicts, and nothing less", [] {
        const Problem problem = random_problem();
        const auto answer = solve(problem);
        RC_PRE(std::holds_alternative<Conflict>(answer));
        const auto& origins = std::get<Conflict>(answer).origins;
        const auto among = [&](Origin origin) { return std::ranges::find(origins, origin) != origins.end(); };
        RC_ASSERT(!oracle(problem, among));
        for (const Origin left_out : origins) RC_ASSERT(oracle(problem, [&](Origin origin) { return among(origin) && origin != left_out; }).has_value());
    }));
}

TEST_CASE("the order of clauses and literals does not matter") {
    REQUIRE(rc::check("shuffled input, same answer", [] {
        Problem problem = random_problem();
        const auto answer = solve(problem);
        std::ranges::reverse(problem.clauses);
        for (Clause& clause : problem.clauses) std::ranges::reverse(clause.literals);
        const auto shuffled = solve(problem);
        RC_ASSERT(answer.index() == shuffled.index());
        if (std::holds_alternative<Solution>(answer)) RC_ASSERT(std::get<Solution>(answer) == std::get<Solution>(shuffled));
    }));
}

TEST_CASE("leaving origins out is the same as not having them") {
    REQUIRE(rc::check("solve_without", [] {
        const Problem problem = random_problem();
        const auto ignored = *rc::gen::container<std::vector<Origin>>(rc::gen::inRange<Origin>(0, 9));
        const auto wanted = [&](Origin origin) { return std::ranges::find(ignored, origin) == ignored.end(); };
        RC_ASSERT(solve_without(problem, ignored) == oracle(problem, wanted));
    }));
}

TEST_CASE("variables that come first get their best value first") {
    Bits first(2), second(2);
    first.set(0);
    second.set(1);
    Problem problem{{2, 2}, {{{{0, second}, {1, second}}, 0}}};   // one of them has to take its second value
    CHECK(std::get<Solution>(solve(problem)) == Solution{0, 1});
    problem.first = {1};
    CHECK(std::get<Solution>(solve(problem)) == Solution{1, 0});
}

TEST_CASE("misuse is a bug") {
    CHECK_THROWS(solve({{2}, {{{{1, Bits(2)}}, 0}}}));
    CHECK_THROWS(solve({{2}, {{{{0, Bits(3)}}, 0}}}));
    CHECK_THROWS(solve({{0}, {}}));
}

TEST_CASE("no clauses: every variable has its first value") { CHECK(std::get<Solution>(solve({{3, 1}, {}})) == Solution{0, 0}); }

namespace {

/// What a step leaves is all but what it takes, and every value that it takes is one that the
/// clauses of its origin forbid for all values that are left elsewhere; the last step leaves nothing.
bool follows(const Problem& problem, const std::vector<Step>& steps, std::vector<Bits> domains) {
    for (const Step& step : steps) {
        if (!step.cases.empty()) {
            Bits covered(domains[step.variable].size());
            for (const Case& one : step.cases) {
                covered |= one.values;
                // A case is told by its first value, the others fail by the same origins.
                auto narrowed = domains;
                narrowed[step.variable] = Bits(covered.size());
                narrowed[step.variable].set(one.values.first());
                if (!follows(problem, one.steps, narrowed)) return false;
            }
            return &step == &steps.back() && covered == domains[step.variable];
        }
        for (std::size_t value = 0; value < step.removed.size(); ++value) {
            if (!step.removed.test(value)) continue;
            auto narrowed = domains;
            narrowed[step.variable] = Bits(step.removed.size());
            narrowed[step.variable].set(value);
            std::vector<Bits> full = narrowed;
            Problem only{problem.domains, {}};
            for (const Clause& clause : problem.clauses)
                if (clause.origin == step.origin) only.clauses.push_back(clause);
            for (Variable v = 0; v < full.size(); ++v) only.clauses.push_back({{{v, full[v]}}, 0});
            if (oracle(only, [](Origin) { return true; })) return false;
        }
        if (step.of_none) return true;
        Bits rest = step.removed.complement();
        rest &= domains[step.variable];
        if (rest != step.left) return false;
        domains[step.variable] = step.left;
    }
    return !steps.empty() && std::ranges::any_of(domains, &Bits::empty);
}

}  // namespace

TEST_CASE("a proof follows step by step and ends in a contradiction") {
    REQUIRE(rc::check("each step is a consequence", [] {
        const Problem problem = random_problem();
        const auto answer = solve(problem);
        RC_PRE(std::holds_alternative<Conflict>(answer));
        std::vector<Bits> domains;
        for (const std::size_t size : problem.domains) domains.emplace_back(size, true);
        RC_ASSERT(follows(problem, prove(problem, std::get<Conflict>(answer)), domains));
    }));
}

TEST_CASE("where nothing can be taken, a proof follows each value") {
    // Two switches that must differ and must not differ.
    const auto bits = [](bool first, bool second) {
        Bits set(2);
        if (first) set.set(0);
        if (second) set.set(1);
        return set;
    };
    const Problem problem{{2, 2}, {{{{0, bits(true, false)}, {1, bits(true, false)}}, 0}, {{{0, bits(false, true)}, {1, bits(false, true)}}, 0},
                                   {{{0, bits(true, false)}, {1, bits(false, true)}}, 1}, {{{0, bits(false, true)}, {1, bits(true, false)}}, 1}}};
    const auto steps = prove(problem, std::get<Conflict>(solve(problem)));
    REQUIRE(steps.size() == 1);
    REQUIRE(steps.front().cases.size() == 1);
    CHECK(steps.front().cases.front().values == bits(true, true));
}
