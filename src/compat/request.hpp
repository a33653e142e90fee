/// What somebody asks, as it was written, and the parts of it that can be read without the matrix.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "compat/level.hpp"
#include "version/version_set.hpp"

namespace vmatrix::compat {

/// One wish for a package or a runtime, as for pip: "torch", "torch>=2.6", "torch==2.6.0+cu124", "cuda==12.4".
struct Spec {
    std::string text;        ///< as written
    std::string name;        ///< "torch", lower case, `_` and `.` as `-`
    std::string versions;    ///< ">=2.6"; empty: any
    std::string extras = {}; ///< "cuda12,k8s" of "jax[cuda12,k8s]"
};
[[nodiscard]] base::Result<Spec> parse_spec(std::string_view text);
/// The versions that a wish allows. Errors (usage): its versions are no set of this scheme.
[[nodiscard]] base::Result<version::VersionSet> read_versions(const Spec& spec, version::Scheme scheme);
/// The version of a wish for exactly one, "==2.6.0+cu124"; nothing for any other.
[[nodiscard]] std::optional<version::Version> exact_version(const Spec& spec, version::Scheme scheme);

/// What is better among stacks that work. docs/resolver.md, section "Policies".
enum class Policy {
    best_evidence,      ///< the best level, then the newest
    newest,             ///< the newest that is `expected` or better
    oldest_supported,   ///< the best level, then the oldest
    smallest_change,    ///< the best level, then what is nearest to the preferred versions
};
inline constexpr std::array<std::pair<std::string_view, Policy>, 4> policies{{
    {"best-evidence", Policy::best_evidence}, {"newest", Policy::newest}, {"oldest-supported", Policy::oldest_supported}, {"smallest-change", Policy::smallest_change}}};

/// Everything that is absent is not known and free.
struct Request {
    std::vector<std::string> gpus;              ///< names as people write them; several are several cards in one host
    std::optional<std::string> driver;
    std::optional<std::string> os;              ///< "ubuntu:24.04"
    std::optional<std::string> kernel;
    std::optional<std::string> python;          ///< "3.12"
    std::map<std::string, std::string> environment;
    std::optional<std::string> image;
    std::vector<Spec> specs;
    bool of_framework = false;                  ///< `cuda` and `rocm` among the specs mean the runtime inside a framework
    Level least = Level::unknown;               ///< nothing below this is offered
    Policy policy = Policy::best_evidence;
    std::vector<Spec> prefer;                   ///< taken where all else allows it: packages, runtimes, python, driver
    std::vector<Spec> exclude;                  ///< never taken; a bare name: not at all
};

}  // namespace vmatrix::compat
