#pragma once

#include "cli/context.hpp"

namespace CLI {
class App;
}

namespace vmatrix::cli {

/// `vmatrix matrix lint|fmt|list|show|stats|schema`
void add_matrix_command(CLI::App& app, Context& context);

}  // namespace vmatrix::cli
