#include "app/advice.hpp"

#include <algorithm>

#include "app/templates.hpp"

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

std::string cited(const Fact& fact) {
    const std::string text(fact.text("text"));
    const auto sources = fact.texts("source");
    return sources.empty() ? text : text + " [" + std::string(sources.front()) + "]";
}

}  // namespace

std::vector<std::string> host_advice(const model::Matrix& matrix, const compat::Host& host) {
    std::vector<std::string> lines;
    for (const Fact* fact : matrix.of("advice")) {
        const bool here = allows(*fact, "platforms", host.platform) && (fact->text("wsl") == "true") == host.wsl;
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
