/// What can be chosen for a request, with what every rule says of each: the one place where both `check` and `resolve`
/// ask the rules.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "compat/answer.hpp"
#include "compat/host.hpp"
#include "compat/request.hpp"

namespace vmatrix::compat {

using Names = std::set<std::string, std::less<>>;

/// A build, or a release of a runtime asked for by itself.
struct Candidate {
    std::optional<Build> build;
    std::string component;                          ///< "torch", "rocm", "cuda"
    std::string version;                            ///< "2.9.1+cu128", "7.2.0"; empty: the package is not installed
    std::optional<Version> cuda, rocm;              ///< runtime
    std::string runtime_minor;                      ///< its first two numbers, "12.6"; empty without one
    bool leads = true;                              ///< it needs no other package: the runtime is its own
    bool needs_jit = false;                         ///< a card runs it only by PTX
    bool preview = false;
    Names brought_by;                               ///< packages asked for whose builds bring this package in a version of their own
    Parts parts;                                    ///< itself, its runtime and what it carries, as far as rules ask for it
    std::vector<Judgement> judgements;              ///< of relations that no Python, no driver and no other package take part in

    [[nodiscard]] bool absent() const { return version.empty(); }
};

/// A package, or a runtime by itself, and what can be chosen for it.
struct Choice {
    Spec wish;
    bool implied = false;                 ///< needed by another package, not asked for: the first candidate is its absence
    std::vector<Candidate> candidates;    ///< best first
};

/// What is known of a package that builds of others bring in versions of their own.
struct Brought {
    Names by, versions;
};

/// A request on a host, and what follows from both. All that is referred to must outlive it.
struct Question {
    Question(const Matrix& of_matrix, const Host& of_host, const Request& asked);

    const Matrix& matrix;
    const Host& host;
    const Request& request;
    Names packages;   ///< what has builds
    Names subjects;   ///< the first package named and what it needs: a wish for a runtime is about theirs; empty where no other is named
    std::map<std::string, Brought> brought;   ///< packages asked for that others asked for bring
    Parts around;     ///< kernel, C library, and versions asked for of what has no builds
};

/// Whether another package brings exactly this one: they were made and tried together, so what is not known of it by itself is no matter.
[[nodiscard]] bool is_brought(const Question& question, const Candidate& candidate);
/// Whether the runtime of a package is that of the package which the answer is about.
[[nodiscard]] bool is_of_subject(const Question& question, const std::string& package);

[[nodiscard]] Candidate make_candidate(const Question& question, Build build);
[[nodiscard]] Candidate make_candidate(const Question& question, const std::string& component, const Version& version);
/// What was judged for one request and is the same for another that differs in a wish, the Python or the driver: repairs ask for much that
/// the request itself asked for.
struct Judged {
    std::map<std::string, std::vector<Candidate>> candidates;   ///< by all that they turn on
    using Levels = std::map<std::string, std::map<std::string, Level>>;   ///< by what they turn on, then by Python or driver
    Levels runtimes_with_drivers, needs_with_drivers, candidates_with_pythons;
};
/// All that candidates of any package turn on: the host but its driver and Python, the environment, wishes for what has no builds or is carried.
[[nodiscard]] std::string turns_on(const Question& question);
/// All builds of a package, `on` all that they turn on, best first: the newest release, in it the build on PyPI, then the newest runtime.
[[nodiscard]] std::vector<Candidate> all_candidates(const Question& question, const std::string& package, const std::string& on, Judged& judged);
/// Adds the packages with builds that those chosen from need, and the ones that these need.
void add_needed(const Question& question, std::vector<Choice>& choices, const std::string& on, Judged& judged);

/// The request as it is once the variables are set that the candidates want; nothing where they want none.
[[nodiscard]] std::optional<Request> with_environment(const Request& request, const std::vector<const Candidate*>& candidates);

/// Whether a wish is for CUDA or ROCm, which stand inside a framework or by themselves.
[[nodiscard]] bool is_runtime(const Spec& spec);
/// The wish that an answer is about: the framework, else a runtime by itself; null when the request names neither.
[[nodiscard]] const Spec* main_spec(const Matrix& matrix, const Request& request);
/// What is said of wishes that no rule reads.
[[nodiscard]] std::vector<std::string> unjudged(const Matrix& matrix, const Request& request);

/// Appends the judgements of a relation, those that tell nothing left out.
void append(std::vector<Judgement>& all, const std::string& relation, std::vector<Judgement> more);
/// A record that decides, then the worst.
void worst_first(std::vector<Judgement>& judgements);
/// The level of the worst, or of a record that decides.
[[nodiscard]] Level worst(const std::vector<Judgement>& judgements);
/// "3.12.4" -> "3.12"
[[nodiscard]] std::string minor_of(const std::string& python);

}  // namespace vmatrix::compat
