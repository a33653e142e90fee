/// The files that people have already, read as wishes: requirements of pip, pyproject.toml, conda environments, Dockerfiles, cog.yaml.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "base/result.hpp"

namespace vmatrix::inputs {

inline constexpr std::size_t max_bytes = 4u << 20;
inline constexpr std::size_t max_lines = 100'000;

struct Wish {
    std::string text;    ///< as for pip: "torch>=2.6", "cuda==12.4"; names as the file has them
    std::string label;   ///< "cu124": the builds of the index that the file names, where the wish has no label; may be empty
    base::Position at;
};

/// What a file says once, or why a part of it was left out.
struct Statement {
    std::string text;
    base::Position at;
};

struct Inputs {
    std::vector<Wish> specs;
    std::optional<Statement> python;   ///< a set of PEP 440: "==3.11.*", ">=3.9,<3.13"
    std::optional<Statement> image;    ///< a container image: "nvidia/cuda:12.4.1-runtime-ubuntu22.04"
    std::vector<Statement> notes;      ///< what was left out, or kept without being sure, and why
};

/// Reads a text of one of the known kinds; its name tells which, else its content does. `python` ("3.12"), where it is known, decides
/// environment markers. Errors (input) begin with file:line:column.
[[nodiscard]] base::Result<Inputs> read_inputs(std::string_view file_name, std::string_view text, const std::optional<std::string>& python = {});

}  // namespace vmatrix::inputs
