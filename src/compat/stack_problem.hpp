/// A host, a request and the rules as a problem for the solver: what can be chosen, what each rule says of it, and what a solution or
/// a conflict means. docs/resolver.md tells how.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compat/answer.hpp"
#include "compat/candidates.hpp"
#include "compat/host.hpp"
#include "compat/request.hpp"
#include "solver/solve.hpp"

namespace vmatrix::compat {

/// Variables: each package (or the runtime by itself), the Python, the driver.
class StackProblem {
public:
    /// All four must outlive the problem. `subject` is the wish that the answer is about.
    StackProblem(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject)
        : question_(matrix, host, request), matrix_(matrix), host_(host), request_(request), subject_(subject) {}

    /// Finds the candidates and judges them. Errors (usage): the matrix has no releases of the subject.
    base::Result<void> build();
    /// Clauses for one floor: what a rule puts below it is forbidden.
    [[nodiscard]] solver::Problem problem(Level floor);
    /// An origin that no clause of the last problem has.
    [[nodiscard]] solver::Origin free_origin() const { return sources_.size(); }

    [[nodiscard]] Stack stack(const solver::Solution& values) const;
    /// Forbids every build of the release of the subject that a solution chose.
    [[nodiscard]] solver::Clause other_release(const solver::Solution& values, solver::Origin origin) const;
    /// Leaves the candidates that need something set in the environment.
    [[nodiscard]] solver::Clause only_with_environment(solver::Origin origin) const;
    /// The newest release with code for all cards, if there are newer ones without.
    [[nodiscard]] std::optional<Reason> last_release() const;
    /// Tells a conflict of the last problem: rules first, each by the best candidate that the other parts leave; then the wishes.
    void explain(const solver::Conflict& conflict, ResolveAnswer& answer) const;

private:
    /// Where a clause comes from: a part of the request, or a relation.
    struct Source {
        enum class Kind { wish, relation };
        Kind kind = Kind::relation;
        std::string wish;                ///< "torch==2.6.0", "Python 3.9"
        std::string relation;            ///< the relation's name; for a wish, what it is about
        std::size_t choice = 0;          ///< whose candidates it is about
        std::size_t other = 0;           ///< of a relation of two packages: the other one
        solver::Bits allowed = {};       ///< of a wish about candidates: those that it leaves
    };
    /// Levels of a relation, by candidate and by value of the other variable.
    using Levels = std::vector<std::vector<Level>>;
    struct Pair {
        std::size_t one, other;
        Link link;
        Levels levels;
    };

    base::Result<void> make_choices();
    void make_pythons();
    void make_drivers();
    void judge_pairs();
    [[nodiscard]] std::vector<Level> driver_levels(const Candidate& candidate, std::map<std::pair<std::string, bool>, std::vector<Level>>& by_runtime) const;

    [[nodiscard]] solver::Variable python_variable() const { return choices_.size(); }
    [[nodiscard]] solver::Variable driver_variable() const { return choices_.size() + 1; }
    [[nodiscard]] const std::vector<Candidate>& candidates(std::size_t choice = 0) const { return choices_[choice].candidates; }
    [[nodiscard]] const Candidate& chosen(const solver::Solution& values, std::size_t choice = 0) const { return candidates(choice)[values[choice]]; }

    solver::Origin new_origin(Source source);
    void add_wishes(solver::Problem& problem);
    void add_choices(solver::Problem& problem);
    void add_host_relations(solver::Problem& problem, Level floor);
    void add_candidate_relations(solver::Problem& problem, Level floor, std::size_t choice);
    void add_driver_relations(solver::Problem& problem, Level floor);
    /// Whether an index has it, or the image that was named.
    [[nodiscard]] bool can_be_had(const Candidate& candidate) const;
    [[nodiscard]] Level least_level(Level floor, Level best) const;
    void add_pairs(solver::Problem& problem, Level floor, std::size_t choice, solver::Variable variable, Source source, const Levels& levels);

    [[nodiscard]] bool has_driver() const { return real_driver_; }
    [[nodiscard]] solver::Bits wanted(const Choice& choice) const;
    template <class Predicate>
    [[nodiscard]] solver::Bits those(std::size_t choice, Predicate predicate) const {
        const auto& all = candidates(choice);
        solver::Bits set(all.size());
        for (std::size_t c = 0; c < all.size(); ++c)
            if (predicate(all[c])) set.set(c);
        return set;
    }
    [[nodiscard]] std::vector<Judgement> judgements(const solver::Solution& values) const;
    void fill_components(const Candidate& candidate, Stack& stack) const;
    [[nodiscard]] std::vector<std::string> assumptions(const solver::Solution& values) const;
    [[nodiscard]] const Fact* image_for(const solver::Solution& values) const;

    [[nodiscard]] bool for_this_maker(const Candidate& candidate) const;
    [[nodiscard]] solver::Bits left_by_others(const solver::Conflict& conflict, std::size_t choice, solver::Origin told) const;
    /// `own`: by candidates for the cards' maker, else by the others.
    [[nodiscard]] std::optional<Judgement> tell(const Source& source, const solver::Bits& left, bool own) const;
    [[nodiscard]] std::optional<Judgement> worst_of(const Source& source, const Candidate& candidate) const;
    [[nodiscard]] std::size_t count_same(const Source& source, const solver::Bits& left, std::size_t told) const;
    [[nodiscard]] Reason nothing_matches() const;

    Question question_;
    const Matrix& matrix_;
    const Host& host_;
    const Request& request_;
    const Spec& subject_;
    std::vector<Choice> choices_;                       ///< the subject first
    std::vector<std::string> pythons_;
    std::vector<Version> drivers_;
    std::vector<Levels> python_levels_, driver_levels_; ///< by choice
    std::vector<Pair> pairs_;                           ///< of choices that have to do with each other
    bool real_driver_ = false;                          ///< false: `drivers_` holds a placeholder
    std::vector<Source> sources_;                       ///< of the last problem, by origin
    Level floor_ = Level::unknown;                      ///< of the last problem
};

}  // namespace vmatrix::compat
