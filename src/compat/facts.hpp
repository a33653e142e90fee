/// How this layer reads facts, and the words of the lower layers that all of it uses.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compat/level.hpp"
#include "model/matrix.hpp"
#include "version/version_set.hpp"

namespace vmatrix::compat {

using model::Fact;
using model::Matrix;
using model::Value;
using version::Scheme;
using version::Version;
using version::VersionSet;

/// Component -> version: what is there.
using Parts = std::map<std::string, Version, std::less<>>;

/// Nothing for a text that is no dotted version, an absent one say.
[[nodiscard]] std::optional<Version> dotted(std::string_view text);
/// Whether a list of texts has this one; an absent list has none.
[[nodiscard]] bool lists(const Value* list, std::string_view text);
/// A list that may differ by platform, `architectures` by `architectures-on`; null when it is not known.
[[nodiscard]] const Value* list_on(const Fact& fact, std::string_view field, std::string_view platform);
/// The texts of a list; none of an absent one.
[[nodiscard]] std::vector<std::string> texts(const Value* list);
/// The releases of a component, newest first and, of the same version, in file order.
struct Release {
    Version version;
    const Fact* fact = nullptr;
};
[[nodiscard]] std::vector<Release> releases_of(const Matrix& matrix, std::string_view component, Scheme scheme);
/// Adds a fact and its citations to a reason.
void cite(Reason& reason, const Fact& fact);
/// Adds the facts and citations of another reason.
void cite(Reason& reason, Reason other);
/// The set that a fact writes so; the same text is parsed once. Nothing for a text that is no set.
[[nodiscard]] const std::optional<VersionSet>& parsed_set(Scheme scheme, std::string_view text);
/// Whether the set written under `component` in a map field of a fact holds this version.
[[nodiscard]] bool set_holds(const Fact& fact, std::string_view field, std::string_view component, const Version& version);
/// The same version cut to as many numbers as `like` has: 6.8.0-45 like 6.8 is 6.8.
[[nodiscard]] Version cut(const Version& version, const Version& like);
/// Whether two versions are equal as far as both are given: 12.6 and 12.6.3 are.
[[nodiscard]] bool agree(const Version& a, const Version& b);
/// Whether a system is meant: "ubuntu:24.04" by "ubuntu", "rhel:9.4" by "rhel:9".
[[nodiscard]] bool is_os(std::string_view os, std::string_view pattern);
/// "a", "a and b", "a, b and c"
[[nodiscard]] std::string listed(const std::vector<std::string>& words);

}  // namespace vmatrix::compat
