#include "app/advice.hpp"

#include <algorithm>

#include "app/templates.hpp"
#include "compat/facts.hpp"

namespace vmatrix::app {
namespace {

using model::Fact;

bool allows(const Fact& fact, std::string_view field, std::string_view value) {
    const auto allowed = fact.texts(field);
    return allowed.empty() || std::ranges::find(allowed, value) != allowed.end();
}

bool allows_class(const Fact& fact, const Fact& gpu) {
    const auto refused = fact.texts("not-classes");
    return allows(fact, "classes", gpu.text("class")) && std::ranges::find(refused, gpu.text("class")) == refused.end();
}

bool concerns(const Fact& fact, const compat::Card& card) {
    const auto module = fact.text("open-kernel-module");
    if (!module.empty() && (!card.generation || card.generation->text("open-kernel-module") != module)) return false;
    if (!allows(fact, "vendors", card.vendor) || !allows(fact, "architectures", card.architecture->id)) return false;
    return card.gpus.empty() || std::ranges::any_of(card.gpus, [&](const Fact* gpu) { return allows_class(fact, *gpu); });
}

bool names_build(const Fact& fact, std::string_view field, const compat::Stack& stack) {
    return std::ranges::any_of(stack.builds, [&](const compat::Build& build) { return fact.find(field, build.package) && compat::set_holds(fact, field, build.package, build.version); });
}

bool concerns(const Fact& fact, const compat::Stack& stack) {
    const auto is_listed = [&](const compat::Build& build) {
        return build.fact && (allows(fact, "builds", build.label) || allows(fact, "builds", build.fact->text("selector")));
    };
    if (fact.find("packages") && !names_build(fact, "packages", stack)) return false;
    if (fact.find("builds") && std::ranges::none_of(stack.builds, is_listed)) return false;
    if (const auto compiled = fact.text("compiled"); !compiled.empty() && (compiled == "true") != std::ranges::any_of(stack.builds, &compat::Build::compiled)) return false;
    return !names_build(fact, "not-packages", stack);
}

std::string cited(const Fact& fact) {
    const std::string text(fact.text("text"));
    const auto sources = fact.texts("source");
    return sources.empty() ? text : text + " [" + std::string(sources.front()) + "]";
}

}  // namespace

std::vector<std::string> host_advice(const model::Matrix& matrix, const compat::Host& host, const compat::Stack& stack) {
    std::vector<std::string> lines;
    for (const Fact* fact : matrix.of("advice")) {
        const bool here = concerns(*fact, stack) && allows(*fact, "platforms", host.platform) && (fact->text("wsl") == "true") == host.wsl;
        if (here && std::ranges::any_of(host.cards, [&](const compat::Card& card) { return concerns(*fact, card); })) lines.push_back("- " + cited(*fact));
    }
    return lines;
}

std::vector<std::string> proof_commands(const compat::Stack& stack) {
    std::vector<std::string> lines;
    if (std::ranges::any_of(stack.builds, [](const compat::Build& build) { return build.accelerator == "cpu"; })) return lines;
    for (const auto& [component, version] : stack.components)
        if (auto command = render_template("proof/" + component, {})) lines.push_back(std::move(*command));
    return lines;
}

}  // namespace vmatrix::app
