/// What would help where a request has no good answer. Everything offered was solved again.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compat/answer.hpp"
#include "compat/candidates.hpp"
#include "compat/host.hpp"
#include "compat/request.hpp"

namespace vmatrix::compat {

/// The wish that a request is about: the framework or runtime named, else the package that most people want.
[[nodiscard]] Spec subject_of(const Matrix& matrix, const Request& request);

/// The request without one of its parts, cheapest first: version, Python, driver, variables, further wishes, image, system.
[[nodiscard]] std::vector<Repair> relax(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject, Judged& judged);
/// What each card could have by itself, where nothing serves all.
[[nodiscard]] std::vector<Repair> offer_apart(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject, Judged& judged);
/// What the cards can have where no single change helps: everything else of the request is given up, the system last.
[[nodiscard]] std::optional<Repair> fresh_start(const Matrix& matrix, const Host& host, const Request& request, const std::string& package, Judged& judged);
/// What is left where nothing else helps: the processor, if a build for it can be had here, or another card where it is the card's fault.
[[nodiscard]] std::vector<Repair> last_resorts(const Matrix& matrix, const Host& host, const Request& request, bool about_card);

/// The request and its host under WSL2, for one on Windows; nothing for others.
[[nodiscard]] std::optional<std::pair<Request, Host>> on_linux(const Matrix& matrix, const Host& host, const Request& request);
/// Systems of the same distribution that are newer than the one asked for, the nearest first; none without one.
[[nodiscard]] std::vector<std::string> newer_systems(const Matrix& matrix, const Request& request);
/// Kernels on which the module of the host's driver is known to build, other than its own.
[[nodiscard]] std::vector<Version> other_kernels(const Matrix& matrix, const Host& host);

/// What a repair costs whoever makes it, by the `repair` facts of all that it changes. A change of no known kind costs most.
[[nodiscard]] std::size_t cost_of(const Matrix& matrix, const Request& request, const Repair& repair);
/// Cheapest first; advice that was not evaluated stays last.
void order_by_cost(const Matrix& matrix, const Request& request, std::vector<Repair>& repairs);

/// Adds what rules say that helps, where no repair changes the same.
void add_advice(std::vector<Repair>& repairs, const std::vector<Advice>& advice);

}  // namespace vmatrix::compat
