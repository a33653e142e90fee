/// The builds of a framework as candidates: what a wish like "torch>=2.6" or "torch==2.6.0+cu124" can mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compat/host.hpp"
#include "compat/request.hpp"

namespace vmatrix::compat {

struct Build {
    std::string package;                        ///< "torch"
    Version version;                   ///< of the release, without the label
    std::string label;                          ///< "cu128"
    std::string accelerator;                    ///< "cuda", "rocm", "xpu", "cpu", "any"
    bool preview = false;
    const Fact* release = nullptr;       ///< null for a version that the matrix does not have
    const Fact* fact = nullptr;          ///< null likewise: then only the label tells the runtime
    std::optional<Version> runtime;    ///< CUDA or ROCm inside, as exactly as it is known
    bool assumed_default = false;               ///< a bare version was asked for and this is PyPI's build of it

    /// "2.9.1+cu128"; a build for every runtime has no label
    [[nodiscard]] std::string text() const { return version.str() + (label.empty() || accelerator == "any" ? "" : "+" + label); }
    /// "torch 2.9.1+cu128"
    [[nodiscard]] std::string title() const { return package + " " + text(); }
    [[nodiscard]] bool serves(std::string_view platform) const;
    /// Whether pip compiles it on the host.
    [[nodiscard]] bool compiled() const { return fact && fact->text("compiled") == "true"; }
    /// Whether an index is known that has it for this platform.
    [[nodiscard]] bool installable(std::string_view platform) const;
    /// A list that may differ by platform, `architectures` or `ptx` or `index`; null when it is not known.
    [[nodiscard]] const Value* list(std::string_view field, std::string_view platform) const;
};

/// Whether the matrix has builds of a release, and of a package of this name.
[[nodiscard]] bool holds_builds(const Matrix& matrix, const Fact& release);
[[nodiscard]] bool has_builds(const Matrix& matrix, const std::string& package);

/// The version of a component that a build brings or belongs with; null for none.
[[nodiscard]] const Value* carried(const Fact& build, std::string_view component);

/// Whether this version of a component is made for the platform: all is that names none.
[[nodiscard]] bool is_made_for(const Matrix& matrix, const std::string& component, const std::string& version, std::string_view platform);

/// Whether a package is no affair of pip: an application with an installer of its own.
[[nodiscard]] bool installs_itself(const Matrix& matrix, const std::string& package);

/// All builds that a wish allows, newest first and, within a release, in file order. A wish without a label that names
/// one exact version means PyPI's build when `only_default`. A version that the matrix does not know gives one build without
/// facts if its label tells a runtime. Errors: versions that cannot be read.
[[nodiscard]] base::Result<std::vector<Build>> find_builds(const Matrix& matrix, const Spec& spec, const Host& host, bool only_default);

/// "cu128" -> {"cuda", 12.8}, "rocm6.2.4" -> {"rocm", 6.2.4}.
struct LabelRuntime {
    std::string component;
    Version version;
};
[[nodiscard]] std::optional<LabelRuntime> runtime_of_label(std::string_view label);

}  // namespace vmatrix::compat
