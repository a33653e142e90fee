#include "compat/resolve.hpp"

#include <algorithm>
#include <array>
#include <ranges>

#include "base/text.hpp"
#include "compat/candidates.hpp"
#include "compat/rules/rules.hpp"
#include "solver/solve.hpp"

namespace vmatrix::compat {
namespace {

using solver::Bits;
using solver::Origin;

constexpr std::string_view default_package = "torch";
constexpr std::array<Level, 4> floors{Level::supported, Level::expected, Level::workaround, Level::unknown};

/// Where a clause comes from: a part of the request, or a relation.
struct Source {
    enum class Kind { wish, relation };
    Kind kind = Kind::relation;
    std::string wish;           ///< "torch==2.6.0", "--python 3.9"; what a repair can leave out
    std::string dimension;      ///< "package", "python", "driver", or the name of a relation
    std::size_t index = 0;
    Bits allowed = {};          ///< of a wish about candidates: those that it leaves
};

/// The variables of a host's problem and what the rules say about their values.
class Model {
public:
    Model(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject)
        : matrix_(matrix), host_(host), request_(request), subject_(subject) {}

    base::Result<void> build() {
        if (auto made = make_candidates(); !made) return made;
        if (candidates_.empty()) return base::fail("the matrix knows no releases of `" + base::printable(subject_.name) + "`", "`vmatrix matrix list components` shows what it knows", base::ErrorKind::usage);
        make_pythons();
        make_drivers();
        judge_pairs();
        return {};
    }

    /// Clauses for one floor; sources_ names the origins.
    solver::Problem problem(Level floor) {
        sources_.clear();
        solver::Problem problem;
        problem.domains = {candidates_.size(), pythons_.size(), drivers_.size()};
        add_wishes(problem);
        add_unary(problem, floor);
        // An experimental Python is a workaround that nobody gets without having asked for that Python.
        const Level python_floor = request_.python ? floor : std::max(floor, Level::expected);
        add_binary(problem, python_floor, python_variable, pythons_.size(), "python", [&](std::size_t c, std::size_t p) { return python_levels_[c][p]; });
        if (has_driver()) {
            add_binary(problem, floor, driver_variable, drivers_.size(), "driver", [&](std::size_t c, std::size_t d) { return driver_levels_[c][d]; });
            add_card_drivers(problem, floor);
            add_image_start(problem, floor);
        }
        return problem;
    }

    Stack stack(const solver::Solution& values) const {
        const Candidate& candidate = candidates_[values[0]];
        Stack stack;
        std::vector<Judgement> all = candidate.judgements;
        if (candidate.build) all.push_back(with_python(host_, candidate, pythons_[values[1]]));
        if (has_driver()) {
            all.push_back(with_driver(matrix_, host_, candidate, drivers_[values[2]]));
            for (const Card& card : host_.cards) all.push_back(judge_card_driver(matrix_, host_, card, drivers_[values[2]]));
            if (request_.image) all.push_back(judge_image_start(matrix_, host_, *request_.image, drivers_[values[2]]));
        }
        std::ranges::stable_sort(all, {}, &Judgement::level);
        stack.level = worst(all);
        for (Judgement& judgement : all) {
            if (!judgement.reason.text.empty()) stack.reasons.push_back(std::move(judgement.reason));
            stack.environment.merge(judgement.environment);
        }
        fill_components(candidate, values, stack);
        stack.build = candidate.build;
        return stack;
    }

    [[nodiscard]] const std::vector<Source>& sources() const { return sources_; }
    [[nodiscard]] std::size_t candidates() const { return candidates_.size(); }

    /// Forbids every build of the release that a solution chose.
    solver::Clause other_release(const solver::Solution& values, Origin origin) const {
        Bits others = those([&](const Candidate& candidate) { return !same_release(candidate, candidates_[values[0]]); });
        return {{{0, std::move(others)}}, origin};
    }

    /// The newest release with code for all cards, if there are newer ones without.
    std::optional<Reason> last_release() const {
        if (!candidates_.front().build || host_.cards.empty()) return std::nullopt;
        const auto serves = [&](const Candidate& candidate) {
            return std::ranges::all_of(candidate.judgements, [](const Judgement& judgement) { return !judgement.relation.starts_with("architecture") || judgement.level >= Level::expected; });
        };
        const auto last = std::ranges::find_if(candidates_, serves);
        const auto newest = std::ranges::find_if(candidates_, [](const Candidate& candidate) {   // a release whose lists nobody has read tells nothing
            return (candidate.cuda || candidate.rocm) && candidate.build->fact->find("architectures");
        });
        if (last == candidates_.end() || newest == candidates_.end() || same_release(*last, *newest)) return std::nullopt;
        Reason reason = last->judgements.front().reason;
        reason.text = "the last release of " + last->component + " with code for " + host_.cards.front().title() + " is " + last->version;
        return reason;
    }

    /// Leaves the candidates that need something set in the environment.
    solver::Clause only_with_environment(Origin origin) const {
        Bits needing = those([](const Candidate& candidate) {
            return std::ranges::any_of(candidate.judgements, [](const Judgement& judgement) { return !judgement.environment.empty(); });
        });
        return {{{0, std::move(needing)}}, origin};
    }

    /// Tells the conflict: rules first, each by the best candidate that the other parts leave; then the wishes.
    void explain(const solver::Conflict& conflict, ResolveAnswer& answer) const {
        Bits left(candidates_.size(), true);
        for (const Origin origin : conflict.origins)
            if (sources_[origin].kind == Source::Kind::wish && sources_[origin].allowed.size() == left.size()) left &= sources_[origin].allowed;
        bool driver = false;
        for (const Origin origin : conflict.origins) {
            const Source& source = sources_[origin];
            if (source.kind == Source::Kind::wish) answer.wishes.push_back(source.wish);
            else if (auto reason = tell(source, left)) answer.conflict.push_back(std::move(*reason));
            driver = driver || source.dimension == "driver" || source.dimension == "card driver";
        }
        // The driver given is the only value of its variable, so that its clause is never needed for a contradiction.
        const std::string given = host_.driver ? "driver " + host_.driver->str() : "";
        if (driver && !given.empty() && std::ranges::find(answer.wishes, given) == answer.wishes.end()) answer.wishes.push_back(given);
        if (answer.conflict.empty()) answer.conflict.push_back(nothing_matches());
    }

    [[nodiscard]] bool has_driver() const { return !drivers_.empty() && real_driver_; }

private:
    static constexpr solver::Variable python_variable = 1, driver_variable = 2;

    base::Result<void> make_candidates() {
        if (has_builds(matrix_, subject_.name)) {
            const Spec every{subject_.name, subject_.name, {}};
            auto builds = find_builds(matrix_, every, host_, false);
            if (!builds) return tl::make_unexpected(builds.error());
            order_builds(*builds);
            for (Build& build : *builds) candidates_.push_back(make_candidate(matrix_, host_, request_, std::move(build)));
            return {};
        }
        for (const auto& [version, release] : releases_of(matrix_, subject_.name, Scheme::dotted)) {
            candidates_.push_back(make_candidate(matrix_, host_, request_, subject_.name, version));
            candidates_.back().preview = release->text("stream") == "preview";
        }
        return {};
    }

    /// Newest release first; within one, PyPI's build, then the newest runtime.
    static void order_builds(std::vector<Build>& builds) {
        const auto is_default = [](const Build& build) { return build.release->text("default-build") == build.label; };
        std::ranges::stable_sort(builds, [&](const Build& a, const Build& b) {
            if (a.version != b.version) return b.version < a.version;
            if (is_default(a) != is_default(b)) return is_default(a);
            if (a.accelerator != b.accelerator || !a.runtime || !b.runtime) return false;
            return *b.runtime < *a.runtime;
        });
    }

    void make_pythons() {
        std::vector<std::pair<Version, std::string>> known;
        for (const Fact* release : matrix_.of("python-release"))
            if (auto version = Version::parse(Scheme::pep440, release->text("version"))) known.emplace_back(std::move(*version), std::string(release->text("version")));
        std::ranges::sort(known, [](const auto& a, const auto& b) { return b.first < a.first; });
        for (auto& [version, text] : known) pythons_.push_back(std::move(text));
        const auto front = [&](const std::string& text) {
            std::erase(pythons_, text);
            pythons_.insert(pythons_.begin(), text);
        };
        if (!host_.python.empty()) front(host_.python);
        if (request_.python) front(minor_of(*request_.python));
        if (pythons_.empty()) pythons_.emplace_back(no_python);
    }

    /// The driver given, or the newest of each branch, long-term branches first.
    void make_drivers() {
        if (host_.driver) drivers_.push_back(*host_.driver);
        else if (host_.driver_component == "nvidia" && host_.vendor == "nvidia") {
            const auto newest = newest_drivers(matrix_, host_.driver_component);
            const auto is_long = [](const BranchDriver& driver) { return driver.branch->text("support") == "long-term"; };
            for (const bool wanted : {true, false})
                for (const BranchDriver& driver : std::views::reverse(newest))
                    if (is_long(driver) == wanted) drivers_.push_back(driver.version);
        }
        real_driver_ = !drivers_.empty();
        if (drivers_.empty()) drivers_.push_back(*dotted("0"));
    }

    /// Relations over two variables, judged once for all floors. A driver depends on the runtime only, not on the build.
    void judge_pairs() {
        std::map<std::pair<std::string, bool>, std::vector<Level>> by_runtime;
        for (const Candidate& candidate : candidates_) {
            auto& pythons = python_levels_.emplace_back();
            for (const std::string& python : pythons_) pythons.push_back(with_python(host_, candidate, python).level);
            const std::string runtime = candidate.cuda ? "cuda " + candidate.cuda->str() : candidate.rocm ? "rocm " + candidate.rocm->str() : "";
            auto [known, fresh] = by_runtime.try_emplace({runtime, candidate.needs_jit});
            if (fresh && has_driver())
                for (const Version& driver : drivers_) known->second.push_back(with_driver(matrix_, host_, candidate, driver).level);
            driver_levels_.push_back(known->second);
        }
    }

    [[nodiscard]] Bits wanted() const {
        const Scheme scheme = candidates_.front().build ? Scheme::pep440 : Scheme::dotted;
        const auto versions = read_versions(subject_, scheme);
        return those([&](const Candidate& candidate) {
            const auto version = Version::parse(scheme, candidate.version);
            return versions && version && versions->contains(*version);
        });
    }

    template <class Predicate>
    [[nodiscard]] Bits those(Predicate predicate) const {
        Bits set(candidates_.size());
        for (std::size_t c = 0; c < candidates_.size(); ++c)
            if (predicate(candidates_[c])) set.set(c);
        return set;
    }

    Origin new_origin(Source source) {
        sources_.push_back(std::move(source));
        return sources_.size() - 1;
    }

    void add_wishes(solver::Problem& problem) {
        if (!subject_.versions.empty()) {
            const Bits allowed = wanted();
            problem.clauses.push_back({{{0, allowed}}, new_origin({Source::Kind::wish, subject_.text, "package", 0, allowed})});
        }
        if (request_.python) problem.clauses.push_back({{{python_variable, only(pythons_.size(), 0)}}, new_origin({Source::Kind::wish, "Python " + *request_.python, "python", 0})});
        if (host_.driver) problem.clauses.push_back({{{driver_variable, only(drivers_.size(), 0)}}, new_origin({Source::Kind::wish, "driver " + host_.driver->str(), "driver", 0})});
        if (subject_.versions.find("==") == std::string::npos) {
            Bits stable = those([](const Candidate& candidate) { return !candidate.preview; });
            problem.clauses.push_back({{{0, std::move(stable)}}, new_origin({Source::Kind::relation, {}, "preview", 0})});
        }
        if (candidates_.front().build) {
            Bits installable = those([&](const Candidate& candidate) { return candidate.build->installable(host_.platform); });
            problem.clauses.push_back({{{0, std::move(installable)}}, new_origin({Source::Kind::relation, {}, "index", 0})});
        }
        if (host_.cards.empty()) {
            Bits accelerated = those([](const Candidate& candidate) { return candidate.cuda || candidate.rocm; });
            problem.clauses.push_back({{{0, std::move(accelerated)}}, new_origin({Source::Kind::relation, {}, "accelerator", 0})});
        }
    }

    static Bits only(std::size_t size, std::size_t value) {
        Bits set(size);
        set.set(value);
        return set;
    }

    /// One clause for each relation: the candidates that it does not put below the floor.
    void add_unary(solver::Problem& problem, Level floor) {
        std::vector<std::pair<std::string, Bits>> relations;
        for (std::size_t c = 0; c < candidates_.size(); ++c)
            for (const Judgement& judgement : candidates_[c].judgements) {
                auto found = std::ranges::find(relations, judgement.relation, &std::pair<std::string, Bits>::first);
                if (found == relations.end()) found = relations.insert(relations.end(), {judgement.relation, Bits(candidates_.size(), true)});
                if (judgement.level < floor) found->second.reset(c);
            }
        for (auto& [relation, allowed] : relations) {
            Source source{Source::Kind::relation, {}, relation, 0, allowed};
            for (const Spec& spec : request_.specs)
                if (relation == "wish for " + spec.name || relation == "companion " + spec.name) source.kind = Source::Kind::wish, source.wish = spec.text;
            problem.clauses.push_back({{{0, std::move(allowed)}}, new_origin(std::move(source))});
        }
    }

    /// One clause for each group of candidates that allow the same values.
    template <class LevelOf>
    void add_binary(solver::Problem& problem, Level floor, solver::Variable variable, std::size_t size, const std::string& dimension, LevelOf level) {
        std::map<Bits, Bits> groups;   // allowed values -> candidates
        for (std::size_t c = 0; c < candidates_.size(); ++c) {
            Bits allowed(size);
            for (std::size_t v = 0; v < size; ++v)
                if (level(c, v) >= floor) allowed.set(v);
            auto [group, fresh] = groups.try_emplace(std::move(allowed), candidates_.size());
            group->second.set(c);
        }
        const Origin origin = new_origin({Source::Kind::relation, {}, dimension, 0});
        for (const auto& [allowed, members] : groups) problem.clauses.push_back({{{0, members.complement()}, {variable, allowed}}, origin});
    }

    void add_card_drivers(solver::Problem& problem, Level floor) {
        for (std::size_t i = 0; i < host_.cards.size(); ++i) {
            Bits allowed(drivers_.size());
            for (std::size_t d = 0; d < drivers_.size(); ++d)
                if (judge_card_driver(matrix_, host_, host_.cards[i], drivers_[d]).level >= floor) allowed.set(d);
            problem.clauses.push_back({{{driver_variable, std::move(allowed)}}, new_origin({Source::Kind::relation, {}, "card driver", i})});
        }
    }

    void add_image_start(solver::Problem& problem, Level floor) {
        if (!request_.image) return;
        Bits allowed(drivers_.size());
        for (std::size_t d = 0; d < drivers_.size(); ++d)
            if (judge_image_start(matrix_, host_, *request_.image, drivers_[d]).level >= floor) allowed.set(d);
        problem.clauses.push_back({{{driver_variable, std::move(allowed)}}, new_origin({Source::Kind::relation, {}, "image start", 0})});
    }

    static bool same_release(const Candidate& a, const Candidate& b) {
        if (a.build && b.build) return a.build->version == b.build->version;
        return a.version == b.version;
    }

    void fill_components(const Candidate& candidate, const solver::Solution& values, Stack& stack) const {
        auto& components = stack.components;
        components[candidate.component] = candidate.version;
        if (candidate.cuda) components["cuda"] = candidate.cuda->str();
        if (candidate.rocm) components["rocm"] = candidate.rocm->str();
        if (candidate.build && pythons_[values[1]] != no_python) components["python"] = pythons_[values[1]];
        if (has_driver()) components["driver"] = drivers_[values[2]].str();
        if (!candidate.build || !candidate.build->fact) return;
        const bool linux_wheel = host_.platform.starts_with("linux");   // what other wheels carry was not read
        for (const std::string_view field : {"bundles", "companions"})
            if (const Value* map = field == "bundles" && !linux_wheel ? nullptr : candidate.build->fact->find(field))
                for (const auto& [name, value] : map->members) components.emplace(name, value.text);
        stack.assumptions = host_.assumptions;
        if (!request_.python && pythons_[values[1]] != no_python) stack.assumptions.push_back("Python " + pythons_[values[1]] + (host_.python == pythons_[values[1]] ? ", which " + (host_.image ? host_.image->id : host_.os->id) + " brings" : ", as none was named"));
        if (has_driver() && !host_.driver) stack.assumptions.push_back("driver " + drivers_[values[2]].str() + " or newer of its branch, as none was named");
        if (!request_.os) stack.assumptions.push_back("Linux on " + host_.platform.substr(host_.platform.find('-') + 1) + ", as no operating system was named");
    }

    // ---- Telling a conflict

    [[nodiscard]] std::optional<Reason> tell(const Source& source, const Bits& left) const {
        if (source.dimension == "image start") return judge_image_start(matrix_, host_, *request_.image, drivers_.front()).reason;
        if (source.dimension == "card driver") return judge_card_driver(matrix_, host_, host_.cards[source.index], drivers_.front()).reason;
        for (std::size_t c = left.first(); c < candidates_.size(); ++c) {
            if (!left.test(c)) continue;
            auto judgement = worst_of(source, c);
            if (!judgement || judgement->level > Level::workaround || judgement->reason.text.empty()) continue;
            const std::size_t same = count_same(source, left, c);
            if (same > 0) judgement->reason.text += "; the same holds for " + std::to_string(same) + (same == 1 ? " other candidate" : " others");
            return judgement->reason;
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Judgement> worst_of(const Source& source, std::size_t c) const {
        for (const Judgement& judgement : candidates_[c].judgements)
            if (judgement.relation == source.dimension) return judgement;
        if (source.dimension == "python") return with_python(host_, candidates_[c], pythons_.front());
        if (source.dimension == "driver" && has_driver()) return with_driver(matrix_, host_, candidates_[c], drivers_.front());
        return std::nullopt;
    }

    [[nodiscard]] std::size_t count_same(const Source& source, const Bits& left, std::size_t told) const {
        std::size_t count = 0;
        for (std::size_t c = told + 1; c < candidates_.size(); ++c) {
            if (!left.test(c)) continue;
            const auto judgement = worst_of(source, c);
            count += judgement && judgement->level < Level::workaround;
        }
        return count;
    }

    [[nodiscard]] Reason nothing_matches() const {
        Reason reason{candidates_.front().build ? "packaging" : "runtime", {subject_.name}, {}, {}, {}};
        reason.text = "no release of " + subject_.name + " that the matrix knows matches " + (subject_.versions.empty() ? subject_.text : subject_.versions) + "; the newest is " + candidates_.front().version;
        if (candidates_.front().build && candidates_.front().build->release) cite(reason, *candidates_.front().build->release);
        return reason;
    }

    const Matrix& matrix_;
    const Host& host_;
    const Request& request_;
    const Spec& subject_;
    std::vector<Candidate> candidates_;
    std::vector<std::string> pythons_;
    std::vector<Version> drivers_;
    std::vector<std::vector<Level>> python_levels_, driver_levels_;   ///< candidate, value
    bool real_driver_ = false;
    std::vector<Source> sources_;
};

Spec subject_of(const Matrix& matrix, const Request& request) {
    for (const Spec& spec : request.specs)
        if (has_builds(matrix, spec.name)) return spec;
    if (request.of_framework) return {std::string(default_package), std::string(default_package), {}};
    for (const Spec& spec : request.specs)
        if (spec.name == "cuda" || spec.name == "rocm") return spec;
    if (!request.specs.empty()) return request.specs.front();
    return {std::string(default_package), std::string(default_package), {}};
}

/// The best stack at the best floor that has one.
std::optional<std::pair<Level, solver::Solution>> search(Model& model, bool workarounds) {
    for (const Level floor : floors) {
        if (floor == Level::workaround && !workarounds) break;
        auto answer = solver::solve(model.problem(floor));
        if (auto* found = std::get_if<solver::Solution>(&answer)) return std::pair(floor, std::move(*found));
    }
    return std::nullopt;
}

/// First what a lower floor would gain (a newer release, say), then further releases of the same level. Workarounds are no
/// alternative to something that runs without.
void add_alternatives(Model& model, const std::pair<Level, solver::Solution>& best, std::size_t wanted, ResolveAnswer& answer) {
    std::vector<solver::Solution> chosen{best.second};
    const auto add = [&](Level floor) {
        solver::Problem problem = model.problem(floor);
        const Origin origin = model.sources().size();
        for (const auto& values : chosen) problem.clauses.push_back(model.other_release(values, origin));
        auto next = solver::solve(problem);
        auto* values = std::get_if<solver::Solution>(&next);
        if (!values) return false;
        answer.stacks.push_back(model.stack(*values));
        chosen.push_back(std::move(*values));
        return true;
    };
    if (best.first == Level::supported && wanted > 0) add(Level::expected);
    const Level last = std::min(best.first, Level::expected);
    for (const Level floor : floors)
        if (floor <= best.first && floor >= last)
            while (answer.stacks.size() <= wanted && add(floor)) {
            }
}

/// The best stack that runs only with an override, to tell it from those that need none.
std::optional<Stack> find_workaround(Model& model) {
    solver::Problem problem = model.problem(Level::workaround);
    problem.clauses.push_back(model.only_with_environment(model.sources().size()));
    auto found = solver::solve(problem);
    if (const auto* values = std::get_if<solver::Solution>(&found)) return model.stack(*values);
    return std::nullopt;
}

/// The request without a wish that is not about the package itself, solved again.
void try_without(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject, const Spec& wish, ResolveAnswer& answer) {
    Request changed = request;
    std::erase_if(changed.specs, [&](const Spec& spec) { return spec.text == wish.text; });
    const auto stack = best_stack(matrix, host, changed);
    if (!stack || stack->level < Level::workaround || !stack->components.contains(subject.name)) return;
    const std::string& version = stack->components.at(subject.name);
    answer.repairs.push_back({"do without " + wish.text + ": " + subject.name + " " + version, {{wish.name, ""}}, stack->build});
}

/// The request without one of its parts, solved again.
void try_repair(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject, const std::string& what, ResolveAnswer& answer) {
    Request changed = request;
    Host other = host;
    Repair repair;
    if (what == "package") std::erase_if(changed.specs, [&](const Spec& spec) { return spec.name == subject.name; }), changed.specs.insert(changed.specs.begin(), {subject.name, subject.name, {}});
    else if (what == "python") changed.python.reset();
    else if (what == "driver") changed.driver.reset(), other.driver.reset();
    const auto stack = best_stack(matrix, other, changed);
    if (!stack || stack->level < Level::workaround) return;
    if (what == "package") {
        repair.text = "use " + subject.name + " " + stack->components.at(subject.name);
        repair.changes[subject.name] = stack->components.at(subject.name);
        repair.build = stack->build;
    } else if (const auto found = stack->components.find(what); found != stack->components.end()) {
        repair.text = (what == "driver" ? "install driver " : "use Python ") + found->second;
        repair.changes[what] = found->second;
    } else {
        return;
    }
    repair.set(stack->environment);
    answer.repairs.push_back(std::move(repair));
}

/// Last resorts: the processor, or a card that has what this one lacks.
void add_last_resorts(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject, ResolveAnswer& answer) {
    Host without = host;
    without.cards.clear();
    const auto builds = find_builds(matrix, subject, without, false);
    if (builds)
        for (const Build& build : *builds) {
            if (build.accelerator != "cpu" || !build.serves(host.platform) || !build.installable(host.platform) || judge_libc(matrix, host, build).level < Level::expected) continue;
            if (request.python && judge_python(host, build, minor_of(*request.python)).level < Level::expected) continue;
            Repair repair{"run on the processor with " + build.title(), {{subject.name, build.text()}}, build};
            answer.repairs.push_back(std::move(repair));
            break;
        }
    for (const Card& card : host.cards) answer.repairs.push_back({"use another card than " + card.name + ": nothing that the matrix knows serves " + card.title() + " with these wishes", {}, std::nullopt});
}

/// No build serves two makers; what each of them can have is told instead.
void explain_mixed(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject, ResolveAnswer& answer) {
    Reason reason{"hardware", {"gpu"}, "no build serves cards of two makers", {}, {}};
    std::vector<std::string> vendors;
    for (const Card& card : host.cards) {
        reason.text += (&card == &host.cards.front() ? ": " : ", ") + card.name + " is " + card.title();
        cite(reason, *card.architecture);
        if (std::ranges::find(vendors, card.vendor) == vendors.end()) vendors.push_back(card.vendor);
    }
    answer.conflict.push_back(std::move(reason));
    for (const std::string& vendor : vendors) {
        Host alone = host;
        std::erase_if(alone.cards, [&](const Card& card) { return card.vendor != vendor; });
        alone.vendor = vendor;
        alone.driver_component = vendor == "amd" ? "amdgpu-dkms" : "nvidia";
        if (const auto stack = best_stack(matrix, alone, request))
            answer.repairs.push_back({"for " + alone.cards.front().name + " alone, use " + subject.name + " " + stack->components.at(subject.name), {{"gpu", alone.cards.front().name}}, stack->build});
    }
    if (answer.repairs.empty()) add_last_resorts(matrix, host, request, subject, answer);
}

}  // namespace

std::optional<Stack> best_stack(const Matrix& matrix, const Host& host, const Request& request) {
    const Spec subject = subject_of(matrix, request);
    Model model(matrix, host, request, subject);
    if (!model.build()) return std::nullopt;
    const auto found = search(model, request.workarounds);
    return found ? std::optional(model.stack(found->second)) : std::nullopt;
}

base::Result<ResolveAnswer> resolve(const Matrix& matrix, const Host& host, const Request& request, std::size_t alternatives) {
    const Spec subject = subject_of(matrix, request);
    if (const auto set = read_versions(subject, has_builds(matrix, subject.name) ? Scheme::pep440 : Scheme::dotted); !set) return tl::make_unexpected(set.error());
    Model model(matrix, host, request, subject);
    if (auto built = model.build(); !built) return tl::make_unexpected(built.error());
    ResolveAnswer answer;
    for (const Card& card : host.cards) answer.meaning.push_back(card.meaning());
    if (host.vendor == "mixed") {
        explain_mixed(matrix, host, request, subject, answer);
        return answer;
    }
    for (const Card& card : host.cards)
        if (auto reason = last_branch(matrix, host, card)) answer.limits.push_back(std::move(*reason));
    if (auto reason = model.last_release()) answer.limits.push_back(std::move(*reason));
    const auto found = search(model, request.workarounds);
    if (!found) {
        const auto outcome = solver::solve(model.problem(request.workarounds ? Level::unknown : Level::expected));
        if (const auto* conflict = std::get_if<solver::Conflict>(&outcome)) model.explain(*conflict, answer);
        for (const char* what : {"package", "python", "driver"}) try_repair(matrix, host, request, subject, what, answer);
        for (const Spec& spec : request.specs)
            if (spec.name != subject.name) try_without(matrix, host, request, subject, spec, answer);
        if (answer.repairs.empty()) add_last_resorts(matrix, host, request, subject, answer);
        return answer;
    }
    answer.stacks.push_back(model.stack(found->second));
    add_alternatives(model, *found, alternatives, answer);
    if (request.workarounds && found->first > Level::workaround) answer.workaround = find_workaround(model);
    return answer;
}

}  // namespace vmatrix::compat
