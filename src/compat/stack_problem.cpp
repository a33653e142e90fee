#include "compat/stack_problem.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

#include "base/text.hpp"
#include "compat/records.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

using solver::Bits;
using solver::Origin;

bool same_release(const Candidate& a, const Candidate& b) {
    if (a.build && b.build) return a.build->version == b.build->version;
    return a.version == b.version;
}

/// Whether a version is one of those that a wish names.
bool holds(const Spec& spec, Scheme scheme, const std::string& text) {
    const auto versions = read_versions(spec, scheme);
    const auto version = Version::parse(scheme, text);
    return versions && version && versions->contains(*version);
}

/// Whether a wish is for this candidate, or for something in it.
bool matches(const Candidate& candidate, const Spec& spec) {
    const Fact* fact = candidate.build ? candidate.build->fact : nullptr;
    if (const Value* inside = fact && !is_runtime(spec) ? carried(*fact, spec.name) : nullptr) return holds(spec, Scheme::pep440, inside->text);
    if (spec.name == candidate.component) return holds(spec, candidate.build ? Scheme::pep440 : Scheme::dotted, candidate.version);
    const auto& runtime = spec.name == "cuda" ? candidate.cuda : candidate.rocm;
    if (!is_runtime(spec) || !candidate.leads || !runtime) return false;
    const auto exact = exact_version(spec, Scheme::dotted);
    return exact ? agree(*runtime, *exact) : holds(spec, Scheme::dotted, runtime->str());
}

bool for_want_of_a_fact(Level best) { return best == Level::expected || best == Level::unknown; }

constexpr std::size_t longest_image = 600;   // a name with its digest

Bits only(std::size_t size, std::size_t value) {
    Bits set(size);
    set.set(value);
    return set;
}

std::string text_of(const std::string& python) { return python; }
std::string text_of(const Version& driver) { return driver.str(); }

/// The level with each value, by `judge(value)` where it is not known yet.
template <class Value, class Judge>
std::vector<Level> known_levels(std::map<std::string, Level>& known, const std::vector<Value>& values, const Judge& judge) {
    std::vector<Level> levels;
    for (const Value& value : values) {
        const auto [level, fresh] = known.try_emplace(text_of(value));
        if (fresh) level->second = judge(value);
        levels.push_back(level->second);
    }
    return levels;
}

template <class Values, class Predicate>
Bits which(const Values& values, Predicate predicate) {
    Bits set(values.size());
    for (std::size_t v = 0; v < values.size(); ++v)
        if (predicate(values[v])) set.set(v);
    return set;
}

}  // namespace

base::Result<void> StackProblem::build() {
    if (auto made = make_choices(); !made) return made;
    if (candidates().empty()) return base::fail("the matrix knows no releases of `" + base::printable(subject_.name) + "`", "`vmatrix matrix list components` shows what it knows", base::ErrorKind::usage);
    make_pythons();
    make_drivers();
    relate_packages();
    return {};
}

template <class Judge>
bool StackProblem::judge_more(Levels& levels, const Bits& candidates, const Bits& values, Judge judge) {
    if (candidates.subset_of(levels.candidates) && values.subset_of(levels.values)) return false;
    levels.candidates |= candidates;
    levels.values |= values;
    judge();
    return true;
}

template <class Judge>
bool StackProblem::judge_in_full(Levels& levels, Judge judge) {
    return judge_more(levels, Bits(levels.candidates.size(), true), Bits(levels.values.size(), true), judge);
}

bool StackProblem::judge_all(const solver::Conflict& conflict) {
    bool more = false;
    for (const Origin origin : conflict.origins) {
        const auto& [kind, wish, relation, choice, other, allowed] = sources_[origin];
        if (kind != Source::Kind::relation) continue;
        if (relation == "python") more |= judge_in_full(python_levels_[choice], [&] { judge_pythons(choice); });
        if (relation == "driver") more |= judge_in_full(driver_levels_[choice], [&] { judge_drivers(choice); });
        for (Pair& pair : pairs_)
            if (relation == "package" && pair.one == choice && pair.other == other) more |= judge_in_full(pair.levels, [&] { judge_pair(pair); });
    }
    return more;
}

bool StackProblem::judge_all(const solver::Solution& values) {
    bool more = false;
    const auto judge = [&](Levels& levels, std::size_t one, solver::Variable other, const Bits& of_other, auto again) {
        const auto judged = [&] { return levels.candidates.test(values[one]) && levels.values.test(values[other]); };
        if (judged()) return;
        more = true;
        judge_more(levels, possible(one), of_other, again);
        if (!judged()) judge_in_full(levels, again);   // a wish was left out that judges candidates itself
    };
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        judge(python_levels_[i], i, python_variable(), python_levels_[i].values, [&] { judge_pythons(i); });
        judge(driver_levels_[i], i, driver_variable(), driver_levels_[i].values, [&] { judge_drivers(i); });
    }
    for (Pair& pair : pairs_) judge(pair.levels, pair.one, pair.other, possible(pair.other), [&] { judge_pair(pair); });
    return more;
}

Bits StackProblem::possible(std::size_t choice) const {
    return those(choice, [](const Candidate& candidate) { return candidate.absent() || worst(candidate.judgements) > Level::broken; });
}

/// Candidates that no clause about them alone forbids at any floor: no others have to be judged with anything to find a stack.
Bits StackProblem::survivors(const Choice& choice) const {
    const auto index = static_cast<std::size_t>(&choice - choices_.data());
    Bits left = possible(index);
    if (!choice.wish.versions.empty()) left &= wanted(choice);
    for (const Spec& spec : request_.exclude) left &= those(index, [&](const Candidate& candidate) { return candidate.absent() || !matches(candidate, spec); });
    return left;
}

solver::Problem StackProblem::problem(Level floor) {
    sources_.clear();
    floor_ = floor;
    solver::Problem problem;
    for (const Choice& choice : choices_) problem.domains.push_back(choice.candidates.size());
    problem.domains.push_back(pythons_.size());
    problem.domains.push_back(drivers_.size());
    add_preferences(problem);
    add_wishes(problem);
    add_choices(problem);
    add_host_relations(problem, floor);
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        add_candidate_relations(problem, floor, i);
        add_pairs(problem, floor, i, python_variable(), {Source::Kind::relation, {}, "python", i}, python_levels_[i], [&] { judge_pythons(i); });
        if (has_driver()) add_pairs(problem, floor, i, driver_variable(), {Source::Kind::relation, {}, "driver", i}, driver_levels_[i], [&] { judge_drivers(i); });
    }
    for (Pair& pair : pairs_) add_pairs(problem, floor, pair.one, pair.other, {Source::Kind::relation, {}, "package", pair.one, pair.other}, pair.levels, [&] { judge_pair(pair); });
    if (has_driver()) add_driver_relations(problem, floor);
    return problem;
}

std::vector<Level> StackProblem::levels_of(const solver::Solution& values) {
    std::vector<Level> levels;
    for (const Level floor : {Level::unknown, Level::workaround, Level::expected, Level::supported}) {
        const solver::Problem clauses = problem(floor);
        levels.resize(sources_.size(), Level::unknown);
        std::vector<bool> holds(sources_.size(), true);
        for (const solver::Clause& clause : clauses.clauses)
            if (std::ranges::none_of(clause.literals, [&](const solver::Literal& literal) { return literal.values.test(values[literal.variable]); })) holds[clause.origin] = false;
        for (Origin origin = 0; origin < holds.size(); ++origin)
            if (holds[origin]) levels[origin] = floor;
    }
    return levels;
}

solver::Solution StackProblem::raise(solver::Solution values) {
    const auto levels = levels_of(values);
    for (const Level level : levels) raised_.push_back(std::min(level, Level::expected));
    for (Origin origin = 0; origin < levels.size(); ++origin)
        for (const Level better : {Level::supported, Level::expected, Level::workaround}) {
            if (better <= levels[origin]) break;
            const Level before = std::exchange(raised_[origin], better);
            auto found = solver::solve(problem(Level::unknown));
            if (auto* solution = std::get_if<solver::Solution>(&found)) {
                values = std::move(*solution);
                break;
            }
            raised_[origin] = before;
        }
    return values;
}

std::vector<Judgement> StackProblem::judgements(const solver::Solution& values) const {
    std::vector<Judgement> all;
    const auto add = [&](std::vector<Judgement> more) { std::ranges::move(more, std::back_inserter(all)); };
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const Candidate& candidate = chosen(values, i);
        add(candidate.judgements);
        add(with_python(question_, candidate, pythons_[values[python_variable()]]));
        if (has_driver()) add(with_driver(question_, candidate, drivers_[values[driver_variable()]]));
    }
    for (const Pair& pair : pairs_) add(with_package(question_, pair.link, chosen(values, pair.one), chosen(values, pair.other)));
    add(of_host(question_));
    if (has_driver()) add(driver_judgements_[values[driver_variable()]]);
    else if (request_.image) add({judge_image_start(matrix_, host_, *request_.image, std::nullopt)});
    Tried tried{{}, pythons_[values[python_variable()]], has_driver() ? std::optional(drivers_[values[driver_variable()]]) : host_.driver};
    for (std::size_t i = 0; i < choices_.size(); ++i)
        if (const Candidate& candidate = chosen(values, i); candidate.build) tried.builds.push_back(&*candidate.build);
    if (Judgement record = judge_records(question_, tried); !record.reason.text.empty()) add({std::move(record)});
    return all;
}

void StackProblem::keep_recorded(solver::Problem& problem, const Fact& record) {
    const Origin origin = free_origin();
    for (std::size_t i = 0; i < choices_.size(); ++i)
        problem.clauses.push_back({{{i, those(i, [&](const Candidate& candidate) { return candidate.absent() || (candidate.build && has_build(record, *candidate.build)); })}}, origin});
    const auto keep = [&](solver::Variable variable, std::size_t size, auto is_it) {
        Bits allowed(size);
        for (std::size_t v = 0; v < size; ++v)
            if (is_it(v)) allowed.set(v);
        problem.clauses.push_back({{{variable, std::move(allowed)}}, origin});
    };
    if (const auto python = record.text("python"); !python.empty()) keep(python_variable(), pythons_.size(), [&](std::size_t v) { return pythons_[v] == python; });
    const auto number = driver_of(record, host_);
    if (has_driver()) keep(driver_variable(), drivers_.size(), [&](std::size_t v) { return number && drivers_[v] == *number; });
}

std::optional<solver::Solution> StackProblem::recorded() {
    for (const Fact* record : host_.records) {
        if (record->text("result") != "passed") continue;
        solver::Problem clauses = problem(Level::broken);   // what rules say does not count beside it; wishes do
        keep_recorded(clauses, *record);
        auto found = solver::solve(clauses);
        if (auto* values = std::get_if<solver::Solution>(&found); values && worst(judgements(*values)) == Level::verified) return std::move(*values);
    }
    return std::nullopt;
}

Stack StackProblem::stack(const solver::Solution& values) const {
    Stack stack;
    std::vector<Judgement> all = judgements(values);
    worst_first(all);
    stack.level = worst(all);
    for (Judgement& judgement : all) {
        if (judgement.issue && std::ranges::find(stack.issues, judgement.issue) == stack.issues.end()) stack.issues.push_back(judgement.issue);
        const bool told = std::ranges::find(stack.reasons, judgement.reason.text, &Reason::text) != stack.reasons.end();
        if (!judgement.reason.text.empty() && !told) stack.reasons.push_back(std::move(judgement.reason));
        stack.environment.merge(judgement.environment);
    }
    fill_runtimes(values, stack);
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const Candidate& candidate = chosen(values, i);
        if (candidate.absent()) continue;
        fill_components(candidate, stack);
        if (candidate.build) stack.builds.push_back(*candidate.build);
    }
    const std::string& python = pythons_[values[python_variable()]];
    if (needs_python(stack.builds) && python != no_python) stack.components["python"] = python;
    if (has_driver()) stack.components["driver"] = drivers_[values[driver_variable()]].str();
    stack.assumptions = assumptions(values, stack.builds);
    stack.image = image_for(values);
    stack.image_name = request_.image ? base::printable(*request_.image, longest_image) : stack.image ? image_name(*stack.image) : "";
    return stack;
}

solver::Clause StackProblem::other_release(const solver::Solution& values, Origin origin) const {
    return {{{0, those(0, [&](const Candidate& candidate) { return !same_release(candidate, chosen(values)); })}}, origin};
}

Bits StackProblem::better_than(const solver::Solution& values) const {
    Bits before(candidates().size());
    for (std::size_t c = 0; c < values.front(); ++c)
        if (for_this_maker(candidates()[c])) before.set(c);
    return before;
}

void StackProblem::want_better(solver::Problem& problem, const solver::Solution& values) {
    Bits better = better_than(values);
    problem.clauses.push_back({{{0, better}}, new_origin({Source::Kind::wish, "something better than " + chosen(values).component + " " + chosen(values).version, "package", 0, 0, better})});
}

std::optional<Reason> StackProblem::last_release() const {
    if (!candidates().front().build || host_.cards.empty()) return std::nullopt;
    const auto serves = [&](const Candidate& candidate) {
        return std::ranges::all_of(candidate.judgements, [](const Judgement& judgement) { return !judgement.relation.starts_with("architecture") || judgement.level >= Level::expected; });
    };
    const auto last = std::ranges::find_if(candidates(), serves);
    const auto newest = std::ranges::find_if(candidates(), [&](const Candidate& candidate) {   // a release whose lists nobody has read tells nothing
        return for_this_maker(candidate) && candidate.build->fact->find("architectures");
    });
    if (last == candidates().end() || newest == candidates().end() || last <= newest || same_release(*last, *newest)) return std::nullopt;
    Reason reason = last->judgements.front().reason;
    std::vector<std::string> titles;
    for (const Card& card : host_.cards)
        if (std::ranges::find(titles, card.title()) == titles.end()) titles.push_back(card.title());
    reason.text = "the last release of " + last->component + " with code for " + listed(titles) + " is " + last->version;
    return reason;
}

solver::Clause StackProblem::only_with_environment(Origin origin) const {
    solver::Clause clause{{}, origin};
    for (std::size_t i = 0; i < choices_.size(); ++i)
        clause.literals.push_back({i, those(i, [](const Candidate& candidate) {
            return std::ranges::any_of(candidate.judgements, [](const Judgement& judgement) { return !judgement.environment.empty(); });
        })});
    return clause;
}

base::Result<void> StackProblem::make_choices() {
    choices_.push_back({subject_, false, {}});
    if (!question_.packages.contains(subject_.name)) {
        for (const auto& [version, release] : releases_of(matrix_, subject_.name, Scheme::dotted)) {
            choices_.front().candidates.push_back(make_candidate(question_, subject_.name, version));
            choices_.front().candidates.back().preview = release->text("stream") == "preview";
        }
        return {};
    }
    for (const Spec& spec : request_.specs)
        if (spec.name != subject_.name && question_.packages.contains(spec.name)) choices_.push_back({spec, false, {}});
    for (Choice& choice : choices_) {
        if (const auto set = read_versions(choice.wish, Scheme::pep440); !set) return tl::make_unexpected(set.error());
        choice.candidates = all_candidates(question_, choice.wish.name, turns_on_, judged_);
    }
    add_needed(question_, choices_, turns_on_, judged_);
    for (Choice& choice : choices_) order(choice);
    return {};
}

/// The policy is the order of the values.
void StackProblem::order(Choice& choice) const {
    auto& all = choice.candidates;
    const auto first = all.begin() + (choice.implied ? 1 : 0);   // its absence
    const auto preferred = [&](const Candidate& candidate) {
        return std::ranges::any_of(request_.prefer, [&](const Spec& spec) { return matches(candidate, spec); });
    };
    const auto older_first = [](const Candidate& a, const Candidate& b) { return a.build && b.build && a.build->version < b.build->version; };
    if (request_.policy == Policy::oldest_supported) std::stable_sort(first, all.end(), older_first);
    const auto found = std::find_if(first, all.end(), preferred);
    if (request_.policy == Policy::smallest_change && found != all.end()) {   // the nearest releases first, newer before older
        std::vector<Candidate> older(std::make_move_iterator(found), std::make_move_iterator(all.end()));
        all.erase(found, all.end());
        std::stable_sort(first, all.end(), older_first);
        std::vector<Candidate> newer(std::make_move_iterator(first), std::make_move_iterator(all.end()));
        all.erase(first, all.end());
        for (std::size_t i = 0; i < std::max(older.size(), newer.size()); ++i) {
            if (i < older.size()) all.push_back(std::move(older[i]));
            if (i < newer.size()) all.push_back(std::move(newer[i]));
        }
        return;
    }
    if (choice.implied || is_needed(choice.wish.name)) std::stable_partition(first, all.end(), [](const Candidate& candidate) { return !candidate.preview; });
    std::stable_partition(first, all.end(), preferred);
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
        for (const Fact* record : host_.records) {   // what was tried need not be the newest of its branch
            const auto number = driver_of(*record, host_);
            if (number && std::ranges::find(drivers_, *number) == drivers_.end()) drivers_.push_back(*number);
        }
    } else if (host_.driver_component == "nvidia-windows" && host_.vendor == "nvidia") {
        drivers_ = windows_drivers(host_);
    }
    real_driver_ = !drivers_.empty();
    if (drivers_.empty()) drivers_.push_back(*dotted("0"));
    for (const Version& driver : drivers_) driver_judgements_.push_back(real_driver_ ? of_driver(question_, driver) : std::vector<Judgement>{});
}

void StackProblem::relate_packages() {
    const auto unjudged = [](Bits candidates, Bits values) {
        return Levels{{candidates.size(), std::vector<Level>(values.size(), Level::supported)}, std::move(candidates), std::move(values)};
    };
    std::vector<Bits> possible;
    for (const Choice& choice : choices_) possible.push_back(survivors(choice));
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        python_levels_.push_back(unjudged(possible[i], Bits(pythons_.size(), true)));
        driver_levels_.push_back(unjudged(possible[i], Bits(drivers_.size(), true)));
        judge_pythons(i);
        judge_drivers(i);
    }
    for (std::size_t one = 0; one < choices_.size(); ++one)
        for (std::size_t other = one + 1; other < choices_.size(); ++other) {
            Pair pair{one, other, link_of(question_, choices_[one], choices_[other]), unjudged(possible[one], possible[other])};
            if (!are_related(pair.link, choices_[one], choices_[other])) continue;
            judge_pair(pair);
            pairs_.push_back(std::move(pair));
        }
}

void StackProblem::judge_pythons(std::size_t choice) {
    Levels& levels = python_levels_[choice];
    for (std::size_t c = 0; c < levels.of.size(); ++c)
        if (levels.candidates.test(c)) levels.of[c] = python_levels(candidates(choice)[c]);
}

void StackProblem::judge_drivers(std::size_t choice) {
    Levels& levels = driver_levels_[choice];
    for (std::size_t c = 0; c < levels.of.size(); ++c)
        if (levels.candidates.test(c)) levels.of[c] = driver_levels(candidates(choice)[c]);
}

/// Candidates with the same needs fare alike with a package that needs nothing and brings none of them, and those of which a link says the same fare alike in it:
/// only one of them is judged.
void StackProblem::judge_pair(Pair& pair) const {
    const bool swapped = !has_needs(choices_[pair.one]);
    const std::size_t needy = swapped ? pair.other : pair.one, giving = swapped ? pair.one : pair.other;
    const Bits& needy_judged = swapped ? pair.levels.values : pair.levels.candidates;
    const Bits& giving_judged = swapped ? pair.levels.candidates : pair.levels.values;
    const bool all_alike = !has_needs(choices_[giving]) && !carries(choices_[giving], choices_[needy].wish.name);
    const auto left = alike(pair.link, choices_[needy]), right = alike(pair.link, choices_[giving]);
    std::map<std::string, std::vector<std::optional<Level>>> needs;
    std::map<std::pair<std::size_t, std::size_t>, Level> links;
    for (std::size_t a = 0; a < candidates(needy).size(); ++a) {
        if (!needy_judged.test(a)) continue;
        const Candidate& candidate = candidates(needy)[a];
        auto& levels = needs[all_alike ? needs_text(candidate, choices_[giving].wish.name) : std::to_string(a)];
        levels.resize(candidates(giving).size());
        for (std::size_t b = 0; b < levels.size(); ++b) {
            if (!giving_judged.test(b)) continue;
            const Candidate& given = candidates(giving)[b];
            if (!levels[b]) levels[b] = needs_level(candidate, given);
            const auto [link, fresh] = links.try_emplace({left[a], right[b]});
            if (fresh) link->second = link_level(question_, pair.link, candidate, given);
            pair.levels.of[swapped ? b : a][swapped ? a : b] = std::min(*levels[b], link->second);
        }
    }
}

/// An experimental Python is a workaround that nobody gets without having asked for that Python.
std::vector<Level> StackProblem::python_levels(const Candidate& candidate) const {
    auto levels = known_levels(judged_.candidates_with_pythons[candidate.component + " " + candidate.version + "\n" + turns_on_], pythons_, [&](const std::string& python) { return worst(with_python(question_, candidate, python)); });
    if (!request_.python) std::ranges::replace(levels, Level::workaround, Level::broken);
    return levels;
}

bool StackProblem::is_preferred(const std::string& package) const {
    return std::ranges::any_of(request_.prefer, [&](const Spec& spec) { return spec.name == package; });
}

/// Most candidates share a runtime with others, and nothing else of them has to do with drivers.
std::vector<Level> StackProblem::driver_levels(const Candidate& candidate) const {
    if (!has_driver()) return {Level::supported};
    const std::string runtime = !candidate.leads ? "" : candidate.cuda ? "cuda " + candidate.cuda->str() : candidate.rocm ? "rocm " + candidate.rocm->str() : "";
    auto& of_runtime = judged_.runtimes_with_drivers[runtime + (candidate.needs_jit ? " by JIT\n" : "\n") + turns_on_];
    std::vector<Level> levels = known_levels(of_runtime, drivers_, [&](const Version& driver) { return worst(runtime_with_driver(question_, candidate, driver)); });
    const AllParts parts{&question_.around, &candidate.parts};
    std::vector<const Fact*> issues;
    std::ranges::copy_if(host_.driver_issues, std::back_inserter(issues), [&](const Fact* issue) {
        const auto& when = issue->find("when")->members;
        const auto may_hold = [&](const model::Entry& entry) {
            const Version* version = entry.name == host_.driver_component ? nullptr : part(parts, entry.name);
            return entry.name == host_.driver_component || (version && set_holds(*issue, "when", entry.name, *version));
        };
        return std::ranges::all_of(when, may_hold) && std::ranges::any_of(when, [&](const model::Entry& entry) { return candidate.parts.contains(entry.name); });
    });
    const Value* need = need_of(candidate, host_.driver_component);
    if (!need && issues.empty()) return levels;
    std::string alike = turns_on_ + "\n" + (need ? need->text : "");   // only the driver is left to decide
    for (const Fact* issue : issues) alike += "\n" + issue->id;
    const auto of_needs = known_levels(judged_.needs_with_drivers[alike], drivers_, [&](const Version& driver) { return needs_driver_level(question_, issues, candidate, driver); });
    std::ranges::transform(levels, of_needs, levels.begin(), [](Level one, Level other) { return std::min(one, other); });
    return levels;
}

Bits StackProblem::wanted(const Choice& choice) const {
    const Scheme scheme = choice.candidates.front().build ? Scheme::pep440 : Scheme::dotted;
    const auto versions = read_versions(choice.wish, scheme);
    return those(static_cast<std::size_t>(&choice - choices_.data()), [&](const Candidate& candidate) {
        const auto own = candidate.parts.find(candidate.component);
        return versions && own != candidate.parts.end() && versions->contains(own->second);
    });
}

Origin StackProblem::new_origin(Source source) {
    sources_.push_back(std::move(source));
    return sources_.size() - 1;
}

/// Whether a preference is met is a variable of its own, decided before all others: one that cannot be met changes nothing.
void StackProblem::add_preferences(solver::Problem& problem) {
    for (const Spec& spec : request_.prefer) {
        const Origin origin = new_origin({Source::Kind::relation, {}, "preference"});
        const solver::Variable missed = problem.domains.size();
        problem.domains.push_back(2);
        problem.first.push_back(missed);
        const auto add = [&](solver::Variable variable, Bits preferred) { problem.clauses.push_back({{{missed, only(2, 1)}, {variable, std::move(preferred)}}, origin}); };
        for (std::size_t i = 0; i < choices_.size(); ++i) {
            const auto is_no_matter = [&](const Candidate& candidate) { return candidate.absent() || (is_runtime(spec) && !candidate.leads); };
            if (std::ranges::any_of(candidates(i), [&](const Candidate& candidate) { return matches(candidate, spec); }))
                add(i, those(i, [&](const Candidate& candidate) { return is_no_matter(candidate) || matches(candidate, spec); }));
        }
        if (spec.name == "python") add(python_variable(), which(pythons_, [&](const std::string& python) { return holds(spec, Scheme::pep440, python); }));
        if (spec.name == "driver") add(driver_variable(), which(drivers_, [&](const Version& driver) { return holds(spec, Scheme::dotted, driver.str()); }));
    }
    for (std::size_t i = 0; i < choices_.size(); ++i)
        if (request_.policy == Policy::smallest_change && is_preferred(choices_[i].wish.name)) problem.first.push_back(i);
}

void StackProblem::add_wishes(solver::Problem& problem) {
    const auto add = [&](solver::Variable variable, Bits allowed, Source source) { problem.clauses.push_back({{{variable, std::move(allowed)}}, new_origin(std::move(source))}); };
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        if (choices_[i].wish.versions.empty()) continue;
        const Bits allowed = wanted(choices_[i]);
        add(i, allowed, {Source::Kind::wish, choices_[i].wish.text, "package", i, 0, allowed});
    }
    for (const Spec& spec : request_.exclude) add_exclusion(problem, spec);
    if (request_.python) add(python_variable(), only(pythons_.size(), 0), {Source::Kind::wish, "Python " + *request_.python, "python"});
    if (host_.driver) add(driver_variable(), only(drivers_.size(), 0), {Source::Kind::wish, "driver " + host_.driver->str(), "driver"});
}

void StackProblem::add_exclusion(solver::Problem& problem, const Spec& spec) {
    const std::string wish = "without " + spec.text;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const Bits allowed = those(i, [&](const Candidate& candidate) { return candidate.absent() || !matches(candidate, spec); });
        if (allowed.count() < allowed.size()) problem.clauses.push_back({{{i, allowed}}, new_origin({Source::Kind::wish, wish, "package", i, 0, allowed})});
    }
    if (spec.name != "python" && spec.name != "driver") return;
    const bool python = spec.name == "python";
    Bits allowed(python ? pythons_.size() : drivers_.size());
    for (std::size_t v = 0; v < allowed.size(); ++v)
        if (!(python ? holds(spec, Scheme::pep440, pythons_[v]) : holds(spec, Scheme::dotted, drivers_[v].str()))) allowed.set(v);
    problem.clauses.push_back({{{python ? python_variable() : driver_variable(), std::move(allowed)}}, new_origin({Source::Kind::wish, wish, spec.name})});
}

/// What nobody gets without having asked for it, or cannot get at all.
void StackProblem::add_choices(solver::Problem& problem) {
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const auto add = [&](const char* relation, auto allows) {
            Bits allowed = those(i, [&](const Candidate& candidate) { return candidate.absent() || allows(candidate); });
            problem.clauses.push_back({{{i, std::move(allowed)}}, new_origin({Source::Kind::relation, {}, relation, i})});
        };
        const bool asked = choices_[i].implied || is_needed(choices_[i].wish.name) || choices_[i].wish.versions.find("==") != std::string::npos;
        if (!asked) add("preview", [](const Candidate& candidate) { return !candidate.preview; });
        add("index", [&](const Candidate& candidate) { return can_be_had(candidate); });
        if (host_.cards.empty()) add("accelerator", [](const Candidate& candidate) { return candidate.cuda || candidate.rocm || !candidate.leads || candidate.build->accelerator == "any"; });
    }
}

bool StackProblem::can_be_had(const Candidate& candidate) const {
    return !candidate.build || installs_itself(matrix_, candidate.component) || candidate.build->installable(host_.platform) || (host_.image && image_holds(*host_.image, *candidate.build));
}

/// Where nothing can reach the floor for want of a fact, as on a system that nobody knows, a relation does not tell what is better.
Level StackProblem::least_level(Level floor, Level best) const {
    return for_want_of_a_fact(best) ? std::max(std::min(floor, best), request_.least) : floor;
}

/// One clause for each relation: the candidates that it does not put below the floor.
void StackProblem::add_candidate_relations(solver::Problem& problem, Level floor, std::size_t choice) {
    struct Relation {
        std::string name;
        Level best = Level::broken;
        std::map<std::size_t, Level> levels;
    };
    const auto& all = candidates(choice);
    std::vector<Relation> relations;
    for (std::size_t c = 0; c < all.size(); ++c)
        for (const Judgement& judgement : all[c].judgements) {
            auto found = std::ranges::find(relations, judgement.relation, &Relation::name);
            if (found == relations.end()) found = relations.insert(relations.end(), {judgement.relation, Level::broken, {}});
            found->levels[c] = judgement.level;
            if (for_this_maker(all[c]) && can_be_had(all[c])) found->best = std::max(found->best, judgement.level);
        }
    for (const Relation& relation : relations) {
        const bool issue = relation.name.starts_with("issue ");   // what has none of it is not in the list
        Source source{Source::Kind::relation, {}, relation.name, choice, 0, {}};
        if (relation.name == "image") source.kind = Source::Kind::wish, source.wish = "the image " + base::printable(*request_.image);
        for (const Spec& spec : request_.specs)
            if (relation.name == "wish for " + spec.name || relation.name == "companion " + spec.name || relation.name == "need of " + spec.name) source.kind = Source::Kind::wish, source.wish = spec.text;
        const bool wish = source.kind == Source::Kind::wish;
        const Origin origin = new_origin(std::move(source));
        const Level own = raised(floor, origin);
        const Level least = std::max(issue ? own : least_level(own, relation.best), wish ? Level::unknown : Level::broken);
        Bits allowed(all.size(), true);
        for (const auto& [c, level] : relation.levels)
            if (level < least) allowed.reset(c);
        sources_[origin].allowed = allowed;
        problem.clauses.push_back({{{choice, std::move(allowed)}}, origin});
    }
}

Level StackProblem::best_of(std::size_t choice, const Levels& levels) const {
    Level best = Level::broken;
    for (std::size_t c = 0; c < levels.of.size(); ++c) {
        const Candidate& candidate = candidates(choice)[c];
        if (!levels.candidates.test(c) || candidate.absent() || !for_this_maker(candidate) || !can_be_had(candidate)) continue;
        for (std::size_t v = 0; v < levels.values.size(); ++v)
            if (levels.values.test(v)) best = std::max(best, levels.of[c][v]);
    }
    return best;
}

/// One clause for each group of candidates that allow the same values.
template <class Judge>
void StackProblem::add_pairs(solver::Problem& problem, Level floor, std::size_t choice, solver::Variable variable, Source source, Levels& levels, Judge judge) {
    Level best = best_of(choice, levels);
    if (best < floor && for_want_of_a_fact(best) && judge_in_full(levels, judge)) best = best_of(choice, levels);   // what was wished must not decide it
    const Origin origin = new_origin(std::move(source));
    const Level least = least_level(raised(floor, origin), best);
    std::map<Bits, Bits> groups;   // allowed values -> candidates
    for (std::size_t c = 0; c < levels.of.size(); ++c) {
        Bits allowed(levels.of[c].size());
        for (std::size_t v = 0; v < levels.of[c].size(); ++v)
            if (levels.of[c][v] >= least) allowed.set(v);
        auto [group, fresh] = groups.try_emplace(std::move(allowed), levels.of.size());
        group->second.set(c);
    }
    for (const auto& [allowed, members] : groups)
        if (allowed.count() < allowed.size()) problem.clauses.push_back({{{choice, members.complement()}, {variable, allowed}}, origin});
}

/// What the host says of itself: a clause that nothing satisfies, if it says no.
void StackProblem::add_host_relations(solver::Problem& problem, Level floor) {
    for (const Judgement& judgement : of_host(question_))
        if (const Origin origin = new_origin({Source::Kind::relation, {}, judgement.relation}); judgement.level < std::min(floor, Level::unknown)) problem.clauses.push_back({{}, origin});
}

void StackProblem::add_driver_relations(solver::Problem& problem, Level floor) {
    struct Relation {
        std::string name;
        std::vector<Level> levels;
    };
    std::vector<Relation> relations;
    for (std::size_t d = 0; d < drivers_.size(); ++d)
        for (const Judgement& judgement : driver_judgements_[d]) {
            auto found = std::ranges::find(relations, judgement.relation, &Relation::name);
            if (found == relations.end()) found = relations.insert(relations.end(), {judgement.relation, std::vector<Level>(drivers_.size(), Level::supported)});
            found->levels[d] = judgement.level;
        }
    for (const auto& [name, levels] : relations) {
        const Origin origin = new_origin({Source::Kind::relation, {}, name});
        const Level least = least_level(raised(floor, origin), *std::ranges::max_element(levels));
        Bits allowed(drivers_.size());
        for (std::size_t d = 0; d < drivers_.size(); ++d)
            if (levels[d] >= least) allowed.set(d);
        problem.clauses.push_back({{{driver_variable(), std::move(allowed)}}, origin});
    }
}

/// The runtime among the components is that of the subject, or of what it needs.
void StackProblem::fill_runtimes(const solver::Solution& values, Stack& stack) const {
    for (const bool of_subject : {true, false})
        for (std::size_t i = 0; i < choices_.size(); ++i) {
            const Candidate& candidate = chosen(values, i);
            const auto& runtime = candidate.cuda ? candidate.cuda : candidate.rocm;
            if (!candidate.leads || !runtime || is_of_subject(question_, candidate.component) != of_subject) continue;
            const std::string name = candidate.cuda ? "cuda" : "rocm";
            stack.components.emplace(name, runtime->str());
            stack.runtimes.emplace(candidate.component, name + " " + runtime->str());
        }
    if (stack.runtimes.size() < 2) stack.runtimes.clear();
}

void StackProblem::fill_components(const Candidate& candidate, Stack& stack) const {
    auto& components = stack.components;
    components[candidate.component] = candidate.version;
    if (!candidate.build || !candidate.build->fact) return;
    const bool linux_wheel = host_.platform.starts_with("linux");   // what other wheels carry was not read
    for (const std::string_view field : {"bundles", "companions"})
        if (const Value* map = field == "bundles" && !linux_wheel ? nullptr : candidate.build->fact->find(field))
            for (const auto& [name, value] : map->members)
                if ((candidate.leads || (name != "cuda" && name != "rocm")) && is_made_for(matrix_, name, value.text, host_.platform)) components.emplace(name, value.text);
}

bool StackProblem::needs_python(const std::vector<Build>& builds) const {
    return std::ranges::any_of(builds, [&](const Build& build) { return !installs_itself(matrix_, build.package); });
}

std::vector<std::string> StackProblem::assumptions(const solver::Solution& values, const std::vector<Build>& builds) const {
    std::vector<std::string> all = host_.assumptions;
    const std::string& python = pythons_[values[python_variable()]];
    if (needs_python(builds) && !request_.python && python != no_python)
        all.push_back("Python " + python + (host_.python == python ? ", which " + (host_.image ? host_.image : host_.os)->id + " brings" : ", as none was named"));
    if (has_driver() && !host_.driver) all.push_back("driver " + drivers_[values[driver_variable()]].str() + " or newer of its branch, as none was named");
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const Candidate& candidate = chosen(values, i);
        if (auto driver = candidate.leads && candidate.rocm ? assumed_amdgpu(matrix_, host_, *candidate.rocm) : std::nullopt) {
            all.push_back(std::move(*driver));
            break;
        }
    }
    if (!request_.os) all.push_back("Linux on " + host_.platform.substr(host_.platform.find('-') + 1) + ", as no operating system was named");
    std::ranges::move(unjudged(matrix_, request_), std::back_inserter(all));
    return all;
}

/// The image asked for, or the best one that serves all cards with this driver.
const Fact* StackProblem::image_for(const solver::Solution& values) const {
    const Candidate& candidate = chosen(values);
    if (request_.image || !candidate.build || !host_.platform.starts_with("linux")) return host_.image;
    const auto driver = has_driver() ? std::optional(drivers_[values[driver_variable()]]) : std::nullopt;
    const auto is_unwanted_in = [](const Fact& image) {
        return [&](const Choice& choice) {
            const Value* inside = choice.wish.versions.empty() ? nullptr : image.find("bundles", choice.wish.name);
            return inside && !holds(choice.wish, Scheme::pep440, inside->text);
        };
    };
    const auto is_another = [&](const model::Entry& inside) {   // an image of vLLM is no image for torch alone
        return question_.packages.contains(inside.name) && std::ranges::none_of(choices_, [&](const Choice& choice) { return choice.wish.name == inside.name; });
    };
    for (const Fact* image : images_of(matrix_, *candidate.build, pythons_[values[python_variable()]])) {
        if (std::ranges::any_of(image->find("bundles")->members, is_another) || std::ranges::any_of(choices_, is_unwanted_in(*image))) continue;
        Host inside = host_;
        inside.image = image;
        const auto serves = [&](const Card& card) { return judge_image_content(matrix_, inside, request_.environment, image, image_name(*image), card).level >= Level::expected; };
        if (std::ranges::all_of(host_.cards, serves) && judge_image_start(matrix_, inside, image_name(*image), driver).level >= Level::expected) return image;
    }
    return nullptr;
}

}  // namespace vmatrix::compat
