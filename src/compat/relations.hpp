/// What the rules say of candidates with a Python, with a driver and with each other, and of a host and a driver by themselves.
#pragma once

#include <string>
#include <vector>

#include "compat/candidates.hpp"

namespace vmatrix::compat {

/// Stands for "whatever": a matrix that knows no Python.
inline constexpr std::string_view no_python = "-";

/// What is known of two packages together, whatever their versions.
struct Link {
    std::vector<const Fact*> rules, issues;
};
[[nodiscard]] Link link_of(const Question& question, const Choice& one, const Choice& other);
/// Whether any of two packages has to do with the other: a need, a runtime, something carried, or what a link tells.
[[nodiscard]] bool are_related(const Link& link, const Choice& one, const Choice& other);
/// Whether candidates of a package need anything of others.
[[nodiscard]] bool has_needs(const Choice& choice);
/// Whether candidates of a package bring another package in a version of their own.
[[nodiscard]] bool carries(const Choice& choice, const std::string& package);
/// Candidates with the same text fare alike with any candidate of a package that has no needs, does not bring theirs and has no link with it.
[[nodiscard]] std::string needs_text(const Candidate& candidate, const std::string& other);

/// What the driver has to do with the runtime of a candidate: the same for all on the same runtime.
[[nodiscard]] std::vector<Judgement> runtime_with_driver(const Question& question, const Candidate& candidate, const Version& driver);
/// What else it has to do with the driver: what it needs, and known issues.
[[nodiscard]] std::vector<Judgement> needs_with_driver(const Question& question, const Candidate& candidate, const Version& driver);
/// Relations of a candidate with a Python, with a driver and with another package.
[[nodiscard]] std::vector<Judgement> with_python(const Question& question, const Candidate& candidate, const std::string& python);
[[nodiscard]] std::vector<Judgement> with_driver(const Question& question, const Candidate& candidate, const Version& driver);
[[nodiscard]] std::vector<Judgement> needs_with_package(const Candidate& one, const Candidate& other);
[[nodiscard]] std::vector<Judgement> link_with_package(const Question& question, const Link& link, const Candidate& one, const Candidate& other);
/// The levels of these without their words: of needs_with_driver() where only some issues can hold, and of both parts of with_package().
[[nodiscard]] Level needs_driver_level(const Question& question, const std::vector<const Fact*>& issues, const Candidate& candidate, const Version& driver);
[[nodiscard]] Level needs_level(const Candidate& one, const Candidate& other);
[[nodiscard]] Level link_level(const Question& question, const Link& link, const Candidate& one, const Candidate& other);
/// Numbers for the candidates of a choice: those with the same number fare alike in a link.
[[nodiscard]] std::vector<std::size_t> alike(const Link& link, const Choice& choice);
/// Both together.
[[nodiscard]] std::vector<Judgement> with_package(const Question& question, const Link& link, const Candidate& one, const Candidate& other);

/// What a host says of itself, whatever runs on it.
[[nodiscard]] std::vector<Judgement> of_host(const Question& question);
/// What a host says of a driver alone, whatever runs on it: the cards, the kernel, the image.
[[nodiscard]] std::vector<Judgement> of_driver(const Question& question, const Version& driver);

}  // namespace vmatrix::compat
