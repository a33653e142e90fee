#include "app/install_commands.hpp"

#include <algorithm>
#include <optional>

#include "app/templates.hpp"
#include "base/text.hpp"

namespace vmatrix::app {
namespace {

using model::Fact;
using model::Value;

std::string address(const model::Matrix& matrix, const std::string& index) {
    if (index.starts_with("http")) return index;
    const Fact* fact = matrix.find("wheel-index", index);
    return fact ? std::string(fact->text("address")) : std::string();
}

/// "torch[device-gfx1100]==2.12.0": AMD's indexes keep the device code apart, one extra for each architecture. "jax[cuda12]==0.7.0".
std::string requirement(const compat::Build& build, const compat::Host& host) {
    const std::string selector(build.fact->text("selector"));
    const auto open = selector.find('<');
    std::vector<std::string> extras;
    if (open == std::string::npos && !selector.empty()) extras.push_back(selector);
    for (const compat::Card& card : host.cards) {
        if (open == std::string::npos) break;
        std::string extra = selector;
        extra.replace(open, extra.find('>') + 1 - open, card.architecture->id);
        if (std::ranges::find(extras, extra) == extras.end()) extras.push_back(std::move(extra));
    }
    return build.package + (extras.empty() ? "" : "[" + base::join(extras, ",") + "]") + "==" + build.version.str();
}

/// A word for a shell.
std::string quoted(const std::string& text) { return text.find_first_of("[<> ") == std::string::npos ? text : "\"" + text + "\""; }

/// Where pip finds a build: an address, nothing for PyPI.
struct Place {
    std::string index;
    bool compiled = false;
    bool operator==(const Place&) const = default;
};

std::optional<Place> place_of(const model::Matrix& matrix, const compat::Build& build, const compat::Host& host) {
    if (!build.installable(host.platform)) return std::nullopt;
    const Value* indexes = build.list("index", host.platform);
    Place place{{}, build.fact->text("compiled") == "true"};
    if (compat::lists(indexes, "pypi")) return place;
    place.index = address(matrix, indexes->items.front().text);
    return place.index.empty() ? std::nullopt : std::optional(std::move(place));
}

}  // namespace

std::vector<std::string> install_commands(const model::Matrix& matrix, const std::vector<compat::Build>& builds, const compat::Host& host) {
    std::vector<std::pair<Place, TemplateData>> steps;
    for (auto build = builds.rbegin(); build != builds.rend(); ++build) {
        const auto place = place_of(matrix, *build, host);
        if (!place) continue;
        if (steps.empty() || steps.back().first != *place) steps.emplace_back(*place, TemplateData{});
        TemplateData& data = steps.back().second;
        auto& packages = data.lists["packages"];
        packages.push_back({{"requirement", quoted(requirement(*build, host))}});
        if (const Value* companions = build->fact->find("companions"))
            for (const auto& [name, version] : companions->members)
                if (name.starts_with(build->package)) packages.push_back({{"requirement", name + "==" + version.text}});   // torchvision, torchaudio; pip finds the rest
        if (!place->index.empty() && !data.lists.contains("index")) data.lists["index"].push_back({{"address", place->index}});
        if (place->compiled && !data.lists.contains("compiled")) data.lists["compiled"].push_back({});
    }
    std::vector<std::string> commands;
    for (const auto& [place, data] : steps)
        if (auto command = render_template("install/pip", data)) commands.push_back(std::move(*command));
    return commands;
}

}  // namespace vmatrix::app
