#include "solver/solve.hpp"

#include <algorithm>

#include "base/bug.hpp"

namespace vmatrix::solver {
namespace {

/// One search over the clauses whose origins are enabled.
class Search {
public:
    Search(const Problem& problem, const std::vector<bool>& enabled) : used_(enabled.size(), false) {
        for (const std::size_t size : problem.domains) domains_.emplace_back(size, true);
        for (const Variable v : problem.first) order_.push_back(v);
        for (Variable v = 0; v < domains_.size(); ++v)
            if (std::ranges::find(problem.first, v) == problem.first.end()) order_.push_back(v);
        watchers_.resize(domains_.size());
        for (const Clause& clause : problem.clauses) {
            if (!enabled[clause.origin]) continue;
            active_.push_back(&clause);
            for (const Literal& literal : clause.literals) watchers_[literal.variable].push_back(active_.size() - 1);
        }
    }

    std::optional<Solution> run() {
        for (std::size_t i = 0; i < active_.size(); ++i) enqueue(i);
        if (!propagate()) return std::nullopt;
        for (;;) {
            const Variable open = first_open();
            if (open == domains_.size()) return solution();
            choose(open, domains_[open].first());
            while (!propagate())
                if (!undo_last_choice()) return std::nullopt;
        }
    }

    /// Origins whose clauses removed a value or failed. Without all others the problem is as unsatisfiable as with them.
    [[nodiscard]] const std::vector<bool>& used() const { return used_; }

private:
    struct Choice {
        Variable variable;
        std::size_t value;
        std::size_t trail;    ///< length of the trail before the choice
    };
    struct Change {
        Variable variable;
        Bits before;
    };

    void enqueue(std::size_t clause) {
        if (queued_.size() < active_.size()) queued_.resize(active_.size(), false);
        if (queued_[clause]) return;
        queued_[clause] = true;
        queue_.push_back(clause);
    }

    void restrict(Variable variable, const Bits& allowed) {
        trail_.push_back({variable, domains_[variable]});
        domains_[variable] &= allowed;
        for (const std::size_t clause : watchers_[variable]) enqueue(clause);
    }

    /// False on a contradiction; the queue is empty then.
    bool propagate() {
        for (std::size_t next = 0; next < queue_.size(); ++next) {
            const std::size_t index = queue_[next];
            queued_[index] = false;
            if (apply(*active_[index])) continue;
            for (std::size_t rest = next + 1; rest < queue_.size(); ++rest) queued_[queue_[rest]] = false;
            queue_.clear();
            return false;
        }
        queue_.clear();
        return true;
    }

    bool apply(const Clause& clause) {
        const Literal* alive = nullptr;
        for (const Literal& literal : clause.literals) {
            const Bits& domain = domains_[literal.variable];
            if (!domain.intersects(literal.values)) continue;
            if (alive || domain.subset_of(literal.values)) return true;   // holds, or may still hold in two ways
            alive = &literal;
        }
        used_[clause.origin] = true;
        if (!alive) return false;
        restrict(alive->variable, alive->values);
        return true;
    }

    [[nodiscard]] Variable first_open() const {
        for (const Variable v : order_)
            if (domains_[v].count() != 1) return v;
        return domains_.size();
    }

    void choose(Variable variable, std::size_t value) {
        choices_.push_back({variable, value, trail_.size()});
        Bits only(domains_[variable].size());
        only.set(value);
        restrict(variable, only);
    }

    /// Takes the last choice back and forbids its value there; false when there is no choice left.
    bool undo_last_choice() {
        if (choices_.empty()) return false;
        const Choice choice = choices_.back();
        choices_.pop_back();
        while (trail_.size() > choice.trail) {
            domains_[trail_.back().variable] = std::move(trail_.back().before);
            trail_.pop_back();
        }
        Bits others = domains_[choice.variable];
        others.reset(choice.value);
        restrict(choice.variable, others);
        return !others.empty() || undo_last_choice();
    }

    [[nodiscard]] Solution solution() const {
        Solution values;
        for (const Bits& domain : domains_) values.push_back(domain.first());
        return values;
    }

    std::vector<Bits> domains_;
    std::vector<Variable> order_;
    std::vector<const Clause*> active_;
    std::vector<std::vector<std::size_t>> watchers_;   ///< variable -> clauses that name it
    std::vector<std::size_t> queue_;
    std::vector<bool> queued_;
    std::vector<Change> trail_;
    std::vector<Choice> choices_;
    std::vector<bool> used_;
};

void validate(const Problem& problem) {
    for (const Clause& clause : problem.clauses)
        for (const Literal& literal : clause.literals)
            if (literal.variable >= problem.domains.size() || literal.values.size() != problem.domains[literal.variable])
                throw base::Bug("a clause does not fit its problem");
    if (std::ranges::find(problem.domains, 0u) != problem.domains.end()) throw base::Bug("a variable has no values");
}

std::size_t origin_count(const Problem& problem) {
    std::size_t count = 0;
    for (const Clause& clause : problem.clauses) count = std::max(count, clause.origin + 1);
    return count;
}

/// Leaves out what is not needed for the contradiction, the last origins first.
Conflict minimise(const Problem& problem, std::vector<bool> enabled) {
    for (Origin origin = enabled.size(); origin-- > 0;) {
        if (!enabled[origin]) continue;
        enabled[origin] = false;
        Search search(problem, enabled);
        if (search.run()) {
            enabled[origin] = true;
            continue;
        }
        for (Origin other = 0; other < enabled.size(); ++other) enabled[other] = enabled[other] && search.used()[other];
    }
    Conflict conflict;
    for (Origin origin = 0; origin < enabled.size(); ++origin)
        if (enabled[origin]) conflict.origins.push_back(origin);
    return conflict;
}

}  // namespace

std::variant<Solution, Conflict> solve(const Problem& problem) {
    validate(problem);
    Search search(problem, std::vector<bool>(origin_count(problem), true));
    if (auto found = search.run()) return std::move(*found);
    return minimise(problem, search.used());
}

std::optional<Solution> solve_without(const Problem& problem, const std::vector<Origin>& ignored) {
    validate(problem);
    std::vector<bool> enabled(origin_count(problem), true);
    for (const Origin origin : ignored)
        if (origin < enabled.size()) enabled[origin] = false;
    return Search(problem, enabled).run();
}

}  // namespace vmatrix::solver
