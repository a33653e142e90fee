#include "app/install_commands.hpp"

#include <algorithm>

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

/// "torch[device-gfx1100]==2.12.0": AMD's indexes keep the device code apart, one extra for each architecture.
std::string requirement(const compat::Build& build, const compat::Host& host) {
    const std::string selector(build.fact->text("selector"));
    const auto open = selector.find('<');
    std::vector<std::string> extras;
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

}  // namespace

std::vector<std::string> install_commands(const model::Matrix& matrix, const compat::Build& build, const compat::Host& host) {
    if (!build.installable(host.platform)) return {};
    const Value* indexes = build.list("index", host.platform);
    TemplateData data;
    auto& packages = data.lists["packages"];
    packages.push_back({{"requirement", quoted(requirement(build, host))}});
    if (const Value* companions = build.fact->find("companions"))
        for (const auto& [name, version] : companions->members)
            if (name.starts_with(build.package)) packages.push_back({{"requirement", name + "==" + version.text}});   // torchvision, torchaudio; pip finds the rest
    if (!compat::lists(indexes, "pypi")) data.lists["index"].push_back({{"address", address(matrix, indexes->items.front().text)}});
    const auto command = render_template("install/pip", data);
    return command ? std::vector{*command} : std::vector<std::string>{};
}

}  // namespace vmatrix::app
