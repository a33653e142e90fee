#include "compat/repairs.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "compat/candidates.hpp"
#include "compat/resolve.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

constexpr std::string_view default_package = "torch";

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
        leave_image(matrix, free.request, free.host);
        free.without = Spec{*request.image, "image", {}};
    }
    if (!request.image && request.os) {
        Relaxation& free = add("image", "run it in the image");
        leave_system(matrix, free.request, free.host);
    }
    return all;
}

/// Solves the request again without one of its parts.
std::optional<Repair> solve_relaxed(const Matrix& matrix, const Relaxation& relaxed) {
    auto stack = best_stack(matrix, relaxed.host, relaxed.request);
    if (!stack || stack->level < Level::workaround) return std::nullopt;
    if (!stack->image_name.empty()) stack->components["image"] = stack->image_name;
    if (!stack->components.contains(relaxed.component)) return std::nullopt;
    const std::string& value = stack->components.at(relaxed.component);
    Repair repair{relaxed.text + " " + value, {}, {}};
    repair.changes[relaxed.without ? relaxed.without->name : relaxed.component] = relaxed.without ? "" : value;
    if (!stack->builds.empty() && stack->builds.front().package == relaxed.component) repair.builds = stack->builds;
    repair.set(stack->environment);
    return repair;
}

Host with_cards(const Matrix& matrix, const Host& host, std::vector<Card> cards) {
    Host other = host;
    other.cards = std::move(cards);
    other.vendor = other.cards.front().vendor;
    if (host.vendor == "mixed") other.driver_component = other.vendor == "amd" ? "amdgpu-dkms" : "nvidia";
    read_drivers(matrix, other);
    read_issues(matrix, other);
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

bool serves(const std::optional<Stack>& stack, const std::string& package) { return stack && stack->level >= Level::workaround && stack->components.contains(package); }

/// Everything of a request that a repair does not set is dropped.
void give_up(const Request& request, Repair& repair) {
    if (request.driver) repair.changes.try_emplace("driver", "");
    if (request.image) repair.changes.try_emplace("image", "");
    for (const auto& [name, value] : request.environment) repair.changes.try_emplace(name, "");
    for (const Spec& spec : request.specs) repair.changes.try_emplace(spec.name, "");
}

Repair begin_anew(const Stack& stack, const std::string& package, const Request& request) {
    Repair repair{{}, {}, stack.builds};
    std::vector<std::string> parts;
    for (const std::string& part : {package, std::string("python"), std::string("driver")})
        if (const auto found = stack.components.find(part); found != stack.components.end()) {
            parts.push_back(part + " " + found->second);
            repair.changes[part] = found->second;
        }
    if (request.driver && !stack.components.contains("driver")) parts.emplace_back("another driver");
    repair.text = "begin anew: " + listed(parts);
    repair.set(stack.environment);
    give_up(request, repair);
    return repair;
}

}  // namespace

Spec subject_of(const Matrix& matrix, const Request& request) {
    const Spec* named = main_spec(matrix, request);
    return named ? *named : Spec{std::string(default_package), std::string(default_package), {}};
}

std::vector<Repair> relax(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject) {
    std::vector<Repair> repairs;
    for (const Relaxation& relaxed : relaxations(matrix, host, request, subject))
        if (auto repair = solve_relaxed(matrix, relaxed)) repairs.push_back(std::move(*repair));
    return repairs;
}

std::vector<Repair> offer_apart(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject) {
    std::vector<Repair> repairs;
    const auto groups = groups_of(host);
    for (const auto& group : groups) {
        if (groups.size() < 2) break;
        const auto stack = best_stack(matrix, with_cards(matrix, host, group), request);
        if (!stack || stack->level < Level::workaround) continue;
        Repair repair{"for " + names_of(group) + " alone, use " + subject.name + " " + stack->components.at(subject.name), {{"gpu", group.front().name}}, stack->builds};
        repair.set(stack->environment);
        repairs.push_back(std::move(repair));
    }
    return repairs;
}

std::optional<Repair> fresh_start(const Matrix& matrix, const Host& host, const Request& request, const std::string& package) {
    Request free;
    Host other = host;
    free.gpus = request.gpus;
    free.os = request.os;
    free.kernel = request.kernel;
    free.specs = {{package, package, {}}};
    other.driver.reset();
    leave_image(matrix, free, other);
    if (const auto stack = best_stack(matrix, other, free); serves(stack, package)) return begin_anew(*stack, package, request);
    if (!request.os) return std::nullopt;
    leave_system(matrix, free, other);   // in a container the system is the image's
    const auto stack = best_stack(matrix, other, free);
    if (!serves(stack, package) || stack->image_name.empty()) return std::nullopt;
    Repair repair{"begin anew: run the image " + stack->image_name, {{"image", stack->image_name}}, {}};
    give_up(request, repair);
    return repair;
}

std::vector<Repair> last_resorts(const Matrix& matrix, const Host& host, const Request& request, bool about_card) {
    Spec subject = subject_of(matrix, request);
    const bool framework = has_builds(matrix, subject.name);
    if (!framework) subject = {std::string(default_package), std::string(default_package), {}};
    std::vector<Repair> repairs;
    const auto runs_here = [&](const Build& build) {
        const bool here = build.accelerator == "cpu" && build.installable(host.platform) && judge_platform(host, build).level >= Level::expected;
        return here && judge_libc(matrix, host, build).level >= Level::expected && (!request.python || judge_python(host, build, minor_of(*request.python)).level >= Level::expected);
    };
    const bool bound = request.image || (framework && std::ranges::any_of(request.specs, is_runtime));
    for (const std::string& versions : {subject.versions.substr(0, subject.versions.find('+')), std::string()}) {
        const auto builds = find_builds(matrix, {subject.name, subject.name, versions}, host, false);
        if (bound || !builds || !repairs.empty()) continue;
        if (const auto found = std::ranges::find_if(*builds, runs_here); found != builds->end())
            repairs.push_back({"run on the processor with " + found->title(), {{subject.name, found->text()}}, {*found}});
    }
    for (const Card& card : host.cards)
        if (about_card) repairs.push_back({"use another card than " + card.name + ": nothing that the matrix knows serves " + card.title() + " with these wishes", {}, {}});
    return repairs;
}

void add_advice(std::vector<Repair>& repairs, const std::vector<Advice>& advice) {
    const std::size_t solved = repairs.size();
    for (const Advice& one : advice) {
        const auto says_it = [&](const Repair& repair) { return repair.text == one.text || repair.changes.contains(one.about); };
        const bool known = std::any_of(repairs.begin(), repairs.begin() + static_cast<std::ptrdiff_t>(solved), says_it);
        if (!known && std::ranges::find(repairs, one.text, &Repair::text) == repairs.end()) repairs.push_back({one.text, {}, {}});
    }
}

}  // namespace vmatrix::compat
