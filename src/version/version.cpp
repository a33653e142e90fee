#include "version/version.hpp"

#include <utility>

#include "base/bug.hpp"
#include "version/cursor.hpp"
#include "version/dotted.hpp"
#include "version/opaque.hpp"
#include "version/pep440.hpp"

namespace vmatrix::version {
namespace {

std::string_view without_blanks(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

Parsed<std::string> parse_key(Scheme scheme, std::string_view text) {
    switch (scheme) {
        case Scheme::pep440: return pep440::parse(text).map(pep440::to_key);
        case Scheme::dotted: return dotted::parse(text).map([](const dotted::Parts& parts) { return dotted::to_key(parts.numbers); });
        case Scheme::opaque: return opaque::check(text).map([&] { return opaque::to_key(text); });
    }
    throw base::Bug("unknown scheme");
}

/// "a dotted version".
std::string what(Scheme scheme) {
    return (scheme == Scheme::opaque ? "an " : "a ") + std::string(to_string(scheme)) + " version";
}

}  // namespace

Version::Version(Scheme scheme, std::string text, std::string key) : scheme_(scheme), text_(std::move(text)), key_(std::move(key)) {}

base::Result<Version> Version::parse(Scheme scheme, std::string_view text) {
    if (text.size() > max_text) return base::fail("a version may have at most " + std::to_string(max_text) + " characters");
    auto key = parse_key(scheme, text);
    if (!key) return tl::make_unexpected(to_error(text, what(scheme), std::move(key.error())));
    const std::string_view written = scheme == Scheme::pep440 ? without_blanks(text) : text;
    return Version(scheme, std::string(written), std::move(*key));
}

std::string Version::canonical() const {
    switch (scheme_) {
        case Scheme::pep440: return pep440::format(*pep440::parse(text_));
        case Scheme::dotted: return std::string(dotted::parse(text_)->written);
        case Scheme::opaque: return text_;
    }
    throw base::Bug("unknown scheme");
}

bool Version::is_prerelease() const {
    return scheme_ == Scheme::pep440 && pep440::from_key(key_).is_prerelease();
}

std::string Version::local() const {
    return scheme_ == Scheme::pep440 ? pep440::format_local(pep440::from_key(key_).local) : std::string();
}

std::weak_ordering operator<=>(const Version& a, const Version& b) {
    if (a.scheme_ != b.scheme_ || a.scheme_ == Scheme::opaque)
        throw base::Bug("no order between " + what(a.scheme_) + " and " + what(b.scheme_));
    return a.key_.compare(b.key_) <=> 0;
}

}  // namespace vmatrix::version
