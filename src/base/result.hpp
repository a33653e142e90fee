/// How vmatrix says that one operation failed for a foreseeable reason. Work that can find many problems takes a
/// Findings sink instead (finding.hpp); a broken invariant is a Bug (bug.hpp).
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace vmatrix::base {

/// Decides the exit code of the program.
enum class ErrorKind {
    usage,        ///< the call is wrong: exit code 2
    input,        ///< a matrix or input file is wrong: exit code 3
    environment,  ///< disk, network, missing tool: exit code 4
};

struct Error {
    std::string message;                  ///< what happened and where, without a full stop
    std::string hint = {};                ///< what to do next; may be empty
    ErrorKind kind = ErrorKind::input;
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(std::string message, std::string hint = {}, ErrorKind kind = ErrorKind::input) {
    return tl::make_unexpected(Error{std::move(message), std::move(hint), kind});
}

}  // namespace vmatrix::base
