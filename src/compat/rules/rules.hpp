/// Section 3 of the design, one function for each relation. Each says how good one combination is and which facts say so;
/// none knows a version, an architecture or a product. A missing fact gives Level::unknown.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compat/builds.hpp"
#include "compat/candidates.hpp"
#include "compat/facts.hpp"
#include "compat/host.hpp"

namespace vmatrix::compat {

// ---- architecture.cpp

/// Rules 1, 2 and 6: does the build have code for the card, natively, by PTX, or with an override?
[[nodiscard]] Judgement judge_architecture(const Matrix& matrix, const Host& host, const std::map<std::string, std::string>& environment, const Build& build, const Card& card);
/// Rules 1 and 6: does the card run one of the codes that a fact lists in `architectures` and `ptx`? `who` is what has them.
[[nodiscard]] Judgement judge_codes(const Matrix& matrix, const Host& host, const Fact& fact, const std::string& who, const Card& card, Judgement judgement);
/// Rule 6 without a build: what an override in the environment does to a card. No text where none is set.
[[nodiscard]] Judgement judge_override(const Matrix& matrix, const Host& host, const std::map<std::string, std::string>& environment, const Card& card);
/// Whether a toolkit compiles for nothing that the card runs: not for itself, not for an older one of its major.
[[nodiscard]] bool compiles_nothing(const Matrix& matrix, const Version& cuda, const Card& card);
/// Rule 2: does this CUDA compile for the card and do its libraries support it?
[[nodiscard]] Judgement judge_toolkit(const Matrix& matrix, const Version& cuda, const Card& card);

// ---- library.cpp

/// Rule 2: does one of the components present (cuda, cudnn) have code for the card? `present` holds its version and what it was built with.
[[nodiscard]] Judgement judge_targets(const Matrix& matrix, const std::string& component, const Parts& present, const Card& card);
/// Rule 2 on a Jetson, which takes its CUDA from JetPack.
[[nodiscard]] Judgement judge_jetpack(const Matrix& matrix, const Version& cuda, const Card& card);
/// Rule 2 for a library such as cuDNN: its cards, and the CUDA that it was built for where one is known.
[[nodiscard]] std::vector<Judgement> judge_library(const Matrix& matrix, const Host& host, const std::string& component, const Version& version, const std::optional<Version>& cuda);

// ---- driver.cpp

/// Rule 3: does this driver run this CUDA?
[[nodiscard]] Judgement judge_cuda_driver(const Matrix& matrix, const Host& host, const Version& cuda, const Version& driver, bool needs_jit);
/// Rule 4: does this driver serve the card?
[[nodiscard]] Judgement judge_card_driver(const Host& host, const Card& card, const Version& driver);
/// Rule 4: NVIDIA's kernel modules come as open or proprietary ones; some cards need the one, some the other.
[[nodiscard]] Judgement judge_modules(const Host& host);
/// The last driver branch that serves the card, if a newer one exists that does not.
[[nodiscard]] std::optional<Reason> last_branch(const Host& host, const Card& card);
/// The branch that a driver belongs to, or the next lower one; null below the lowest.
[[nodiscard]] const Fact* branch_of(const Host& host, const Version& driver);
/// The newest CUDA, major.minor, that the driver knows; nothing below the lowest branch.
[[nodiscard]] std::optional<Version> newest_cuda(const Host& host, const Version& driver);
/// The newest driver of each branch, lowest first.
struct BranchDriver {
    Version version;
    const Fact* branch = nullptr;
};
[[nodiscard]] std::vector<BranchDriver> newest_drivers(const Host& host);
/// The Windows drivers that are known, oldest first: those that toolkits bring, and numbers at which a branch begins. None where it is not
/// known from which of them on a card is served.
[[nodiscard]] std::vector<Version> windows_drivers(const Host& host);
/// The least driver that rules ask for this CUDA, ">=525.60.13"; null without a rule.
[[nodiscard]] const Fact* cuda_floor(const Matrix& matrix, const Host& host, const Version& cuda);

// ---- packaging.cpp

/// Rule 9: is there a build for this platform, Python and C library?
[[nodiscard]] Judgement judge_platform(const Host& host, const Build& build);
[[nodiscard]] Judgement judge_python(const Host& host, const Build& build, const std::string& python);
[[nodiscard]] Judgement judge_libc(const Matrix& matrix, const Host& host, const Build& build);
/// Rule 10: a companion or library that was asked for against the one that the build belongs with or carries.
[[nodiscard]] Judgement judge_companion(const Matrix& matrix, const Build& build, const Spec& companion);

// ---- package.cpp

/// What a request and its host bring beside packages: kernel, C library, versions asked for of what has no builds.
[[nodiscard]] Parts parts_of_host(const Question& question);
/// The package itself, its runtime and what it carries, as far as a rule or an issue asks for it, and as no wish replaces it.
[[nodiscard]] Parts parts_of(const Question& question, const Candidate& candidate);
/// The versions of a component that a candidate needs; null when it needs none.
[[nodiscard]] const Value* need_of(const Candidate& candidate, std::string_view component);
/// Rule 10: does a candidate get the version of a component that it needs? No text where it needs none.
[[nodiscard]] Judgement judge_need(const Candidate& candidate, const std::string& component, const Version& version);
/// Rule 10: does a package get the other one that it needs, and the runtime in it?
[[nodiscard]] std::vector<Judgement> judge_package(const Candidate& one, const Candidate& other);
/// The level of the worst of these, without their words.
[[nodiscard]] Level package_level(const Candidate& one, const Candidate& other);
/// Parts from several places; the first that has a component tells its version.
using AllParts = std::vector<const Parts*>;
/// Rule 10: the rules about packages that do not hold for `all`. Each of `needed` has a part in them.
[[nodiscard]] std::vector<Judgement> judge_package_rules(const std::vector<const Fact*>& rules, const AllParts& all, const AllParts& needed);
/// The version of a component; null when it is not there.
[[nodiscard]] const Version* part(const AllParts& all, std::string_view component);

// ---- issue.cpp

/// Rule 11: which of some known issues hold for `all`. Each of `needed` has a part in them. An issue that turns on a state that
/// nobody told has no text.
[[nodiscard]] std::vector<Judgement> judge_issues(const std::vector<const Fact*>& issues, const Request& request, const AllParts& all, const AllParts& needed);
/// The level of the worst of these, without their words.
[[nodiscard]] Level issues_level(const std::vector<const Fact*>& issues, const Request& request, const AllParts& all, const AllParts& needed);
/// Whether an issue is limited to other cards or systems than those of the host.
[[nodiscard]] bool may_concern(const Fact& issue, const Host& host);

// ---- rocm.cpp

/// Rule 8: is the card on AMD's list for this ROCm, and do its libraries have code for it?
[[nodiscard]] Judgement judge_rocm_card(const Matrix& matrix, const Host& host, const Version& rocm, const Card& card);
/// Whether the BLAS library of a ROCm has code for the card, by its own list or, where they agree, by those of the releases around it.
[[nodiscard]] std::optional<bool> library_has(const Matrix& matrix, const Version& rocm, std::string_view architecture, Reason& reason);
/// Rule 7: user space against kernel driver.
[[nodiscard]] Judgement judge_rocm_driver(const Matrix& matrix, const Version& rocm, const Version& driver);
/// Rule 7 where no driver was named: which ones AMD documents with this ROCm, as an assumption; nothing where that is not known.
[[nodiscard]] std::optional<std::string> assumed_amdgpu(const Matrix& matrix, const Host& host, const Version& rocm);
/// Rule 8: does AMD list the system and its kernel for this ROCm?
[[nodiscard]] Judgement judge_rocm_system(const Matrix& matrix, const Host& host, const Version& rocm);
/// Rule 8: does the module of this driver build on this kernel?
[[nodiscard]] Judgement judge_module(const Matrix& matrix, const std::string& component, const Version& driver, const Version& kernel);

// ---- image.cpp

/// The fact about an image, "pytorch/pytorch:2.9.1-cuda12.8-cudnn9-runtime"; null when the matrix does not know this tag.
[[nodiscard]] const Fact* find_image(const Matrix& matrix, std::string_view image);
/// The operating system inside, "ubuntu:22.04", by the fact or by the end of the tag; empty when it is not known.
[[nodiscard]] std::string system_of_image(const Matrix& matrix, const Fact* fact, std::string_view image);
/// Rule 5: is the image made for the card's maker? Of an embedded card nobody knows. No text where it is, or where nobody knows what it is made for.
[[nodiscard]] Judgement judge_image_maker(const Fact* fact, const std::string& image, const Card& card);
/// Rule 5: is the image where people look for it? No text where nothing is known against it.
[[nodiscard]] Judgement judge_image_there(const Matrix& matrix, const Host& host, const std::string& image);
/// Rule 5: do such containers run on this system, and is it known what they hold? No text where nothing is amiss.
[[nodiscard]] Judgement judge_image_system(const Matrix& matrix, const Host& host, const std::string& image);
/// Rule 5: does a container of this image start with this driver, and is it served?
[[nodiscard]] Judgement judge_image_start(const Matrix& matrix, const Host& host, const std::string& image, const std::optional<Version>& driver);
/// Rule 5: does what the image holds run on the card? `fact` may be null.
[[nodiscard]] Judgement judge_image_content(const Matrix& matrix, const Host& host, const std::map<std::string, std::string>& environment, const Fact* fact, const std::string& image, const Card& card);
/// Whether an image is known to hold a package in this very build.
[[nodiscard]] bool image_holds(const Fact& image, const Build& build);
/// Whether the image holds this very build, or is a base into which it can be installed.
[[nodiscard]] Judgement judge_image_build(const Host& host, const std::string& image, const Build& build);
/// "pytorch/pytorch:2.9.1-cuda12.8-cudnn9-runtime": the last of its tags, which is the smallest.
[[nodiscard]] std::string image_name(const Fact& image);
/// The other images of the repository, those on the same runtime first; none of a name that is no image reference.
[[nodiscard]] std::vector<std::string> images_beside(const Matrix& matrix, const Fact* fact, std::string_view image);
/// Images with this package for the same maker's cards: those that hold the very build first, then older releases, newest first.
[[nodiscard]] std::vector<const Fact*> images_of(const Matrix& matrix, const Build& build, const std::string& python);

}  // namespace vmatrix::compat
