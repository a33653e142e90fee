#include "solver/proof.hpp"

#include <algorithm>
#include <optional>

#include "base/bug.hpp"

namespace vmatrix::solver {
namespace {

class Prover {
public:
    Prover(const Problem& problem, const Conflict& conflict) : problem_(problem), origins_(conflict.origins) {}

    std::vector<Step> prove(std::vector<Bits> domains) const {
        std::vector<Step> steps;
        for (bool changed = true; changed;) {
            changed = false;
            for (const Origin origin : origins_) {
                const auto before = steps.size();
                if (apply(origin, domains, steps)) return needed(std::move(steps));
                changed = changed || steps.size() > before;
            }
        }
        steps.push_back(split(domains));
        return needed(std::move(steps));
    }

private:
    /// Adds a step for each variable that the clauses of an origin take values from; true on a contradiction.
    bool apply(Origin origin, std::vector<Bits>& domains, std::vector<Step>& steps) const {
        const auto before = domains;
        bool failed = false;
        for (const Clause& clause : problem_.clauses) {
            if (clause.origin != origin || failed) continue;
            const auto alive = only_alive(clause, domains);
            if (!alive) continue;
            if (*alive == nullptr) {   // a clause without a way out takes all from its first variable
                failed = true;
                if (clause.literals.empty()) steps.push_back({origin, 0, {}, {}, true, {}});
                else domains[clause.literals.front().variable] = Bits(problem_.domains[clause.literals.front().variable]);
            } else {
                domains[(*alive)->variable] &= (*alive)->values;
            }
        }
        for (Variable v = 0; v < domains.size(); ++v) {
            if (domains[v] == before[v]) continue;
            Bits removed = domains[v].complement();
            removed &= before[v];
            steps.push_back({origin, v, std::move(removed), domains[v], false, {}});
            if (domains[v].empty()) return true;   // what else this origin does is not needed
        }
        return failed;
    }

    /// The only literal of a clause that can still hold, null if none can; nothing if the clause decides nothing.
    static std::optional<const Literal*> only_alive(const Clause& clause, const std::vector<Bits>& domains) {
        const Literal* alive = nullptr;
        for (const Literal& literal : clause.literals) {
            const Bits& domain = domains[literal.variable];
            if (!domain.intersects(literal.values)) continue;
            if (alive != nullptr || domain.subset_of(literal.values)) return std::nullopt;
            alive = &literal;
        }
        return alive;
    }

    /// Follows each value of the variable with the fewest left.
    [[nodiscard]] Step split(const std::vector<Bits>& domains) const {
        Variable chosen = domains.size();
        for (Variable v = 0; v < domains.size(); ++v)
            if (domains[v].count() > 1 && named(v) && (chosen == domains.size() || domains[v].count() < domains[chosen].count())) chosen = v;
        if (chosen == domains.size()) throw base::Bug("a conflict that can hold");
        Step step{0, chosen, Bits(domains[chosen].size()), Bits(domains[chosen].size()), false, {}};
        for (std::size_t value = 0; value < domains[chosen].size(); ++value) {
            if (!domains[chosen].test(value)) continue;
            Bits only(domains[chosen].size());
            only.set(value);
            auto narrowed = domains;
            narrowed[chosen] = only;
            add_case(step.cases, only, prove(std::move(narrowed)));
        }
        return step;
    }

    /// Values that fail by the same origins are one case, told by the first.
    static void add_case(std::vector<Case>& cases, const Bits& value, std::vector<Step> steps) {
        const auto same = [&](const Case& other) { return std::ranges::equal(other.steps, steps, {}, &Step::origin, &Step::origin); };
        const auto found = std::ranges::find_if(cases, same);
        if (found == cases.end()) cases.push_back({value, std::move(steps)});
        else found->values |= value;
    }

    [[nodiscard]] bool named(Variable variable) const {
        return std::ranges::any_of(problem_.clauses, [&](const Clause& clause) {
            return std::ranges::find(origins_, clause.origin) != origins_.end() && std::ranges::any_of(clause.literals, [&](const Literal& literal) { return literal.variable == variable; });
        });
    }

    /// Leaves out the steps that the last one does not rest on.
    [[nodiscard]] std::vector<Step> needed(std::vector<Step> steps) const {
        std::vector<bool> used(problem_.domains.size(), false);
        std::vector<bool> keep(steps.size(), false);
        for (std::size_t i = steps.size(); i-- > 0;) {
            const Step& step = steps[i];
            keep[i] = i + 1 == steps.size() || used[step.variable];
            if (!keep[i]) continue;
            if (!step.cases.empty()) used.assign(used.size(), true);
            used[step.variable] = true;
            for (const Clause& clause : problem_.clauses)
                if (clause.origin == step.origin)
                    for (const Literal& literal : clause.literals) used[literal.variable] = true;
        }
        std::vector<Step> kept;
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (keep[i]) kept.push_back(std::move(steps[i]));
        return kept;
    }

    const Problem& problem_;
    const std::vector<Origin>& origins_;
};

}  // namespace

std::vector<Step> prove(const Problem& problem, const Conflict& conflict) {
    std::vector<Bits> domains;
    for (const std::size_t size : problem.domains) domains.emplace_back(size, true);
    return Prover(problem, conflict).prove(std::move(domains));
}

}  // namespace vmatrix::solver
