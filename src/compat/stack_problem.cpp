#include "compat/stack_problem.hpp"

#include <algorithm>
#include <map>
#include <ranges>

#include "base/text.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

using solver::Bits;
using solver::Origin;

/// Newest release first; within one, PyPI's build, then the newest runtime.
void order_builds(std::vector<Build>& builds) {
    const auto is_default = [](const Build& build) { return build.release->text("default-build") == build.label; };
    std::ranges::stable_sort(builds, [&](const Build& a, const Build& b) {
        if (a.version != b.version) return b.version < a.version;
        if (is_default(a) != is_default(b)) return is_default(a);
        if (a.accelerator != b.accelerator || !a.runtime || !b.runtime) return false;
        return *b.runtime < *a.runtime;
    });
}

bool same_release(const Candidate& a, const Candidate& b) {
    if (a.build && b.build) return a.build->version == b.build->version;
    return a.version == b.version;
}

constexpr std::size_t longest_image = 600;   // a name with its digest

Bits only(std::size_t size, std::size_t value) {
    Bits set(size);
    set.set(value);
    return set;
}

}  // namespace

base::Result<void> StackProblem::build() {
    if (auto made = make_candidates(); !made) return made;
    if (candidates_.empty()) return base::fail("the matrix knows no releases of `" + base::printable(subject_.name) + "`", "`vmatrix matrix list components` shows what it knows", base::ErrorKind::usage);
    make_pythons();
    make_drivers();
    judge_pairs();
    return {};
}

solver::Problem StackProblem::problem(Level floor) {
    sources_.clear();
    floor_ = floor;
    solver::Problem problem;
    problem.domains = {candidates_.size(), pythons_.size(), drivers_.size()};
    add_wishes(problem);
    add_choices(problem);
    add_candidate_relations(problem, floor);
    // An experimental Python is a workaround that nobody gets without having asked for that Python.
    const Level python_floor = request_.python ? floor : std::max(floor, Level::expected);
    add_pairs(problem, python_floor, python_variable, "python", python_levels_);
    if (!has_driver()) return problem;
    add_pairs(problem, floor, driver_variable, "driver", driver_levels_);
    add_driver_relations(problem, floor);
    return problem;
}

Stack StackProblem::stack(const solver::Solution& values) const {
    const Candidate& candidate = candidates_[values[candidate_variable]];
    Stack stack;
    std::vector<Judgement> all = candidate.judgements;
    if (candidate.build) all.push_back(with_python(host_, candidate, pythons_[values[python_variable]]));
    if (has_driver()) {
        all.push_back(with_driver(matrix_, host_, candidate, drivers_[values[driver_variable]]));
        std::ranges::move(of_driver(matrix_, host_, request_, drivers_[values[driver_variable]]), std::back_inserter(all));
    }
    if (!has_driver() && request_.image) all.push_back(judge_image_start(matrix_, host_, *request_.image, std::nullopt));
    std::ranges::stable_sort(all, {}, &Judgement::level);
    stack.level = worst(all);
    for (Judgement& judgement : all) {
        if (!judgement.reason.text.empty()) stack.reasons.push_back(std::move(judgement.reason));
        stack.environment.merge(judgement.environment);
    }
    fill_components(candidate, values, stack);
    stack.assumptions = assumptions(values);
    stack.build = candidate.build;
    stack.image = image_for(candidate, values);
    stack.image_name = request_.image ? base::printable(*request_.image, longest_image) : stack.image ? image_name(*stack.image) : "";
    return stack;
}

solver::Clause StackProblem::other_release(const solver::Solution& values, Origin origin) const {
    Bits others = those([&](const Candidate& candidate) { return !same_release(candidate, candidates_[values[candidate_variable]]); });
    return {{{candidate_variable, std::move(others)}}, origin};
}

std::optional<Reason> StackProblem::last_release() const {
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
    std::vector<std::string> titles;
    for (const Card& card : host_.cards)
        if (std::ranges::find(titles, card.title()) == titles.end()) titles.push_back(card.title());
    reason.text = "the last release of " + last->component + " with code for " + listed(titles) + " is " + last->version;
    return reason;
}

solver::Clause StackProblem::only_with_environment(Origin origin) const {
    Bits needing = those([](const Candidate& candidate) {
        return std::ranges::any_of(candidate.judgements, [](const Judgement& judgement) { return !judgement.environment.empty(); });
    });
    return {{{candidate_variable, std::move(needing)}}, origin};
}

base::Result<void> StackProblem::make_candidates() {
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

void StackProblem::make_pythons() {
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

void StackProblem::make_drivers() {
    if (host_.driver) drivers_.push_back(*host_.driver);
    else if (host_.driver_component == "nvidia" && host_.vendor == "nvidia") {
        const auto newest = newest_drivers(host_);
        const auto is_long = [](const BranchDriver& driver) { return driver.branch->text("support") == "long-term"; };
        for (const bool wanted : {true, false})
            for (const BranchDriver& driver : std::views::reverse(newest))
                if (is_long(driver) == wanted) drivers_.push_back(driver.version);
    }
    real_driver_ = !drivers_.empty();
    if (drivers_.empty()) drivers_.push_back(*dotted("0"));
}

void StackProblem::judge_pairs() {
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

Bits StackProblem::wanted() const {
    const Scheme scheme = candidates_.front().build ? Scheme::pep440 : Scheme::dotted;
    const auto versions = read_versions(subject_, scheme);
    return those([&](const Candidate& candidate) {
        const auto version = Version::parse(scheme, candidate.version);
        return versions && version && versions->contains(*version);
    });
}

Origin StackProblem::new_origin(Source source) {
    sources_.push_back(std::move(source));
    return sources_.size() - 1;
}

void StackProblem::add_wishes(solver::Problem& problem) {
    const auto add = [&](solver::Variable variable, Bits allowed, Source source) { problem.clauses.push_back({{{variable, std::move(allowed)}}, new_origin(std::move(source))}); };
    if (!subject_.versions.empty()) {
        const Bits allowed = wanted();
        add(candidate_variable, allowed, {Source::Kind::wish, subject_.text, "package", allowed});
    }
    if (request_.python) add(python_variable, only(pythons_.size(), 0), {Source::Kind::wish, "Python " + *request_.python, "python"});
    if (host_.driver) add(driver_variable, only(drivers_.size(), 0), {Source::Kind::wish, "driver " + host_.driver->str(), "driver"});
}

/// What nobody gets without having asked for it, or cannot get at all.
void StackProblem::add_choices(solver::Problem& problem) {
    const auto add = [&](const char* relation, Bits allowed) { problem.clauses.push_back({{{candidate_variable, std::move(allowed)}}, new_origin({Source::Kind::relation, {}, relation})}); };
    const bool builds = candidates_.front().build.has_value();
    if (subject_.versions.find("==") == std::string::npos) add("preview", those([](const Candidate& candidate) { return !candidate.preview; }));
    if (builds) add("index", those([&](const Candidate& candidate) { return can_be_had(candidate); }));
    if (host_.cards.empty()) add("accelerator", those([](const Candidate& candidate) { return candidate.cuda || candidate.rocm; }));
}

bool StackProblem::can_be_had(const Candidate& candidate) const {
    return !candidate.build || candidate.build->installable(host_.platform) || (host_.image && image_holds(*host_.image, *candidate.build));
}

/// Where nothing can reach the floor for want of a fact, as on a system that nobody knows, a relation does not tell what is better.
Level StackProblem::least_level(Level floor, Level best) const {
    const bool for_want_of_a_fact = best == Level::expected || best == Level::unknown;
    return request_.workarounds && for_want_of_a_fact ? std::min(floor, best) : floor;
}

/// One clause for each relation: the candidates that it does not put below the floor.
void StackProblem::add_candidate_relations(solver::Problem& problem, Level floor) {
    struct Relation {
        std::string name;
        Level best = Level::broken;
        std::map<std::size_t, Level> levels;
    };
    std::vector<Relation> relations;
    for (std::size_t c = 0; c < candidates_.size(); ++c)
        for (const Judgement& judgement : candidates_[c].judgements) {
            auto found = std::ranges::find(relations, judgement.relation, &Relation::name);
            if (found == relations.end()) found = relations.insert(relations.end(), {judgement.relation, Level::broken, {}});
            found->levels[c] = judgement.level;
            if (for_this_maker(c) && can_be_had(candidates_[c])) found->best = std::max(found->best, judgement.level);
        }
    for (const Relation& relation : relations) {
        const Level least = least_level(floor, relation.best);
        Bits allowed(candidates_.size(), true);
        for (const auto& [c, level] : relation.levels)
            if (level < least) allowed.reset(c);
        Source source{Source::Kind::relation, {}, relation.name, allowed};
        if (relation.name == "image") source.kind = Source::Kind::wish, source.wish = "the image " + base::printable(*request_.image);
        for (const Spec& spec : request_.specs)
            if (relation.name == "wish for " + spec.name || relation.name == "companion " + spec.name) source.kind = Source::Kind::wish, source.wish = spec.text;
        problem.clauses.push_back({{{candidate_variable, std::move(allowed)}}, new_origin(std::move(source))});
    }
}

/// One clause for each group of candidates that allow the same values.
void StackProblem::add_pairs(solver::Problem& problem, Level floor, solver::Variable variable, const std::string& relation, const std::vector<std::vector<Level>>& levels) {
    std::map<Bits, Bits> groups;   // allowed values -> candidates
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
        Bits allowed(levels[c].size());
        for (std::size_t v = 0; v < levels[c].size(); ++v)
            if (levels[c][v] >= floor) allowed.set(v);
        auto [group, fresh] = groups.try_emplace(std::move(allowed), candidates_.size());
        group->second.set(c);
    }
    const Origin origin = new_origin({Source::Kind::relation, {}, relation});
    for (const auto& [allowed, members] : groups) problem.clauses.push_back({{{candidate_variable, members.complement()}, {variable, allowed}}, origin});
}

void StackProblem::add_driver_relations(solver::Problem& problem, Level floor) {
    std::vector<std::vector<Judgement>> by_driver;
    for (const Version& driver : drivers_) by_driver.push_back(of_driver(matrix_, host_, request_, driver));
    for (std::size_t r = 0; r < by_driver.front().size(); ++r) {
        Level best = Level::broken;
        for (const auto& all : by_driver) best = std::max(best, all[r].level);
        Bits allowed(drivers_.size());
        for (std::size_t d = 0; d < drivers_.size(); ++d)
            if (by_driver[d][r].level >= least_level(floor, best)) allowed.set(d);
        problem.clauses.push_back({{{driver_variable, std::move(allowed)}}, new_origin({Source::Kind::relation, {}, by_driver.front()[r].relation})});
    }
}

void StackProblem::fill_components(const Candidate& candidate, const solver::Solution& values, Stack& stack) const {
    auto& components = stack.components;
    components[candidate.component] = candidate.version;
    if (candidate.cuda) components["cuda"] = candidate.cuda->str();
    if (candidate.rocm) components["rocm"] = candidate.rocm->str();
    if (candidate.build && pythons_[values[python_variable]] != no_python) components["python"] = pythons_[values[python_variable]];
    if (has_driver()) components["driver"] = drivers_[values[driver_variable]].str();
    if (!candidate.build || !candidate.build->fact) return;
    const bool linux_wheel = host_.platform.starts_with("linux");   // what other wheels carry was not read
    for (const std::string_view field : {"bundles", "companions"})
        if (const Value* map = field == "bundles" && !linux_wheel ? nullptr : candidate.build->fact->find(field))
            for (const auto& [name, value] : map->members) components.emplace(name, value.text);
}

std::vector<std::string> StackProblem::assumptions(const solver::Solution& values) const {
    std::vector<std::string> all = host_.assumptions;
    const std::string& python = pythons_[values[python_variable]];
    if (candidates_.front().build && !request_.python && python != no_python)
        all.push_back("Python " + python + (host_.python == python ? ", which " + (host_.image ? host_.image : host_.os)->id + " brings" : ", as none was named"));
    if (has_driver() && !host_.driver) all.push_back("driver " + drivers_[values[driver_variable]].str() + " or newer of its branch, as none was named");
    if (!request_.os) all.push_back("Linux on " + host_.platform.substr(host_.platform.find('-') + 1) + ", as no operating system was named");
    std::ranges::move(unjudged(matrix_, request_), std::back_inserter(all));
    return all;
}

/// The image asked for, or the best one that serves all cards with this driver.
const Fact* StackProblem::image_for(const Candidate& candidate, const solver::Solution& values) const {
    if (request_.image || !candidate.build || !host_.platform.starts_with("linux")) return host_.image;
    const auto driver = has_driver() ? std::optional(drivers_[values[driver_variable]]) : std::nullopt;
    for (const Fact* image : images_of(matrix_, *candidate.build, pythons_[values[python_variable]])) {
        Host inside = host_;
        inside.image = image;
        const auto serves = [&](const Card& card) { return judge_image_content(matrix_, inside, request_.environment, image, image_name(*image), card).level >= Level::expected; };
        if (std::ranges::all_of(host_.cards, serves) && judge_image_start(matrix_, inside, image_name(*image), driver).level >= Level::expected) return image;
    }
    return nullptr;
}

}  // namespace vmatrix::compat
