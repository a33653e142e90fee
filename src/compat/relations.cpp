#include "compat/relations.hpp"

#include <algorithm>
#include <set>

#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

Judgement nvidia_driver(const Host& host, const Candidate& candidate, const Version& driver) {
    Judgement judgement;
    judgement.level = Level::broken;
    judgement.reason = {"driver", {"driver", "rocm"}, "driver " + driver.str() + " is one of NVIDIA, " + candidate.component + " " + candidate.version + " runs on AMD's", {}, {}};
    cite(judgement.reason, *branch_of(host, driver));
    return judgement;
}

/// Whether a build for the processor was asked for: "torch==2.9.1+cpu".
bool leaves_cards_alone(const Question& question) {
    return std::ranges::any_of(question.request.specs, [&](const Spec& spec) {
        const auto label = spec.versions.find('+');
        return label != std::string::npos && std::ranges::any_of(question.matrix.of("build"), [&](const Fact* build) {
            const Fact* release = build->text("accelerator") == "cpu" && build->text("build") == spec.versions.substr(label + 1) ? question.matrix.find("release", build->parent) : nullptr;
            return release && release->text("component") == spec.name;
        });
    });
}

}  // namespace

std::vector<Judgement> of_host(const Question& question) {
    std::vector<Judgement> all;
    append(all, "host", judge_issues(question.host.issues, question.request, {&question.around}, {}));
    return all;
}

std::vector<Judgement> of_driver(const Question& question, const Version& driver) {
    const auto& [matrix, host, request, packages, subjects, brought, around] = question;
    std::vector<Judgement> all;
    const auto add = [&](std::string relation, Judgement judgement) {
        judgement.relation = std::move(relation);
        all.push_back(std::move(judgement));
    };
    const std::size_t cards = leaves_cards_alone(question) ? 0 : host.cards.size();
    for (std::size_t i = 0; i < cards; ++i) add("driver of card " + std::to_string(i), judge_card_driver(host, host.cards[i], driver));
    if (host.kernel && host.driver_component == "amdgpu-dkms" && !host.wsl) add("driver on the kernel", judge_module(matrix, host.driver_component, driver, *host.kernel));
    if (request.image) add("start of the image", judge_image_start(matrix, host, *request.image, driver));
    const Parts own{{host.driver_component, driver}};
    append(all, "driver", judge_issues(host.driver_issues, request, {&own, &around}, {&own}));
    return all;
}

std::vector<Judgement> with_python(const Question& question, const Candidate& candidate, const std::string& python) {
    const auto& [matrix, host, request, packages, subjects, brought, around] = question;
    std::vector<Judgement> all;
    if (!candidate.build || !candidate.build->fact || python == no_python) return all;
    const auto version = Version::parse(Scheme::pep440, minor_of(python.substr(0, python.find('t'))));
    const Fact& fact = *candidate.build->fact;
    const bool pure = !candidate.build->list("python", host.platform) && (fact.find("requires", "python") || installs_itself(matrix, candidate.component));   // a wheel, or a source, for every Python that it allows
    if (auto wheel = pure ? Judgement{} : judge_python(host, *candidate.build, minor_of(python)); wheel.level != Level::unknown || !is_brought(question, candidate)) append(all, "python", {std::move(wheel)});
    if (!version) return all;
    const Parts own{{"python", *version}};
    const AllParts everything{&own, &around, &candidate.parts};
    append(all, "python", {judge_need(candidate, "python", *version)});
    append(all, "python", judge_package_rules(host.package_rules, everything, {&own, &candidate.parts}));
    append(all, "python", judge_issues(host.python_issues, request, everything, {&own, &candidate.parts}));
    return all;
}

std::vector<Judgement> runtime_with_driver(const Question& question, const Candidate& candidate, const Version& driver) {
    const auto& [matrix, host, request, packages, subjects, brought, around] = question;
    if (candidate.absent() || !candidate.leads) return {};
    if (candidate.cuda && host.vendor != "amd") return {judge_cuda_driver(matrix, host, *candidate.cuda, driver, candidate.needs_jit)};
    // Without a card the driver is taken for the one of the build's vendor.
    if (candidate.rocm && host.vendor.empty() && branch_of(host, driver)) return {nvidia_driver(host, candidate, driver)};
    if (candidate.rocm && (host.driver_component == "amdgpu-dkms" || (host.vendor.empty() && !host.windows_driver))) return {judge_rocm_driver(matrix, *candidate.rocm, driver)};
    return {};
}

std::vector<Judgement> needs_with_driver(const Question& question, const Candidate& candidate, const Version& driver) {
    const auto& [matrix, host, request, packages, subjects, brought, around] = question;
    std::vector<Judgement> all;
    if (candidate.absent() || !host.watched.contains(host.driver_component)) return all;
    const Parts own{{host.driver_component, driver}};
    append(all, "driver", {judge_need(candidate, host.driver_component, driver)});
    append(all, "driver", judge_issues(host.driver_issues, request, {&own, &around, &candidate.parts}, {&own, &candidate.parts}));
    return all;
}

Level needs_driver_level(const Question& question, const std::vector<const Fact*>& issues, const Candidate& candidate, const Version& driver) {
    const auto& [matrix, host, request, packages, subjects, brought, around] = question;
    if (candidate.absent() || !host.watched.contains(host.driver_component)) return Level::supported;
    const Parts own{{host.driver_component, driver}};
    const Level level = judge_need(candidate, host.driver_component, driver).level;
    return std::min(level, issues_level(issues, request, {&own, &around, &candidate.parts}, {&own, &candidate.parts}));
}

std::vector<Judgement> with_driver(const Question& question, const Candidate& candidate, const Version& driver) {
    std::vector<Judgement> all;
    append(all, "driver", runtime_with_driver(question, candidate, driver));
    append(all, "driver", needs_with_driver(question, candidate, driver));
    return all;
}

namespace {

std::set<std::string, std::less<>> parts_of_choice(const Choice& choice) {
    std::set<std::string, std::less<>> names;
    for (const Candidate& candidate : choice.candidates)
        for (const auto& [name, version] : candidate.parts) names.insert(name);
    return names;
}

/// Whether a fact can be about both: it names something that only the one has, and something that only the other has.
bool concerns_both(const Fact& fact, const std::set<std::string, std::less<>>& one, const std::set<std::string, std::less<>>& other) {
    bool of_one = false, of_other = false;
    for (const char* const field : {"when", "requires"}) {
        const Value* map = fact.find(field);
        for (const auto& [name, versions] : map ? map->members : std::vector<model::Entry>{}) {
            of_one = of_one || (one.contains(name) && !other.contains(name));
            of_other = of_other || (other.contains(name) && !one.contains(name));
        }
    }
    return of_one && of_other;
}

/// Whether some candidate of the one needs or carries what the other has.
bool looks_at(const Choice& one, const Choice& other) {
    const auto parts = parts_of_choice(other);
    return std::ranges::any_of(one.candidates, [&](const Candidate& candidate) {
        const Fact* fact = candidate.build ? candidate.build->fact : nullptr;
        const Value* needs = fact ? fact->find("requires") : nullptr;
        const bool carries = fact && carried(*fact, other.wish.name);
        return carries || (needs && std::ranges::any_of(needs->members, [&](const model::Entry& need) { return parts.contains(need.name); }));
    });
}

bool look_at_each_other(const Choice& one, const Choice& other) {
    return looks_at(one, other) || looks_at(other, one);   // NOLINT(readability-suspicious-call-argument): either way round
}

bool leads(const Choice& choice) {
    return std::ranges::any_of(choice.candidates, [](const Candidate& candidate) { return candidate.leads && (candidate.cuda || candidate.rocm); });
}

}  // namespace

Link link_of(const Question& question, const Choice& one, const Choice& other) {
    Link link;
    const auto first = parts_of_choice(one), second = parts_of_choice(other);
    for (const Fact* rule : question.host.package_rules)
        if (concerns_both(*rule, first, second)) link.rules.push_back(rule);
    for (const Fact* issue : question.host.issues)
        if (concerns_both(*issue, first, second)) link.issues.push_back(issue);
    return link;
}

bool are_related(const Link& link, const Choice& one, const Choice& other) {
    return !link.rules.empty() || !link.issues.empty() || look_at_each_other(one, other) || (leads(one) && leads(other));
}

bool carries(const Choice& choice, const std::string& package) {
    return std::ranges::any_of(choice.candidates, [&](const Candidate& candidate) { return candidate.build && candidate.build->fact && carried(*candidate.build->fact, package); });
}

bool has_needs(const Choice& choice) {
    return std::ranges::any_of(choice.candidates, [](const Candidate& candidate) { return candidate.build && candidate.build->fact && candidate.build->fact->find("requires"); });
}

std::string needs_text(const Candidate& candidate, const std::string& other) {
    if (candidate.absent() || !candidate.build || !candidate.build->fact) return candidate.version;
    const Fact& fact = *candidate.build->fact;
    std::string text = candidate.build->accelerator + (candidate.leads ? " leads " : " ") + (candidate.build->runtime ? candidate.build->runtime->str() : "");
    if (const Value* needs = fact.find("requires"))
        for (const auto& [name, versions] : needs->members) text += "\n" + name + versions.text;
    for (const char* const field : {"bundles", "companions"})
        if (const Value* carried = fact.find(field, other)) text += "\n" + carried->text;
    return text;
}

Level needs_level(const Candidate& one, const Candidate& other) {
    const Level level = one.absent() ? Level::supported : package_level(one, other);
    return other.absent() ? level : std::min(level, package_level(other, one));   // NOLINT(readability-suspicious-call-argument): the other way round
}

std::vector<Judgement> needs_with_package(const Candidate& one, const Candidate& other) {
    std::vector<Judgement> all;
    const std::string relation = one.component + " with " + other.component;
    if (!one.absent()) append(all, relation, judge_package(one, other));
    if (!other.absent()) append(all, relation, judge_package(other, one));   // NOLINT(readability-suspicious-call-argument): the other way round
    return all;
}

namespace {

/// Whether a fact is about something that the one has and the other has not.
bool only_in(const Fact& fact, const Candidate& one, const Candidate& other) {
    for (const char* const field : {"when", "requires"}) {
        const Value* map = fact.find(field);
        const auto has = [&](const model::Entry& entry) { return one.parts.contains(entry.name) && !other.parts.contains(entry.name); };
        if (map && std::ranges::any_of(map->members, has)) return true;
    }
    return false;
}

/// What a package finds of another one: the runtime only where it runs on it.
Parts seen_by(const Candidate& one, const Candidate& other) {
    Parts parts = other.parts;
    if (one.leads || need_of(one, other.component)) return parts;
    parts.erase("cuda");
    parts.erase("rocm");
    return parts;
}

/// What of a link is about two candidates together, and not about either alone.
Link about_both(const Link& link, const Candidate& one, const Candidate& other) {
    Link both;
    if (one.absent() || other.absent()) return both;
    const auto concerns = [&](const Fact* fact) { return only_in(*fact, one, other) && only_in(*fact, other, one); };   // NOLINT(readability-suspicious-call-argument): either way round
    std::ranges::copy_if(link.rules, std::back_inserter(both.rules), concerns);
    std::ranges::copy_if(link.issues, std::back_inserter(both.issues), concerns);
    return both;
}

}  // namespace

std::vector<Judgement> link_with_package(const Question& question, const Link& link, const Candidate& one, const Candidate& other) {
    std::vector<Judgement> all;
    const Link both = about_both(link, one, other);
    if (both.rules.empty() && both.issues.empty()) return all;
    const std::string relation = one.component + " with " + other.component;
    const Parts of_one = seen_by(other, one), of_other = seen_by(one, other);   // NOLINT(readability-suspicious-call-argument): either way round
    const AllParts everything{&question.around, &of_one, &of_other};
    append(all, relation, judge_package_rules(both.rules, everything, {}));
    if (both.issues.empty()) return all;
    const auto changed = with_environment(question.request, {&one, &other});
    append(all, relation, judge_issues(both.issues, changed ? *changed : question.request, everything, {}));
    return all;
}

Level link_level(const Question& question, const Link& link, const Candidate& one, const Candidate& other) {
    const Link both = about_both(link, one, other);
    if (both.rules.empty() && both.issues.empty()) return Level::supported;
    const Parts of_one = seen_by(other, one), of_other = seen_by(one, other);   // NOLINT(readability-suspicious-call-argument): either way round
    const AllParts everything{&question.around, &of_one, &of_other};
    const Level level = worst(judge_package_rules(both.rules, everything, {}));
    if (both.issues.empty()) return level;
    const auto changed = with_environment(question.request, {&one, &other});
    return std::min(level, issues_level(both.issues, changed ? *changed : question.request, everything, {}));
}

std::vector<std::size_t> alike(const Link& link, const Choice& choice) {
    std::map<std::string, std::size_t> numbers;
    std::vector<std::size_t> groups;
    for (const Candidate& candidate : choice.candidates) {
        std::string text;
        const auto add = [&](const Fact* fact) {
            for (const char* const field : {"when", "requires"}) {
                const Value* map = fact->find(field);
                for (const auto& [name, versions] : map ? map->members : std::vector<model::Entry>{})
                    if (const auto part = candidate.parts.find(name); part != candidate.parts.end()) text += fact->id + " " + name + (set_holds(*fact, field, name, part->second) ? " yes\n" : " no\n");
            }
        };
        std::ranges::for_each(link.rules, add);
        std::ranges::for_each(link.issues, add);
        for (const Judgement& judgement : candidate.judgements)
            for (const auto& [name, value] : judgement.environment) text += name + "=" + value + "\n";
        if (candidate.leads) text += "leads\n";   // what it runs on is what it finds
        if (const Value* needs = candidate.build && candidate.build->fact ? candidate.build->fact->find("requires") : nullptr)
            for (const auto& [name, versions] : needs->members) text += name + "\n";
        if (candidate.absent()) text = "-";
        groups.push_back(numbers.try_emplace(std::move(text), numbers.size()).first->second);
    }
    return groups;
}

std::vector<Judgement> with_package(const Question& question, const Link& link, const Candidate& one, const Candidate& other) {
    auto all = needs_with_package(one, other);
    std::ranges::move(link_with_package(question, link, one, other), std::back_inserter(all));
    return all;
}

}  // namespace vmatrix::compat
