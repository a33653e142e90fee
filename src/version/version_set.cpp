#include "version/version_set.hpp"

#include "base/bug.hpp"
#include "version/notation.hpp"
#include "version/set_text.hpp"

namespace vmatrix::version {
namespace {

void require_same(Scheme a, Scheme b) {
    if (a != b) throw base::Bug("a set of " + std::string(to_string(a)) + " versions meets " + std::string(to_string(b)));
}

}  // namespace

base::Result<VersionSet> VersionSet::parse(Scheme scheme, std::string_view text) {
    if (text.size() > max_text) return base::fail("a version set may have at most " + std::to_string(max_text) + " characters");
    auto cuts = read_set(scheme, text);
    if (!cuts) {
        const std::string what = "a set of " + std::string(version::to_string(scheme)) + " versions";
        return tl::make_unexpected(to_error(text, what, std::move(cuts.error())));
    }
    return VersionSet(scheme, std::move(*cuts));
}

VersionSet VersionSet::all(Scheme scheme) {
    return {scheme, {Cut{}}};
}

VersionSet VersionSet::none(Scheme scheme) {
    return {scheme, {}};
}

VersionSet VersionSet::exactly(const Version& version) {
    return {version.scheme(), notation(version.scheme()).exactly(version.str())};
}

bool VersionSet::contains(const Version& version) const {
    require_same(scheme_, version.scheme());
    return version::contains(cuts_, version.key());
}

bool VersionSet::subset_of(const VersionSet& other) const {
    require_same(scheme_, other.scheme_);
    return !any_outside(cuts_, other.cuts_);
}

bool VersionSet::intersects(const VersionSet& other) const {
    require_same(scheme_, other.scheme_);
    return any_inside(cuts_, other.cuts_);
}

VersionSet VersionSet::complement() const {
    return {scheme_, version::complement(cuts_)};
}

VersionSet operator|(const VersionSet& a, const VersionSet& b) {
    require_same(a.scheme_, b.scheme_);
    return {a.scheme_, union_of(a.cuts_, b.cuts_)};
}

VersionSet operator&(const VersionSet& a, const VersionSet& b) {
    require_same(a.scheme_, b.scheme_);
    return {a.scheme_, intersection(a.cuts_, b.cuts_)};
}

std::string VersionSet::to_string() const {
    return write_set(scheme_, cuts_, Spelling::canonical);
}

std::string VersionSet::display() const {
    return write_set(scheme_, cuts_, Spelling::as_written);
}

}  // namespace vmatrix::version
