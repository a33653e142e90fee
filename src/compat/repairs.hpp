/// What would help where a request has no good answer. Everything offered was solved again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compat/answer.hpp"
#include "compat/host.hpp"
#include "compat/request.hpp"

namespace vmatrix::compat {

/// The wish that a request is about: the framework or runtime named, else the package that most people want.
[[nodiscard]] Spec subject_of(const Matrix& matrix, const Request& request);

/// The request without one of its parts, cheapest first: version, Python, driver, variables, further wishes, image, system.
[[nodiscard]] std::vector<Repair> relax(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject);
/// What each card could have by itself, where nothing serves all.
[[nodiscard]] std::vector<Repair> offer_apart(const Matrix& matrix, const Host& host, const Request& request, const Spec& subject);
/// What the cards can have where no single change helps: everything else of the request is given up, the system last.
[[nodiscard]] std::optional<Repair> fresh_start(const Matrix& matrix, const Host& host, const Request& request, const std::string& package);
/// What is left where nothing else helps: the processor, if a build for it can be had here, or another card where it is the card's fault.
[[nodiscard]] std::vector<Repair> last_resorts(const Matrix& matrix, const Host& host, const Request& request, bool about_card);

/// Adds what rules say that helps, where no repair changes the same.
void add_advice(std::vector<Repair>& repairs, const std::vector<Advice>& advice);

}  // namespace vmatrix::compat
