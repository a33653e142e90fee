/// Private to the layer: sets of versions as places where membership changes.
///
/// A cut is a place between versions, written as a byte string: a version lies above the cut if its key (key.hpp) is
/// equal or greater. The empty string is the place before all versions. A key itself is the place just before its
/// version; the beginning of a key and `key::after_all` is the place after all versions whose keys begin so.
///
/// The cuts of a set are sorted and distinct; the set holds what lies above an odd number of them. Two sets are equal
/// exactly when their cuts are, because the makers of cuts (notation.hpp) never name one place in two ways: between
/// two different cuts there is always a version. (Why opaque versions need not obey: opaque_set.cpp.)
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vmatrix::version {

struct Cut {
    std::string at;
    std::string spelling = {};   ///< how the version was written, where zeros were lost; does not count

    friend bool operator==(const Cut& a, const Cut& b) { return a.at == b.at; }
};

using Cuts = std::vector<Cut>;

inline constexpr std::string_view before_all_versions;

/// What lies above `from` and not above `to`; nothing if they are one place.
[[nodiscard]] Cuts range(Cut from, Cut to);
[[nodiscard]] Cuts complement(Cuts set);
[[nodiscard]] Cuts intersection(const Cuts& a, const Cuts& b);
[[nodiscard]] Cuts union_of(const Cuts& a, const Cuts& b);
/// Whether a version of `a` is, or is not, in `b`.
[[nodiscard]] bool any_inside(const Cuts& a, const Cuts& b);
[[nodiscard]] bool any_outside(const Cuts& a, const Cuts& b);
[[nodiscard]] bool contains(const Cuts& set, std::string_view key);

}  // namespace vmatrix::version
