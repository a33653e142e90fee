#include <algorithm>

#include "base/text.hpp"
#include "compat/rules/rules.hpp"

namespace vmatrix::compat {
namespace {

constexpr const char* runtime = "cuda";

/// Whether a list speaks of this component, given what else is there. A runtime that nobody named is free.
bool speaks_of(const Fact& target, const std::string& component, const Parts& present) {
    const Value* of = target.find("of");
    return of->find(component) && std::ranges::all_of(of->members, [&](const model::Entry& entry) {
        const auto found = present.find(entry.name);
        return found == present.end() ? entry.name == runtime : set_holds(target, "of", entry.name, found->second);
    });
}

bool names(const Fact& target, const Card& card) {
    if (lists(target.find("architectures"), card.architecture->id)) return true;
    const auto range = target.text("compute-capability");
    if (range.empty() || !card.capability) return false;
    const auto& set = parsed_set(Scheme::dotted, range);
    return set && set->contains(*card.capability);
}

std::string title(const Matrix& matrix, const std::string& component, const Version& version) {
    const Fact* fact = matrix.find("component", component);
    std::string name(fact ? fact->text("title") : std::string_view(component));
    if (component == runtime) name = "CUDA";   // the title tells whose runtime
    return name + " " + version.str();
}

}  // namespace

Judgement judge_targets(const Matrix& matrix, const std::string& component, const Parts& present, const Card& card) {
    const std::string who = title(matrix, component, present.at(component));
    const bool toolkit = component == runtime;
    Judgement judgement;
    judgement.reason = {"runtime", {component, "gpu"}, "the matrix does not know what " + who + " has code for", {}, {}};
    judgement.level = Level::unknown;
    cite(judgement.reason, *card.architecture);
    bool complete = true, any = false;
    for (const Fact* target : matrix.of("target")) {
        if (!speaks_of(*target, component, present)) continue;
        const bool inside = names(*target, card);
        if (inside) judgement.reason.facts.clear(), judgement.reason.sources.clear(), cite(judgement.reason, *card.architecture);
        cite(judgement.reason, *target);
        if (inside) {
            judgement.level = target->text("complete") == "true" ? Level::supported : Level::expected;
            judgement.reason.text = who + (toolkit ? " compiles for " : " has code for ") + card.title();
            return judgement;
        }
        any = true;
        complete = complete && target->text("complete") == "true";
    }
    if (!any) return judgement;
    judgement.level = complete ? Level::broken : Level::unknown;
    judgement.reason.text = who + (!complete ? " is not known to have code for " : toolkit ? " does not compile for " : " has no code for ") + card.title();
    return judgement;
}

namespace {

/// Boards go by the name of their family, which modules have as another name: "Thor" of the T5000.
bool is_named(const Fact& gpu, std::string_view board) {
    auto names = gpu.texts("aliases");
    names.push_back(gpu.text("name"));
    return std::ranges::any_of(names, [&](std::string_view name) { return base::lower(name).find(base::lower(board)) != std::string::npos; });
}

}  // namespace

Judgement judge_jetpack(const Matrix& matrix, const Version& cuda, const Card& card) {
    Judgement judgement;
    judgement.reason = {"runtime", {runtime, "gpu"}, {}, {}, {}};
    for (const auto& [version, release] : releases_of(matrix, "jetpack", Scheme::dotted)) {
        const Value* bundled = release->find("bundles", runtime);
        const auto brought = bundled ? dotted(bundled->text) : std::nullopt;
        const auto boards = release->texts("boards");
        const bool for_card = std::ranges::any_of(boards, [&](std::string_view board) {
            return std::ranges::any_of(card.gpus, [&](const Fact* gpu) { return is_named(*gpu, board); });
        });
        if (!brought || !for_card || !agree(*brought, cuda)) continue;
        cite(judgement.reason, *release);
        judgement.reason.text = "JetPack " + version.str() + " brings CUDA " + brought->str() + " for " + card.title();
        return judgement;
    }
    judgement.level = Level::unknown;
    judgement.reason.text = "no JetPack for " + card.title() + " that the matrix knows brings CUDA " + cuda.str();
    cite(judgement.reason, *card.architecture);
    return judgement;
}

std::vector<Judgement> judge_library(const Matrix& matrix, const Host& host, const std::string& component, const Version& version, const std::optional<Version>& cuda) {
    Parts present{{component, version}};
    if (cuda) present.emplace(runtime, *cuda);
    std::vector<Judgement> all;
    const bool listed_at_all = std::ranges::any_of(matrix.of("target"), [&](const Fact* target) { return target->find("of", component) != nullptr; });
    for (const Card& card : host.cards)
        if (listed_at_all) all.push_back(judge_targets(matrix, component, present, card));
    for (const Fact* rule : matrix.of("rule")) {
        const Value* needs = rule->find("requires", runtime);
        if (!cuda || !needs || rule->find("when")->members.size() != 1 || !set_holds(*rule, "when", component, version)) continue;
        Judgement judgement;
        judgement.reason = {"runtime", {component, runtime}, {}, {}, {}};
        cite(judgement.reason, *rule);
        const bool holds = set_holds(*rule, "requires", runtime, *cuda);
        judgement.level = !holds ? Level::broken : rule->text("evidence") == "supported" ? Level::supported : Level::expected;
        judgement.reason.text = title(matrix, component, version) + " is built for CUDA " + needs->text + (holds ? "" : ", not for " + cuda->str());
        all.push_back(std::move(judgement));
    }
    return all;
}

}  // namespace vmatrix::compat
