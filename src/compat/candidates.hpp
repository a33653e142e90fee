/// What can be chosen for a request, with what every rule says of each: the one place where both `check` and `resolve`
/// ask the rules.
#pragma once

#include <string>
#include <vector>

#include "compat/answer.hpp"
#include "compat/host.hpp"
#include "compat/request.hpp"

namespace vmatrix::compat {

/// A build, or a release of a runtime asked for by itself.
struct Candidate {
    std::optional<Build> build;
    std::string component;                          ///< "torch", "rocm", "cuda"
    std::string version;                            ///< "2.9.1+cu128", "7.2.0"
    std::optional<Version> cuda, rocm;     ///< runtime
    bool needs_jit = false;                         ///< a card runs it only by PTX
    bool preview = false;
    std::vector<Judgement> judgements;              ///< of relations that neither Python nor driver take part in
};

/// Fills in the judgements of a candidate on a host.
void judge(const Matrix& matrix, const Host& host, const Request& request, Candidate& candidate);
[[nodiscard]] Candidate make_candidate(const Matrix& matrix, const Host& host, const Request& request, Build build);
[[nodiscard]] Candidate make_candidate(const Matrix& matrix, const Host& host, const Request& request, const std::string& component, const Version& version);

/// Stands for "whatever": a matrix that knows no Python.
inline constexpr std::string_view no_python = "-";

/// Relations of a candidate with a Python and with a driver.
[[nodiscard]] Judgement with_python(const Host& host, const Candidate& candidate, const std::string& python);
[[nodiscard]] Judgement with_driver(const Matrix& matrix, const Host& host, const Candidate& candidate, const Version& driver);

/// What a host says of a driver alone, whatever runs on it: the cards, the kernel, the image.
[[nodiscard]] std::vector<Judgement> of_driver(const Matrix& matrix, const Host& host, const Request& request, const Version& driver);

/// Whether a wish is for CUDA or ROCm, which stand inside a framework or by themselves.
[[nodiscard]] bool is_runtime(const Spec& spec);
/// The wish that an answer is about: the framework, else a runtime by itself; null when the request names neither.
[[nodiscard]] const Spec* main_spec(const Matrix& matrix, const Request& request);
/// What is said of wishes that no rule reads.
[[nodiscard]] std::vector<std::string> unjudged(const Matrix& matrix, const Request& request);

[[nodiscard]] Level worst(const std::vector<Judgement>& judgements);
/// "3.12.4" -> "3.12"
[[nodiscard]] std::string minor_of(const std::string& python);

}  // namespace vmatrix::compat
