/// What was tried on real hosts: smoke tests that passed or failed with one stack. A record outranks the rules, for exactly what it tells of.
#pragma once

#include <string>
#include <vector>

#include "compat/candidates.hpp"

namespace vmatrix::compat {

/// A stack as far as records tell one from another.
struct Tried {
    std::vector<const Build*> builds;
    std::string python;               ///< "3.12"; empty: nobody said
    std::optional<Version> driver;    ///< of the host's driver component
};

/// The newest record of exactly this decides: passed is `verified`; a failure of the framework or its numerics is `broken` where two hosts
/// saw it, or one on which another stack passes. Any other failure, and a record of nearly this, are told and decide nothing. No text
/// where nobody tried anything like it.
[[nodiscard]] Judgement judge_records(const Question& question, const Tried& tried);

/// Why nothing is verified: no record is of such a stack on such a host; on which hosts the package passed.
[[nodiscard]] Reason no_record(const Matrix& matrix, const std::string& package);

/// The number of the host's kind of driver that a record tells of; nothing for another kind.
[[nodiscard]] std::optional<Version> driver_of(const Fact& record, const Host& host);
/// Whether a record tells of a build.
[[nodiscard]] bool has_build(const Fact& record, const Build& build);

}  // namespace vmatrix::compat
