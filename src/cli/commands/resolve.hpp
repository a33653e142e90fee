#pragma once

#include "cli/context.hpp"

namespace CLI {
class App;
}

namespace vmatrix::cli {

/// `vmatrix resolve` and `vmatrix check`
void add_resolve_command(CLI::App& app, Context& context);
void add_check_command(CLI::App& app, Context& context);
void add_explain_command(CLI::App& app, Context& context);

}  // namespace vmatrix::cli
