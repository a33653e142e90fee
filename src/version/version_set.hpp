/// Sets of versions of one scheme, closed under and, or and not, with decidable equality and emptiness.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"
#include "version/cuts.hpp"
#include "version/scheme.hpp"
#include "version/version.hpp"

namespace vmatrix::version {

/// A value: a union of ranges, kept as sorted places between versions (cuts.hpp). It is a set of all versions that
/// the scheme can express, not of those that exist. Membership costs a binary search; the operations are linear.
///
/// Pre-releases are versions like others: `>=1.0` holds 2.0rc1, as `SpecifierSet.contains(v, prereleases=True)` of
/// Python's packaging does. Whether to offer a pre-release is the caller's choice (Version::is_prerelease).
///
/// Operations between sets, or a set and a version, of different schemes throw base::Bug; only `==` says no.
class VersionSet {
public:
    /// Clauses joined by `,` (and) and `||` (or, which binds less); blanks are allowed around each part.
    ///
    /// | clause                       | pep440                                             | dotted           |
    /// | ---------------------------- | -------------------------------------------------- | ---------------- |
    /// | `*`, `!*`                    | all versions, none                                 | same             |
    /// | `==V`, `!=V`                 | V; with any local label, if V has none             | V                |
    /// | `==V.*`, `!=V.*`             | begins with V, pre-releases included               | begins with V    |
    /// | `===V`                       | V; without a local label, if V has none            | V                |
    /// | `>=V`, `<=V`                 | in order; local labels of candidates ignored       | in order         |
    /// | `>V`                         | not V's locals; V's post-releases only if V is one | in order         |
    /// | `<V`                         | not V's pre-releases, unless V is one              | in order         |
    /// | `~=V.N`                      | `>=V.N,==V.*`; a suffix counts for `>=` only       | same             |
    /// | `<<V`, `<<=V`, `>>V`, `>>=V` | the plain order of versions, locals included       | as `<` and so on |
    /// | `!>V`                        | all that `>V` lacks                                | as `<=`          |
    ///
    /// The clauses of pep440 follow the text of the PEP; `===` compares versions where the PEP compares spellings (1.0
    /// and 1.0.0 are one version here). The last two rows are for to_string. opaque has `==`, `!=`, `===`, `*` and
    /// `!*`, and there a backslash makes the next character a plain one.
    ///
    /// Refused, with the place and what was expected: other text, more than 4 KiB, more than 256 clauses.
    [[nodiscard]] static base::Result<VersionSet> parse(Scheme scheme, std::string_view text);
    [[nodiscard]] static VersionSet all(Scheme scheme);
    [[nodiscard]] static VersionSet none(Scheme scheme);
    /// This version and no other: 2.7.0 without 2.7.0+cu128 (`===`).
    [[nodiscard]] static VersionSet exactly(const Version& version);

    [[nodiscard]] Scheme scheme() const { return scheme_; }
    [[nodiscard]] bool contains(const Version& version) const;
    [[nodiscard]] bool empty() const { return cuts_.empty(); }
    [[nodiscard]] bool subset_of(const VersionSet& other) const;
    [[nodiscard]] bool intersects(const VersionSet& other) const;
    [[nodiscard]] VersionSet complement() const;

    friend VersionSet operator|(const VersionSet& a, const VersionSet& b);
    friend VersionSet operator&(const VersionSet& a, const VersionSet& b);
    friend VersionSet operator~(const VersionSet& set) { return set.complement(); }
    /// The same versions, however the sets were written.
    friend bool operator==(const VersionSet& a, const VersionSet& b) { return a.scheme_ == b.scheme_ && a.cuts_ == b.cuts_; }

    /// One text for each set, in normal form: equal sets print the same. Parses to an equal set as long as it is
    /// within the limits of parse. `>=2.6,!=2.8.1,<3 || ==4.*`.
    [[nodiscard]] std::string to_string() const;
    /// For people: the same with the zeros of dotted versions as they were written, `>=535.104.05`. Equal sets may
    /// differ here.
    [[nodiscard]] std::string display() const;

private:
    VersionSet(Scheme scheme, Cuts cuts) : scheme_(scheme), cuts_(std::move(cuts)) {}

    Scheme scheme_;
    Cuts cuts_;
};

}  // namespace vmatrix::version
