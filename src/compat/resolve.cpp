#include "compat/resolve.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "compat/rules/rules.hpp"
#include "compat/stack_problem.hpp"

namespace vmatrix::compat {
namespace {

constexpr std::string_view default_package = "torch";
constexpr std::array<Level, 4> floors{Level::supported, Level::expected, Level::workaround, Level::unknown};

Spec subject_of(const Matrix& matrix, const Request& request) {
    const Spec* named = main_spec(matrix, request);
    return named ? *named : Spec{std::string(default_package), std::string(default_package), {}};
}

/// The best stack at the best floor that has one.
std::optional<std::pair<Level, solver::Solution>> search(StackProblem& problem, bool workarounds) {
    for (const Level floor : floors) {
        if (floor == Level::workaround && !workarounds) break;
        auto answer = solver::solve(problem.problem(floor));
        if (auto* found = std::get_if<solver::Solution>(&answer)) return std::pair(floor, std::move(*found));
    }
    return std::nullopt;
}

/// First what a lower floor would gain (a newer release, say), then further releases of the same level. Workarounds are no
/// alternative to something that runs without.
void add_alternatives(StackProblem& problem, const std::pair<Level, solver::Solution>& best, std::size_t wanted, ResolveAnswer& answer) {
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
    if (best.first == Level::supported && wanted > 0) add(Level::expected);
    const Level last = std::min(best.first, Level::expected);
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
bool is_newer(const Stack& one, const Stack& other) { return one.build && other.build && other.build->version < one.build->version; }

/// The request with one part given up, cheapest first.
struct Relaxation {
    std::string component;          ///< what gets another value
    std::string text;               ///< the value follows
    Request request;
    Host host;
    std::optional<Spec> without;    ///< the wish that is dropped
};

std::vector<Relaxation> relaxations(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject) {
    std::vector<Relaxation> all;
    const auto add = [&](const std::string& component, const std::string& text) -> Relaxation& { return all.emplace_back(Relaxation{component, text, request, host, std::nullopt}); };
    if (!subject.versions.empty()) {
        auto& specs = add(subject.name, "use " + subject.name).request.specs;
        std::erase_if(specs, [&](const Spec& spec) { return spec.name == subject.name; });
        specs.insert(specs.begin(), {subject.name, subject.name, {}});
    }
    if (request.python) add("python", "use Python").request.python.reset();
    if (request.driver) {
        Relaxation& free = add("driver", "install driver");
        free.request.driver.reset();
        free.host.driver.reset();
    }
    for (const auto& [name, value] : request.environment) {
        Relaxation& free = add(subject.name, "unset " + name + ": " + subject.name);
        free.request.environment.erase(name);
        free.without = Spec{name, name, {}};
    }
    for (const Spec& spec : request.specs) {
        if (spec.name == subject.name) continue;
        Relaxation& free = add(subject.name, "do without " + spec.text + ": " + subject.name);
        std::erase_if(free.request.specs, [&](const Spec& other) { return other.name == spec.name; });
        free.without = spec;
    }
    if (request.image) {
        Relaxation& free = add(subject.name, "do without the image " + base::printable(*request.image) + ": " + subject.name);
        free.request.image.reset();
        free.host.image = nullptr;
        read_user_space(matrix, free.request, free.host);
        free.without = Spec{*request.image, "image", {}};
    }
    if (!request.image && request.os) {
        Relaxation& free = add("image", "run it in the image");
        free.request.os.reset();
        free.host.os_name.clear();
        read_user_space(matrix, free.request, free.host);
    }
    return all;
}

/// Solves the request again without one of its parts.
void try_relaxation(const Matrix& matrix, const Relaxation& relaxed, ResolveAnswer& answer) {
    auto stack = best_stack(matrix, relaxed.host, relaxed.request);
    if (!stack || stack->level < Level::workaround) return;
    if (!stack->image_name.empty()) stack->components["image"] = stack->image_name;
    if (!stack->components.contains(relaxed.component)) return;
    const std::string& value = stack->components.at(relaxed.component);
    Repair repair{relaxed.text + " " + value, {}, std::nullopt};
    repair.changes[relaxed.without ? relaxed.without->name : relaxed.component] = relaxed.without ? "" : value;
    if (stack->build && stack->build->package == relaxed.component) repair.build = stack->build;
    repair.set(stack->environment);
    answer.repairs.push_back(std::move(repair));
}

Host with_cards(const Matrix& matrix, const Host& host, std::vector<Card> cards) {
    Host other = host;
    other.cards = std::move(cards);
    other.vendor = other.cards.front().vendor;
    if (host.vendor == "mixed") other.driver_component = other.vendor == "amd" ? "amdgpu-dkms" : "nvidia";
    read_drivers(matrix, other);
    return other;
}

/// Cards that go together: of one maker if there are several makers, else of one architecture.
std::vector<std::vector<Card>> groups_of(const Host& host) {
    std::vector<std::vector<Card>> groups;
    for (const Card& card : host.cards) {
        const auto same = std::ranges::find_if(groups, [&](const std::vector<Card>& group) {
            return host.vendor == "mixed" ? group.front().vendor == card.vendor : group.front().architecture == card.architecture;
        });
        if (same == groups.end()) groups.push_back({card});
        else same->push_back(card);
    }
    return groups;
}

std::string names_of(const std::vector<Card>& cards) {
    std::vector<std::string> names;
    for (const Card& card : cards) names.push_back(card.name);
    return listed(names);
}

/// What each card could have by itself, where nothing serves all.
void offer_apart(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject, ResolveAnswer& answer) {
    const auto groups = groups_of(host);
    for (const auto& group : groups) {
        if (groups.size() < 2) break;
        const auto stack = best_stack(matrix, with_cards(matrix, host, group), request);
        if (!stack || stack->level < Level::workaround) continue;
        Repair repair{"for " + names_of(group) + " alone, use " + subject.name + " " + stack->components.at(subject.name), {{"gpu", group.front().name}}, stack->build};
        repair.set(stack->environment);
        answer.repairs.push_back(std::move(repair));
    }
}

/// No build serves two makers.
void explain_mixed(const Host& host, ResolveAnswer& answer) {
    Reason reason{"hardware", {"gpu"}, "no build serves cards of two makers", {}, {}};
    for (const Card& card : host.cards) {
        reason.text += (&card == &host.cards.front() ? ": " : ", ") + card.name + " is " + card.title();
        cite(reason, *card.architecture);
    }
    answer.conflict.push_back(std::move(reason));
}

}  // namespace

std::optional<Repair> fresh_start(const Matrix& matrix, const Host& host, const Request& request, const std::string& package) {
    Request free;
    free.gpus = request.gpus;
    free.os = request.os;
    free.kernel = request.kernel;
    free.specs = {{package, package, {}}};
    Host other = host;
    other.driver.reset();
    other.image = nullptr;
    read_user_space(matrix, free, other);
    auto stack = best_stack(matrix, other, free);
    bool contained = false;
    if ((!stack || stack->level < Level::workaround) && request.os) {   // in a container the system is the image's
        free.os.reset();
        other.os_name.clear();
        read_user_space(matrix, free, other);
        stack = best_stack(matrix, other, free);
        contained = stack && !stack->image_name.empty();
        if (!contained) return std::nullopt;
    }
    if (!stack || stack->level < Level::workaround || !stack->components.contains(package)) return std::nullopt;
    Repair repair{"begin anew: ", {}, contained ? std::nullopt : stack->build};
    std::vector<std::string> parts;
    for (const std::string& part : {package, std::string("python"), std::string("driver")})
        if (const auto found = stack->components.find(part); found != stack->components.end() && !contained) {
            parts.push_back(part + " " + found->second);
            repair.changes[part] = found->second;
        }
    if (contained) repair.changes["image"] = stack->image_name;
    if (request.driver && repair.changes.try_emplace("driver", "").second) parts.emplace_back("another driver");
    if (request.image) repair.changes.try_emplace("image", "");
    for (const auto& [name, value] : request.environment) repair.changes[name] = "";
    for (const Spec& spec : request.specs) repair.changes.try_emplace(spec.name, "");
    repair.text += contained ? "run the image " + stack->image_name : listed(parts);
    repair.set(stack->environment);
    return repair;
}

std::vector<Repair> last_resorts(const Matrix& matrix, const Host& host, const Request& request, bool about_card) {
    Spec subject = subject_of(matrix, request);
    const bool framework = has_builds(matrix, subject.name);
    if (!framework) subject = {std::string(default_package), std::string(default_package), {}};
    std::vector<Repair> repairs;
    const auto serves = [&](const Build& build) {
        const bool here = build.accelerator == "cpu" && build.installable(host.platform) && judge_platform(host, build).level >= Level::expected;
        return here && judge_libc(matrix, host, build).level >= Level::expected && (!request.python || judge_python(host, build, minor_of(*request.python)).level >= Level::expected);
    };
    const bool free = !request.image && !(framework && std::ranges::any_of(request.specs, is_runtime));
    for (const std::string& versions : {subject.versions.substr(0, subject.versions.find('+')), std::string()}) {
        const auto builds = find_builds(matrix, {subject.name, subject.name, versions}, host, false);
        const auto found = builds && free ? std::ranges::find_if(*builds, serves) : std::vector<Build>::const_iterator();
        if (!builds || !free || found == builds->end()) continue;
        repairs.push_back({"run on the processor with " + found->title(), {{subject.name, found->text()}}, *found});
        break;
    }
    for (const Card& card : host.cards)
        if (about_card) repairs.push_back({"use another card than " + card.name + ": nothing that the matrix knows serves " + card.title() + " with these wishes", {}, std::nullopt});
    return repairs;
}

std::optional<Stack> best_stack(const Matrix& matrix, const Host& host, const Request& request) {
    const Spec subject = subject_of(matrix, request);
    StackProblem problem(matrix, host, request, subject);
    if (!problem.build()) return std::nullopt;
    const auto found = search(problem, request.workarounds);
    return found ? std::optional(problem.stack(found->second)) : std::nullopt;
}

base::Result<ResolveAnswer> resolve(const Matrix& matrix, const Host& host, const Request& request, std::size_t alternatives) {
    const Spec subject = subject_of(matrix, request);
    if (const auto set = read_versions(subject, has_builds(matrix, subject.name) ? Scheme::pep440 : Scheme::dotted); !set) return tl::make_unexpected(set.error());
    StackProblem problem(matrix, host, request, subject);
    if (auto built = problem.build(); !built) return tl::make_unexpected(built.error());
    ResolveAnswer answer;
    for (const Card& card : host.cards) {
        answer.meaning.push_back(card.meaning());
        if (auto reason = last_branch(host, card)) answer.limits.push_back(std::move(*reason));
    }
    if (auto reason = problem.last_release()) answer.limits.push_back(std::move(*reason));
    const auto found = host.vendor == "mixed" ? std::nullopt : search(problem, request.workarounds);
    if (found) {
        answer.stacks.push_back(problem.stack(found->second));
        add_alternatives(problem, *found, alternatives, answer);
        if (request.workarounds && found->first > Level::workaround) answer.workaround = find_workaround(problem);
        if (answer.workaround && !is_newer(*answer.workaround, answer.stacks.front())) answer.workaround.reset();
        return answer;
    }
    if (host.vendor == "mixed") {
        explain_mixed(host, answer);
    } else {
        const auto outcome = solver::solve(problem.problem(request.workarounds ? Level::unknown : Level::expected));
        if (const auto* conflict = std::get_if<solver::Conflict>(&outcome)) problem.explain(*conflict, answer);
        for (const Relaxation& relaxed : relaxations(matrix, host, request, subject)) try_relaxation(matrix, relaxed, answer);
    }
    offer_apart(matrix, host, request, subject, answer);
    add_advice(answer.repairs, answer.advice);
    if (answer.repairs.empty())
        if (auto repair = fresh_start(matrix, host, request, subject.name)) answer.repairs.push_back(std::move(*repair));
    const auto about_card = [](const Reason& reason) { return std::ranges::find(reason.components, "gpu") != reason.components.end(); };
    if (answer.repairs.empty()) answer.repairs = last_resorts(matrix, host, request, std::ranges::any_of(answer.conflict, about_card));
    return answer;
}

}  // namespace vmatrix::compat
