/// A host, a request and the rules as a problem for the solver: what can be chosen, what each rule says of it, and what a solution or
/// a conflict means. docs/resolver.md tells how.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compat/answer.hpp"
#include "compat/candidates.hpp"
#include "compat/relations.hpp"
#include "compat/host.hpp"
#include "compat/request.hpp"
#include "solver/proof.hpp"

namespace vmatrix::compat {

/// Variables: each package (or the runtime by itself), the Python, the driver.
class StackProblem {
public:
    /// All five must outlive the problem. `subject` is the wish that the answer is about; `judged` holds what problems before this one judged.
    StackProblem(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject, Judged& judged)
        : question_(matrix, host, request), turns_on_(turns_on(question_)), matrix_(matrix), host_(host), request_(request), subject_(subject), judged_(judged) {}

    /// Finds the candidates and judges them. Errors (usage): the matrix has no releases of the subject.
    base::Result<void> build();
    /// Judges also what no stack can have, for the relations of a conflict: it is minimal only if its parts are judged without each other.
    /// False if all of that was judged before.
    bool judge_all(const solver::Conflict& conflict);
    /// The same for the relations of a solution in which it has what was not judged yet.
    bool judge_all(const solver::Solution& values);
    /// Clauses for one floor: what a rule puts below it is forbidden.
    [[nodiscard]] solver::Problem problem(Level floor);
    /// Raises the lowest floor of each relation as far as a stack allows, beginning with a solution at it: one part that nobody knows is no
    /// reason to take others that nobody knows either.
    [[nodiscard]] solver::Solution raise(solver::Solution values);
    /// An origin that no clause of the last problem has.
    [[nodiscard]] solver::Origin free_origin() const { return sources_.size(); }
    /// The origins of the last problem that are parts of the request: those of one wish together, in its order.
    [[nodiscard]] std::vector<std::vector<solver::Origin>> wishes() const;

    [[nodiscard]] Stack stack(const solver::Solution& values) const;
    /// What the newest record tells of that the wishes allow and that passed; nothing without one.
    [[nodiscard]] std::optional<solver::Solution> recorded();
    /// Forbids every build of the release of the subject that a solution chose.
    [[nodiscard]] solver::Clause other_release(const solver::Solution& values, solver::Origin origin) const;
    /// Whether a candidate of the subject for these cards' maker comes before the one that a solution chose; and the wish for one of them.
    [[nodiscard]] bool has_better(const solver::Solution& values) const { return !better_than(values).empty(); }
    void want_better(solver::Problem& problem, const solver::Solution& values);
    /// Leaves the candidates that need something set in the environment.
    [[nodiscard]] solver::Clause only_with_environment(solver::Origin origin) const;
    /// The newest release with code for all cards, if there are newer ones without.
    [[nodiscard]] std::optional<Reason> last_release() const;
    /// Named packages that a conflict is about, whatever their versions, and that no other one brings anyway.
    [[nodiscard]] std::vector<solver::Variable> present_in(const solver::Problem& problem, const solver::Conflict& conflict) const;
    /// Tells a conflict of the last problem, which is given again: its story, and the wishes that take part.
    void explain(const solver::Problem& problem, const solver::Conflict& conflict, ResolveAnswer& answer) const;

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
    struct Levels {
        std::vector<std::vector<Level>> of;
        solver::Bits candidates, values;   ///< those judged; the others are taken to fare well, until they matter
    };
    struct Pair {
        std::size_t one = 0, other = 0;
        Link link;
        Levels levels;
    };

    base::Result<void> make_choices();
    void order(Choice& choice) const;
    void make_pythons();
    void make_drivers();
    void relate_packages();
    void judge_pythons(std::size_t choice);
    void judge_drivers(std::size_t choice);
    void judge_pair(Pair& pair) const;
    /// Judges a relation, by `judge()`, also for these; false if that was done before.
    template <class Judge>
    bool judge_more(Levels& levels, const solver::Bits& candidates, const solver::Bits& values, Judge judge);
    template <class Judge>
    bool judge_in_full(Levels& levels, Judge judge);
    [[nodiscard]] solver::Bits better_than(const solver::Solution& values) const;
    /// Candidates that nothing but wishes says no to; and those that wishes leave of them.
    [[nodiscard]] solver::Bits possible(std::size_t choice) const;
    [[nodiscard]] solver::Bits survivors(const Choice& choice) const;
    [[nodiscard]] std::vector<Level> python_levels(const Candidate& candidate) const;
    void add_preferences(solver::Problem& problem);
    [[nodiscard]] bool is_preferred(const std::string& package) const;
    [[nodiscard]] std::vector<Level> driver_levels(const Candidate& candidate) const;

    [[nodiscard]] solver::Variable python_variable() const { return choices_.size(); }
    [[nodiscard]] solver::Variable driver_variable() const { return choices_.size() + 1; }
    [[nodiscard]] const std::vector<Candidate>& candidates(std::size_t choice = 0) const { return choices_[choice].candidates; }
    [[nodiscard]] const Candidate& chosen(const solver::Solution& values, std::size_t choice = 0) const { return candidates(choice)[values[choice]]; }

    solver::Origin new_origin(Source source);
    void add_wishes(solver::Problem& problem);
    void add_exclusion(solver::Problem& problem, const Spec& spec);
    void add_choices(solver::Problem& problem);
    void add_host_relations(solver::Problem& problem, Level floor);
    void add_candidate_relations(solver::Problem& problem, Level floor, std::size_t choice);
    void add_driver_relations(solver::Problem& problem, Level floor);
    /// Whether an index has it, or the image that was named.
    [[nodiscard]] bool can_be_had(const Candidate& candidate) const;
    [[nodiscard]] Level least_level(Level floor, Level best) const;
    /// The floor of one relation, where it was raised above that of the problem.
    [[nodiscard]] Level raised(Level floor, solver::Origin origin) const { return floor == Level::unknown && origin < raised_.size() ? raised_[origin] : floor; }
    /// The best floor at which a solution satisfies each relation.
    [[nodiscard]] std::vector<Level> levels_of(const solver::Solution& values);
    template <class Judge>
    void add_pairs(solver::Problem& problem, Level floor, std::size_t choice, solver::Variable variable, Source source, Levels& levels, Judge judge);
    /// The best that is judged of any candidate for the cards' maker.
    [[nodiscard]] Level best_of(std::size_t choice, const Levels& levels) const;

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
    /// Clauses that leave what a record tells of.
    void keep_recorded(solver::Problem& problem, const Fact& record);
    void fill_runtimes(const solver::Solution& values, Stack& stack) const;
    void fill_components(const Candidate& candidate, Stack& stack) const;
    [[nodiscard]] bool needs_python(const std::vector<Build>& builds) const;
    [[nodiscard]] std::vector<std::string> assumptions(const solver::Solution& values, const std::vector<Build>& builds) const;
    [[nodiscard]] const Fact* image_for(const solver::Solution& values) const;

    [[nodiscard]] bool for_this_maker(const Candidate& candidate) const;
    using Domains = std::vector<solver::Bits>;
    void tell(const std::vector<solver::Step>& steps, Domains domains, std::size_t depth, bool own, ResolveAnswer& answer) const;
    void tell_cases(const solver::Step& step, const Domains& domains, std::size_t depth, bool own, ResolveAnswer& answer) const;
    /// What a relation says of the values that it takes; `own`: by candidates for the cards' maker, else by the others.
    [[nodiscard]] std::vector<Judgement> statements(const Source& source, const solver::Step& step, const Domains& domains, bool own) const;
    [[nodiscard]] bool is_named(const std::string& package) const;
    [[nodiscard]] bool is_needed(const std::string& package) const;
    [[nodiscard]] std::optional<Judgement> about_choice(const Source& source, const Candidate& candidate) const;
    [[nodiscard]] std::vector<Judgement> unmet_needs(const Source& source, const solver::Step& step, const Domains& domains, bool own) const;
    [[nodiscard]] std::vector<Judgement> by_need(std::size_t choice, std::size_t other, const solver::Bits& values, const solver::Bits& offered) const;
    [[nodiscard]] std::vector<Judgement> about_host(const Source& source) const;
    [[nodiscard]] std::optional<Judgement> about_value(const Source& source, solver::Variable variable, std::size_t value, const Domains& domains) const;
    [[nodiscard]] std::optional<Judgement> about_candidate(const Source& source, std::size_t choice, std::size_t candidate, const Domains& domains) const;
    [[nodiscard]] std::vector<Judgement> of_pair(const Source& source, std::size_t candidate, std::size_t value) const;
    [[nodiscard]] solver::Bits told_of(solver::Variable variable, const solver::Bits& values, bool own) const;
    [[nodiscard]] std::string values_text(solver::Variable variable, const solver::Bits& values) const;
    [[nodiscard]] Reason nothing_matches() const;

    Question question_;
    const std::string turns_on_;
    const Matrix& matrix_;
    const Host& host_;
    const Request& request_;
    const Spec& subject_;
    Judged& judged_;
    std::vector<Choice> choices_;                       ///< the subject first
    std::vector<std::string> pythons_;
    std::vector<Version> drivers_;
    std::vector<std::vector<Judgement>> driver_judgements_;   ///< what each driver says by itself
    std::vector<Levels> python_levels_, driver_levels_; ///< by choice
    std::vector<Pair> pairs_;                           ///< of choices that have to do with each other
    bool real_driver_ = false;                          ///< false: `drivers_` holds a placeholder
    std::vector<Source> sources_;                       ///< of the last problem, by origin
    Level floor_ = Level::unknown;                      ///< of the last problem
    std::vector<Level> raised_;                         ///< floors of relations, by origin, where the problem's is `unknown`
};

}  // namespace vmatrix::compat
