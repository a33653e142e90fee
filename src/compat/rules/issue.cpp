#include <algorithm>

#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

/// All models that a name may mean must be listed: else the issue is not decided.
bool concerns(const Fact& issue, const Card& card) {
    const auto allows = [&](std::string_view field, std::string_view value) { return !issue.find(field) || lists(issue.find(field), value); };
    if (!allows("vendors", card.vendor) || !allows("architectures", card.architecture->id)) return false;
    if (!issue.find("gpus") && !issue.find("classes")) return true;
    return !card.gpus.empty() && std::ranges::all_of(card.gpus, [&](const Fact* gpu) { return allows("gpus", gpu->id) && allows("classes", gpu->text("class")); });
}

bool concerns_cards(const Fact& issue, const Host& host) {
    const auto count = issue.text("cards");
    const auto& set = parsed_set(Scheme::dotted, count.empty() ? "*" : count);
    if (!set || !set->contains(*dotted(std::to_string(host.cards.size())))) return false;
    const bool any = !issue.find("vendors") && !issue.find("architectures") && !issue.find("gpus") && !issue.find("classes");
    return any || std::ranges::any_of(host.cards, [&](const Card& card) { return concerns(issue, card); });
}

bool is_set(const Request& request, const std::string& wanted) {
    const auto equals = wanted.find('=');
    const auto found = request.environment.find(wanted.substr(0, equals));
    return found != request.environment.end() && (equals == std::string::npos || found->second == wanted.substr(equals + 1));
}

bool environment_fits(const Fact& issue, const Request& request) {
    const auto wanted = texts(issue.find("environment")), unwanted = texts(issue.find("not-environment"));
    const auto given = [&](const std::string& variable) { return is_set(request, variable); };
    return std::ranges::all_of(wanted, given) && std::ranges::none_of(unwanted, given);
}

bool names_image(const Fact& issue, const Request& request) {
    if (!issue.find("images")) return true;
    return request.image && std::ranges::any_of(issue.find("images")->items, [&](const Value& image) {
        return request.image->ends_with(image.text) || request.image->find(image.text + ":") != std::string::npos || request.image->find(image.text + "@") != std::string::npos;
    });
}

/// Every component is there, in a version that has the issue, and each of `needed` brings one.
bool holds(const Fact& issue, const AllParts& all, const AllParts& needed) {
    const Value* when = issue.find("when");
    if (!when) return needed.empty();
    for (const auto& [component, versions] : when->members) {
        const Version* version = part(all, component);
        if (!version || !set_holds(issue, "when", component, *version)) return false;
    }
    return std::ranges::all_of(needed, [&](const Parts* parts) {
        return std::ranges::any_of(when->members, [&](const model::Entry& entry) { return parts->contains(entry.name); });
    });
}

/// Whether it is only told: it turns on a state that nobody asked about, or is no more than good to know.
bool only_told(const Fact& issue) { return issue.find("state") || issue.text("severity") == "info"; }

Level level_of(const Fact& issue) { return only_told(issue) ? Level::supported : issue.text("severity") == "blocks" ? Level::broken : Level::expected; }

Judgement tell(const Fact& issue) {
    Judgement judgement;
    judgement.issue = &issue;
    judgement.relation = "issue " + issue.id;
    judgement.level = level_of(issue);
    if (only_told(issue)) return judgement;
    judgement.reason = {std::string(issue.text("layer")), {}, std::string(issue.text("text")), {}, {}};
    if (const Value* when = issue.find("when"))
        for (const auto& [component, versions] : when->members) judgement.reason.components.push_back(component);
    if (issue.find("architectures") || issue.find("gpus") || issue.find("classes")) judgement.reason.components.emplace_back("gpu");
    cite(judgement.reason, issue);
    if (const auto advice = issue.text("advice"); !advice.empty()) judgement.advice.push_back({std::string(advice), {}});
    return judgement;
}

std::vector<const Fact*> issues_that_hold(const std::vector<const Fact*>& issues, const Request& request, const AllParts& all, const AllParts& needed) {
    std::vector<const Fact*> hold;
    std::ranges::copy_if(issues, std::back_inserter(hold), [&](const Fact* issue) { return holds(*issue, all, needed) && environment_fits(*issue, request) && names_image(*issue, request); });
    return hold;
}

}  // namespace

bool may_concern(const Fact& issue, const Host& host) {
    const Value* systems = issue.find("os");
    const auto is_here = [&](const Value& os) { return is_os(host.os_name, os.text); };
    if (systems && std::ranges::none_of(systems->items, is_here)) return false;
    if (issue.find("platforms") && !lists(issue.find("platforms"), host.platform)) return false;
    if (const auto wsl = issue.text("wsl"); !wsl.empty() && (wsl == "true") != host.wsl) return false;
    return concerns_cards(issue, host);
}

std::vector<Judgement> judge_issues(const std::vector<const Fact*>& issues, const Request& request, const AllParts& all, const AllParts& needed) {
    std::vector<Judgement> judgements;
    for (const Fact* issue : issues_that_hold(issues, request, all, needed)) judgements.push_back(tell(*issue));
    return judgements;
}

Level issues_level(const std::vector<const Fact*>& issues, const Request& request, const AllParts& all, const AllParts& needed) {
    Level level = Level::supported;
    for (const Fact* issue : issues_that_hold(issues, request, all, needed)) level = std::min(level, level_of(*issue));
    return level;
}

}  // namespace vmatrix::compat
