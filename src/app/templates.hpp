/// Text that the program writes for other programs (commands, later Dockerfiles): Mustache templates that are installed with
/// it. A matrix cannot bring any.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace vmatrix::app {

struct TemplateData {
    std::map<std::string, std::string> values;
    std::map<std::string, std::vector<std::map<std::string, std::string>>> lists;   ///< items know whether they are `first`
};

/// A text as one word for a POSIX shell, quoted where it has to be.
[[nodiscard]] std::string shell_word(const std::string& text);

/// Errors (environment): the templates are not where the program was installed, so that no answer could name a command.
[[nodiscard]] base::Result<void> check_templates();

/// Renders `templates/<name>.mustache` of the installed data, without its last line break; nothing when there is no such
/// template.
[[nodiscard]] std::optional<std::string> render_template(const std::string& name, const TemplateData& data);

}  // namespace vmatrix::app
