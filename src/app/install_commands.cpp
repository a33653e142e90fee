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

/// Where pip finds a build, and how it has to be told.
struct Place {
    std::string index;            ///< an address; empty: PyPI
    bool beside_pypi = false;     ///< the index has not all that is needed
    bool searchable = true;       ///< false: a page of files
    bool no_isolation = false;
    bool operator==(const Place&) const = default;
};

/// "jax[cuda12]" brings jax-cuda12-plugin.
bool brought_by_extra(const compat::Build& build, const std::string& package) {
    const auto selector = build.fact->text("selector");
    return !selector.empty() && selector.find('<') == std::string_view::npos && package.starts_with(build.package + "-");
}

std::optional<Place> place_of(const model::Matrix& matrix, const compat::Build& build, const compat::Host& host) {
    if (!build.installable(host.platform)) return std::nullopt;
    const Value* indexes = build.list("index", host.platform);
    Place place;
    place.no_isolation = build.compiled() || build.fact->text("no-isolation") == "true";
    if (compat::lists(indexes, "pypi")) return place;
    const std::string& index = indexes->items.front().text;
    const Fact* fact = matrix.find("wheel-index", index);
    place.index = address(matrix, index);
    place.beside_pypi = fact == nullptr || fact->text("beside-pypi") == "true";
    place.searchable = fact == nullptr || fact->text("searchable") != "false";
    return place.index.empty() ? std::nullopt : std::optional(std::move(place));
}

/// What installs an application that is no affair of pip, templates/install/<package>[-windows].mustache; nothing where none knows.
std::optional<std::string> application_command(const compat::Build& build, const compat::Host& host) {
    TemplateData data;
    data.values = {{"version", build.version.str()}, {"accelerator", build.accelerator}};
    const std::string name = "install/" + build.package;
    auto command = host.platform.starts_with("windows") ? render_template(name + "-windows", data) : std::nullopt;
    return command ? command : render_template(name, data);
}

/// What a package needs before the package: pip builds some against what is there.
std::vector<compat::Build> needed_first(std::vector<compat::Build> left) {
    std::vector<compat::Build> ordered;
    while (!left.empty()) {
        const auto waits = [&](const compat::Build& build) {
            return std::ranges::any_of(left, [&](const compat::Build& other) { return other.package != build.package && build.fact && build.fact->find("requires", other.package); });
        };
        auto next = std::ranges::find_if_not(left, waits);
        if (next == left.end()) next = left.begin();   // two that need each other
        ordered.push_back(std::move(*next));
        left.erase(next);
    }
    return ordered;
}

}  // namespace

std::vector<std::string> install_commands(const model::Matrix& matrix, const std::vector<compat::Build>& builds, const compat::Host& host) {
    std::vector<std::pair<Place, TemplateData>> steps;
    const auto ordered = needed_first({builds.rbegin(), builds.rend()});
    for (const compat::Build& build : ordered) {
        const auto place = place_of(matrix, build, host);
        if (!place) continue;
        if (steps.empty() || steps.back().first != *place) steps.emplace_back(*place, TemplateData{});
        TemplateData& data = steps.back().second;
        auto& packages = data.lists["packages"];
        packages.push_back({{"requirement", shell_word(requirement(build, host))}});
        if (const Value* companions = build.fact->find("companions"))
            for (const auto& [name, version] : companions->members)
                if (name.starts_with(build.package) && !brought_by_extra(build, name)) packages.push_back({{"requirement", shell_word(name + "==" + version.text)}});   // torchvision, torchaudio; pip finds the rest
        if (!place->index.empty() && !data.lists.contains("index")) data.lists["index"].push_back({{"address", shell_word(place->index)}, {"option", place->beside_pypi ? "--extra-index-url" : "--index-url"}});
        if (place->no_isolation && !data.lists.contains("no-isolation")) data.lists["no-isolation"].emplace_back();
    }
    std::vector<std::string> commands;
    for (const auto& [place, data] : steps)
        if (auto command = render_template(place.searchable ? "install/pip" : "install/file", data)) commands.push_back(std::move(*command));
    for (const compat::Build& build : ordered)
        if (compat::installs_itself(matrix, build.package))
            if (auto command = application_command(build, host)) commands.push_back(std::move(*command));
    return commands;
}

}  // namespace vmatrix::app
