#include "app/repair_commands.hpp"

#include <algorithm>

#include "app/install_commands.hpp"
#include "app/templates.hpp"

namespace vmatrix::app {
namespace {

bool is_variable(const std::string& name) { return name.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos; }

/// The template for one part that gets another value; empty for a part that the builds bring or that none knows.
std::string template_of(const compat::Host& host, const std::string& part, const std::string& value) {
    if (is_variable(part)) return value.empty() ? "repair/unset" : "repair/set";
    if (value.empty()) return {};
    return part == "image" ? "repair/image-" + host.vendor : "repair/" + part;
}

}  // namespace

std::vector<std::string> repair_commands(const model::Matrix& matrix, const compat::Host& host, const compat::Repair& repair) {
    std::vector<std::string> commands;
    for (const auto& [part, value] : repair.changes) {
        TemplateData data;
        data.values = {{"name", shell_word(part)}, {"value", shell_word(value)}};
        const std::string name = template_of(host, part, value);
        if (auto command = name.empty() ? std::nullopt : render_template(name, data)) commands.push_back(std::move(*command));
    }
    std::ranges::move(install_commands(matrix, repair.builds, host), std::back_inserter(commands));
    return commands;
}

}  // namespace vmatrix::app
