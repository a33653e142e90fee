#include "app/advice.hpp"

#include <algorithm>

#include "app/templates.hpp"

namespace vmatrix::app {
namespace {

using model::Fact;

bool fits(const Fact& fact, std::string_view field, const std::string& value) {
    const auto allowed = fact.texts(field);
    return allowed.empty() || std::ranges::find(allowed, value) != allowed.end();
}

std::string cited(const Fact& fact) {
    const std::string text(fact.text("text"));
    const auto sources = fact.texts("source");
    return sources.empty() ? text : text + " [" + std::string(sources.front()) + "]";
}

}  // namespace

std::vector<std::string> host_advice(const model::Matrix& matrix, const compat::Host& host) {
    std::vector<std::string> lines;
    if (host.wsl) return lines;   // its drivers are those of Windows
    for (const Fact* fact : matrix.of("advice"))
        if (fits(*fact, "vendors", host.vendor) && fits(*fact, "platforms", host.platform)) lines.push_back("- " + cited(*fact));
    return lines;
}

std::vector<std::string> proof_commands(const compat::Stack& stack) {
    std::vector<std::string> lines;
    for (const auto& [component, version] : stack.components)
        if (auto command = render_template("proof/" + component, {})) lines.push_back(std::move(*command));
    return lines;
}

}  // namespace vmatrix::app
