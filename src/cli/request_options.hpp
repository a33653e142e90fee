/// The options that describe a host and what is wanted on it, the same for every command that asks about a stack.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compat/request.hpp"

namespace CLI {
class App;
}

namespace vmatrix::cli {

struct RequestOptions {
    std::vector<std::string> gpus, environment, with, from, prefer, exclude;
    std::string driver, os, kernel, python, image, cuda, rocm, matrix, policy = "best-evidence", least = "unknown";
    bool explain = false;

    [[nodiscard]] base::Result<compat::Request> request() const;
    [[nodiscard]] std::optional<std::string> matrix_folder() const { return matrix.empty() ? std::nullopt : std::optional(matrix); }
};

void add_request_options(CLI::App& app, RequestOptions& options);
/// Those that choose among several stacks.
void add_choice_options(CLI::App& app, RequestOptions& options);

}  // namespace vmatrix::cli
