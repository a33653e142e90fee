/// A version together with its scheme. A version alone has no order, and two schemes have none between them.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "version/scheme.hpp"

namespace vmatrix::version {

/// A value: text, scheme and comparison key. Equal versions may be written differently:
/// 1.0 and 1.0.0, 6.8.0-45-generic and 6.8.0-45-lowlatency, 535.104.05 and 535.104.5.
class Version {
public:
    /// Refused: more than 4 KiB, and text that the grammar of the scheme does not have. The message says what was
    /// expected and at which character.
    ///   - pep440: all spellings of PEP 440 ("Normalization"); blanks around it are dropped.
    ///   - dotted: numbers of any length and count, separated by `.`, `-` or `_`, then a flavour that does not count:
    ///     `-generic`, `.el9_2.x86_64`, `+`; behind a revision also at once, `-0ubuntu1`. The separator does not count
    ///     either: 1.7-1 is 1.7.1. Neither a leading `v` nor a letter right behind a number is read: `12.4u1` would be
    ///     another version than 12.4.
    ///   - opaque: visible ASCII characters.
    [[nodiscard]] static base::Result<Version> parse(Scheme scheme, std::string_view text);

    [[nodiscard]] Scheme scheme() const { return scheme_; }
    /// As written, without blanks around it.
    [[nodiscard]] const std::string& str() const { return text_; }
    /// What to show and to write into files. pep440: the normal form of the PEP, which keeps trailing zeros. dotted:
    /// the numbers as written, leading zeros included, without the flavour. opaque: as written.
    /// Parses to an equal version. Equal versions may differ in zeros and separators; compare versions, not this.
    [[nodiscard]] std::string canonical() const;
    /// Bytes that are equal exactly for equal versions and sort as the versions do, within one scheme. For hashing,
    /// and for an index that sorts without knowing schemes; not for people, and not kept across releases of vmatrix.
    [[nodiscard]] const std::string& key() const { return key_; }

    /// pep440 with a pre-release or dev part; false in the other schemes.
    [[nodiscard]] bool is_prerelease() const;
    /// The normal form of the local label of a pep440 version, "cu128"; empty if there is none.
    [[nodiscard]] std::string local() const;

    /// Versions of different schemes are not equal.
    friend bool operator==(const Version& a, const Version& b) { return a.scheme_ == b.scheme_ && a.key_ == b.key_; }
    /// Throws base::Bug for two schemes and for opaque versions, so that no answer can rest on such a comparison.
    friend std::weak_ordering operator<=>(const Version& a, const Version& b);

private:
    Version(Scheme scheme, std::string text, std::string key);

    Scheme scheme_;
    std::string text_;
    std::string key_;
};

}  // namespace vmatrix::version
