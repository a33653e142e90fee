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
    std::map<std::string, std::string> set = {};   ///< the part of the host that gets another value; only the first that helps is offered
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
    for (std::size_t i = 0; i < request.exclude.size(); ++i) {
        Relaxation& free = add(subject.name, "allow " + request.exclude[i].text + ": " + subject.name);
        free.request.exclude.erase(free.request.exclude.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (request.least > Level::unknown) add(subject.name, "accept what is known less well: " + subject.name).request.least = Level::unknown;
    if (request.image) {
        Relaxation& free = add(subject.name, "do without the image " + base::printable(*request.image) + ": " + subject.name);
        leave_image(matrix, free.request, free.host);
        free.without = Spec{*request.image, "image", {}};
    }
    if (!request.image && request.os) {
        Relaxation& free = add("image", "run it in the image");
        leave_system(matrix, free.request, free.host);
    }
    if (const auto elsewhere = on_linux(matrix, host, request)) {
        Relaxation& other = add(subject.name, "run it on Linux or in WSL2: " + subject.name);
        other.request = elsewhere->first;
        other.host = elsewhere->second;
        other.set = {{"os", "wsl2"}};
    }
    for (const std::string& os : newer_systems(matrix, request)) {
        Relaxation& newer = add(subject.name, "upgrade to " + os + ": " + subject.name);
        change_system(matrix, newer.request, newer.host, os);
        newer.set = {{"os", os}};
    }
    for (const Version& kernel : other_kernels(matrix, host)) {
        Relaxation& other = add(subject.name, "boot kernel " + kernel.str() + ": " + subject.name);
        other.request.kernel = kernel.str();
        other.host.kernel = kernel;
        other.set = {{"kernel", kernel.str()}};
    }
    return all;
}

/// Solves the request again without one of its parts.
std::optional<Repair> solve_relaxed(const Matrix& matrix, const Relaxation& relaxed, Judged& judged) {
    auto stack = best_stack(matrix, relaxed.host, relaxed.request, judged);
    if (!stack || stack->level < Level::workaround) return std::nullopt;
    if (!stack->image_name.empty()) stack->components["image"] = stack->image_name;
    if (!stack->components.contains(relaxed.component)) return std::nullopt;
    const std::string& value = stack->components.at(relaxed.component);
    Repair repair{relaxed.text + " " + value, relaxed.set, {}};
    if (relaxed.set.empty()) repair.changes[relaxed.without ? relaxed.without->name : relaxed.component] = relaxed.without ? "" : value;
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

/// The variable that shows a program only these cards, counted among those of their maker in the order of the request.
std::map<std::string, std::string> only_these(const Matrix& matrix, const Host& host, const std::vector<Card>& group) {
    const Fact* vendor = matrix.find("vendor", group.front().vendor);
    const std::string variable(vendor ? vendor->text("visible-devices") : "");
    std::vector<std::string> indices;
    std::size_t index = 0;
    for (const Card& card : host.cards) {
        if (card.vendor != group.front().vendor) continue;
        if (std::ranges::any_of(group, [&](const Card& other) { return other.name == card.name; })) indices.push_back(std::to_string(index));
        ++index;
    }
    if (variable.empty() || indices.size() == index) return {};   // no other card of this maker
    return {{variable, base::join(indices, ",")}};
}

/// Whether one driver serves all cards of the host, so that each can be used by itself where it is.
bool one_driver(const Host& host) {
    if (judge_modules(host).level == Level::broken) return false;
    const auto drivers = newest_drivers(host);
    return drivers.empty() || std::ranges::any_of(drivers, [&](const BranchDriver& driver) {
        return std::ranges::all_of(host.cards, [&](const Card& card) { return judge_card_driver(host, card, driver.version).level > Level::broken; });
    });
}

std::string names_of(const std::vector<Card>& cards) {
    std::vector<std::string> names;
    for (const Card& card : cards) names.push_back(card.name);
    return listed(names);
}

/// An image that holds the package for the cards' maker and that is not known to lack code for them: the first in file order.
const Fact* image_with(const Matrix& matrix, const Host& host, const Request& request, const std::string& package) {
    const char* const runtime = host.vendor == "amd" ? "rocm" : "cuda";
    for (const Fact* image : matrix.of("image")) {
        if (host.cards.empty() || !image->find("bundles", package) || !image->find("bundles", runtime) || !image->text("status").empty()) continue;
        Host inside = host;
        inside.image = image;
        const auto may_serve = [&](const Card& card) { return judge_image_content(matrix, inside, request.environment, image, image_name(*image), card).level > Level::broken; };
        if (std::ranges::all_of(host.cards, may_serve)) return image;
    }
    return nullptr;
}

bool serves(const std::optional<Stack>& stack, const std::string& package) { return stack && stack->level >= Level::workaround && stack->components.contains(package); }

/// Everything of a request that a repair does not set is dropped, and that is said.
void give_up(const Request& request, const Stack& stack, Repair& repair) {
    std::vector<std::string> dropped;
    for (const Spec& spec : request.specs)
        if (!repair.changes.contains(spec.name) && (!spec.versions.empty() || !stack.components.contains(spec.name))) dropped.push_back(spec.text);
    if (request.image && !repair.changes.contains("image")) dropped.push_back("the image " + base::printable(*request.image));
    for (const auto& [name, value] : request.environment)
        if (!repair.changes.contains(name)) dropped.push_back(name);
    if (!dropped.empty()) repair.text += ", without " + listed(dropped);
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
    give_up(request, stack, repair);
    return repair;
}

}  // namespace

Spec subject_of(const Matrix& matrix, const Request& request) {
    const Spec* named = main_spec(matrix, request);
    return named ? *named : Spec{std::string(default_package), std::string(default_package), {}};
}

std::vector<Repair> relax(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject, Judged& judged) {
    std::vector<Repair> repairs;
    for (const Relaxation& relaxed : relaxations(matrix, host, request, subject)) {
        const auto changes_same = [&](const Repair& repair) { return repair.changes.contains(relaxed.set.begin()->first); };
        if (!relaxed.set.empty() && std::ranges::any_of(repairs, changes_same)) continue;
        if (auto repair = solve_relaxed(matrix, relaxed, judged)) repairs.push_back(std::move(*repair));
    }
    order_by_cost(matrix, request, repairs);
    return repairs;
}

std::optional<std::pair<Request, Host>> on_linux(const Matrix& matrix, const Host& host, const Request& request) {
    if (!host.platform.starts_with("windows")) return std::nullopt;
    Request changed = request;
    changed.os = "wsl2";
    auto hosts = read_hosts(matrix, changed);
    if (!hosts) return std::nullopt;
    for (Host& other : *hosts)
        if (other.cards.empty() || other.cards.front().architecture == host.cards.front().architecture) return std::pair(std::move(changed), std::move(other));
    return std::nullopt;
}

std::vector<std::string> newer_systems(const Matrix& matrix, const Request& request) {
    std::vector<std::string> systems;
    const auto colon = request.os ? request.os->find(':') : std::string::npos;
    const auto now = colon == std::string::npos ? std::nullopt : dotted(request.os->substr(colon + 1));
    if (!now || request.image) return systems;
    std::vector<std::pair<Version, std::string>> newer;
    for (const Fact* release : matrix.of("os-release")) {
        auto version = release->text("os") == request.os->substr(0, colon) ? dotted(release->text("version")) : std::nullopt;
        if (version && *now < *version) newer.emplace_back(std::move(*version), std::string(release->text("os")) + ":" + std::string(release->text("version")));
    }
    std::ranges::sort(newer);
    for (auto& [version, name] : newer) systems.push_back(std::move(name));
    return systems;
}

std::vector<Version> other_kernels(const Matrix& matrix, const Host& host) {
    std::vector<Version> kernels;
    if (!host.kernel || !host.driver) return kernels;
    for (const Fact* line : matrix.of("driver-kernel")) {
        const auto works = dotted(line->text("works-to"));
        if (works && line->text("component") == host.driver_component && dotted(line->text("driver")) == host.driver && *works != *host.kernel) kernels.push_back(*works);
    }
    return kernels;
}

namespace {

/// Which kind of change it is to give this part another value.
std::string kind_of(const Request& request, const std::string& part, const std::string& value) {
    for (const char* const host_part : {"python", "image", "driver", "kernel", "os", "gpu"})
        if (part == host_part) return part;
    if (request.environment.contains(part) || part.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos) return "environment";
    const auto spec = std::ranges::find(request.specs, part, &Spec::name);
    const auto asked = spec == request.specs.end() ? std::nullopt : exact_version(*spec, Scheme::pep440);
    const auto release = value.substr(0, value.find('+'));
    return asked && !release.empty() && asked->canonical().substr(0, asked->canonical().find('+')) == release ? "build" : "package";
}

}  // namespace

std::size_t cost_of(const Matrix& matrix, const Request& request, const Repair& repair) {
    constexpr std::size_t unknown = 1000;
    std::size_t cost = 0;
    for (const auto& [part, value] : repair.changes) {
        const Fact* kind = matrix.find("repair", kind_of(request, part, value));
        cost += kind ? std::stoul(std::string(kind->text("cost"))) : unknown;
    }
    return repair.changes.empty() ? unknown * unknown : cost;
}

void order_by_cost(const Matrix& matrix, const Request& request, std::vector<Repair>& repairs) {
    std::ranges::stable_sort(repairs, {}, [&](const Repair& repair) { return cost_of(matrix, request, repair); });
}

std::vector<Repair> offer_apart(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject, Judged& judged) {
    std::vector<Repair> repairs;
    const auto groups = groups_of(host);
    const bool together = host.vendor == "mixed" || one_driver(host);
    for (const auto& group : groups) {
        if (groups.size() < 2) break;
        const auto stack = best_stack(matrix, with_cards(matrix, host, group), request, judged);
        if (!stack || stack->level < Level::workaround) continue;
        Repair repair{"for " + names_of(group) + (together ? " alone" : " alone, in a host of its own") + ", use " + subject.name + " " + stack->components.at(subject.name), {{"gpu", group.front().name}}, stack->builds};
        auto environment = stack->environment;
        if (together) environment.merge(only_these(matrix, host, group));
        repair.set(environment);
        repairs.push_back(std::move(repair));
    }
    return repairs;
}

std::optional<Repair> fresh_start(const Matrix& matrix, const Host& host, const Request& request, const std::string& package, Judged& judged) {
    Request free;
    Host other = host;
    free.gpus = request.gpus;
    free.os = request.os;
    free.kernel = request.kernel;
    free.specs = {{package, package, {}}};
    other.driver.reset();
    leave_image(matrix, free, other);
    if (const auto stack = best_stack(matrix, other, free, judged); serves(stack, package)) return begin_anew(*stack, package, request);
    if (!request.os) return std::nullopt;
    leave_system(matrix, free, other);   // in a container the system is the image's
    const auto stack = best_stack(matrix, other, free, judged);
    if (!serves(stack, package) || stack->image_name.empty()) return std::nullopt;
    Repair repair{"begin anew: run the image " + stack->image_name, {{"image", stack->image_name}}, {}};
    give_up(request, *stack, repair);
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
    const auto is_another = [&](const Spec& spec) { return spec.name != subject.name && (is_runtime(spec) || has_builds(matrix, spec.name)); };
    const bool bound = request.image || (framework && std::ranges::any_of(request.specs, is_another));
    for (const std::string& versions : {subject.versions.substr(0, subject.versions.find('+')), std::string()}) {
        const auto builds = find_builds(matrix, {subject.name, subject.name, versions}, host, false);
        if (bound || !builds || !repairs.empty()) continue;
        if (const auto found = std::ranges::find_if(*builds, runs_here); found != builds->end())
            repairs.push_back({"run on the processor with " + found->title(), {{subject.name, found->text()}}, {*found}});
    }
    if (!request.image)
        if (const Fact* image = image_with(matrix, host, request, subject.name))
            repairs.push_back({"look at the image " + image_name(*image) + ", which holds " + subject.name + " " + image->find("bundles", subject.name)->text, {}, {}});
    for (const Card& card : host.cards)
        if (about_card) repairs.push_back({"use another card than " + card.name + ": no build that the matrix knows serves " + card.title() + " with these wishes", {}, {}});
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
