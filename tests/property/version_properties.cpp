// Laws of versions and version sets.

#include <rapidcheck.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>

#include "property/version_random.hpp"
#include "property/version_witness.hpp"
#include "support/catch.hpp"

using namespace vmatrix::test;

namespace {

/// Unless the caller chose: more cases than RapidCheck's hundred; they are cheap.
const int more_cases = setenv("RC_PARAMS", "max_success=1000", 0);

int sign(std::weak_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

Scheme ordered_scheme() { return one_of<Scheme>({Scheme::pep440, Scheme::dotted}); }

std::vector<Version> shared_witnesses(const VersionSet& a, const VersionSet& b) {
    std::vector<Version> found = witnesses(a);
    std::ranges::copy(witnesses(b), std::back_inserter(found));
    return found;
}

VersionSet parsed(Scheme scheme, const std::string& text) {
    RC_LOG() << text;
    const auto set = VersionSet::parse(scheme, text);
    RC_ASSERT(set.has_value());
    return *set;
}

/// The order of dotted versions, slowly: numbers as text, padded.
int compare_slowly(const std::string& a, const std::string& b) {
    const auto padded = [](const std::string& text) {
        std::vector<std::string> numbers(8, std::string(30, '0'));
        std::size_t i = 0;
        for (std::size_t at = 0; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0; ++at, ++i) {
            const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
            numbers[i] = std::string(30 - (end - at), '0') + text.substr(at, end - at);
            at = end;
        }
        return numbers;
    };
    return sign(padded(a) <=> padded(b));
}

}  // namespace

TEST_CASE("versions: a total order") {
    REQUIRE(rc::check("of three versions", [] {
        const Scheme scheme = ordered_scheme();
        const Version a = random_version(scheme);
        const Version b = random_version(scheme);
        const Version c = random_version(scheme);
        RC_ASSERT(sign(a <=> b) == -sign(b <=> a));
        RC_ASSERT(((a <=> b) == 0) == (a == b));
        RC_ASSERT((a == b) == (a.key() == b.key()));
        RC_ASSERT(sign(a <=> b) == sign(a.key() <=> b.key()));
        if (a <= b && b <= c) RC_ASSERT(a <= c);
        if (a == b) RC_ASSERT(sign(a <=> c) == sign(b <=> c));
    }));
    REQUIRE(rc::check("of numbers, for dotted versions", [] {
        const std::string a = random_dotted();
        const std::string b = random_dotted();
        RC_ASSERT(sign(*Version::parse(Scheme::dotted, a) <=> *Version::parse(Scheme::dotted, b)) == compare_slowly(a, b));
    }));
}

TEST_CASE("versions: the canonical text is an equal version") {
    REQUIRE(rc::check([] {
        const Scheme scheme = random_scheme();
        const Version version = random_version(scheme);
        const auto again = Version::parse(scheme, version.canonical());
        RC_ASSERT(again.has_value());
        RC_ASSERT(*again == version);
        RC_ASSERT(again->canonical() == version.canonical());
        RC_ASSERT(again->key() == version.key());
        RC_ASSERT(Version::parse(scheme, version.str())->key() == version.key());
    }));
}

TEST_CASE("sets: print and parse") {
    REQUIRE(rc::check([] {
        const Scheme scheme = random_scheme();
        const VersionSet set = random_set(scheme);
        RC_ASSERT(parsed(scheme, set.to_string()) == set);
        RC_ASSERT(parsed(scheme, set.to_string()).to_string() == set.to_string());
        RC_ASSERT(parsed(scheme, set.display()) == set);
    }));
}

TEST_CASE("sets: membership follows the operations") {
    REQUIRE(rc::check([] {
        const Scheme scheme = random_scheme();
        const VersionSet a = random_set(scheme);
        const VersionSet b = random_set(scheme);
        auto versions = shared_witnesses(a, b);
        versions.push_back(random_version(scheme));
        for (const Version& version : versions) {
            RC_LOG() << version.str() << '\n';
            RC_ASSERT((a & b).contains(version) == (a.contains(version) && b.contains(version)));
            RC_ASSERT((a | b).contains(version) == (a.contains(version) || b.contains(version)));
            RC_ASSERT((~a).contains(version) != a.contains(version));
        }
    }));
}

TEST_CASE("sets: laws of an algebra") {
    REQUIRE(rc::check([] {
        const Scheme scheme = random_scheme();
        const VersionSet a = random_set(scheme);
        const VersionSet b = random_set(scheme);
        const VersionSet c = random_set(scheme, 1);
        const VersionSet all = VersionSet::all(scheme);
        const VersionSet none = VersionSet::none(scheme);
        RC_ASSERT(~(a | b) == (~a & ~b));
        RC_ASSERT(~(a & b) == (~a | ~b));
        RC_ASSERT(~~a == a);
        RC_ASSERT((a & a) == a);
        RC_ASSERT((a | a) == a);
        RC_ASSERT((a & b) == (b & a));
        RC_ASSERT((a | b) == (b | a));
        RC_ASSERT((a & (a | b)) == a);
        RC_ASSERT((a | (a & b)) == a);
        RC_ASSERT(((a & b) & c) == (a & (b & c)));
        RC_ASSERT(((a | b) | c) == (a | (b | c)));
        RC_ASSERT((a & (b | c)) == ((a & b) | (a & c)));
        RC_ASSERT((a & ~a) == none);
        RC_ASSERT((a | ~a) == all);
        RC_ASSERT((a & all) == a);
        RC_ASSERT((a | none) == a);
        RC_ASSERT((a & none).empty());
        RC_ASSERT((a | all).to_string() == "*");
        RC_ASSERT(a.subset_of(b) == ((a & b) == a));
        RC_ASSERT(a.intersects(b) == !(a & b).empty());
    }));
}

TEST_CASE("sets: equality, emptiness and inclusion are those of the members") {
    REQUIRE(rc::check([] {
        const Scheme scheme = random_scheme();
        const VersionSet a = random_set(scheme);
        const VersionSet b = below(2) == 0 ? random_set(scheme) : (a & random_set(scheme, 1)) | random_set(scheme, 1);
        const auto versions = shared_witnesses(a, b);
        const auto all_of = [&](auto test) { return std::ranges::all_of(versions, test); };
        RC_LOG() << a.to_string() << " and " << b.to_string() << '\n';
        RC_ASSERT((a == b) == all_of([&](const Version& v) { return a.contains(v) == b.contains(v); }));
        RC_ASSERT((a == b) == (a.to_string() == b.to_string()));
        RC_ASSERT(a.empty() == all_of([&](const Version& v) { return !a.contains(v); }));
        RC_ASSERT((~a).empty() == all_of([&](const Version& v) { return a.contains(v); }));
        RC_ASSERT(a.subset_of(b) == all_of([&](const Version& v) { return !a.contains(v) || b.contains(v); }));
        RC_ASSERT(!a.intersects(b) == all_of([&](const Version& v) { return !a.contains(v) || !b.contains(v); }));
    }));
}

TEST_CASE("sets: a set of one version") {
    REQUIRE(rc::check([] {
        const Scheme scheme = random_scheme();
        const Version version = random_version(scheme);
        const VersionSet only = VersionSet::exactly(version);
        const VersionSet set = random_set(scheme);
        RC_ASSERT(only.contains(version));
        RC_ASSERT(only.subset_of(set) == set.contains(version));
        RC_ASSERT(only.intersects(set) == set.contains(version));
        const Version other = random_version(scheme);
        RC_ASSERT(only.contains(other) == (other == version));
    }));
}

TEST_CASE("sets: clauses and the order of versions") {
    REQUIRE(rc::check([] {
        const Scheme scheme = ordered_scheme();
        const Version bound = random_version(scheme);
        const Version version = one_of(witnesses(VersionSet::exactly(bound) | VersionSet::exactly(random_version(scheme))));
        RC_LOG() << version.str() << " and " << bound.str() << '\n';
        const auto inside = [&](const std::string& op) { return parsed(scheme, op + bound.canonical()).contains(version); };
        RC_ASSERT(inside("<<") == (version < bound));
        RC_ASSERT(inside("<<=") == (version <= bound));
        RC_ASSERT(inside(">>") == (version > bound));
        RC_ASSERT(inside(">>=") == (version >= bound));
        RC_ASSERT(inside("===") == (version == bound));
        RC_ASSERT(inside("==") != inside("!="));
        if (!bound.local().empty()) return;
        RC_ASSERT(inside("==") == (inside(">=") && inside("<=")));
        RC_ASSERT(!inside("<") || version < bound);
        RC_ASSERT(!inside(">") || version > bound);
        RC_ASSERT(inside(">") != inside("!>"));
        if (!version.is_prerelease()) RC_ASSERT(inside("<") == (version < bound));
    }));
}
