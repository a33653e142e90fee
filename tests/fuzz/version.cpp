// Reads arbitrary lines as versions and as version sets of every scheme, and aborts where a law does not hold.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "version/version_set.hpp"

using namespace vmatrix;
using version::Scheme;
using version::Version;
using version::VersionSet;

namespace {

constexpr std::size_t max_lines = 4;

void require(bool holds, const char* law) {
    if (holds) return;
    std::cerr << "broken: " << law << '\n';
    std::abort();
}

/// Whether parse must take a printed set: a result of operations may exceed its limits.
bool within_limits(const std::string& printed) {
    return printed.size() <= 4096 && std::ranges::count_if(printed, [](char c) { return c == ',' || c == '|'; }) < 255;
}

void check_round_trip(const Version& version) {
    for (const std::string& text : {version.str(), version.canonical()}) {
        const auto again = Version::parse(version.scheme(), text);
        require(again && *again == version && again->key() == version.key(), "a version parses from its text");
        require(again->canonical() == version.canonical(), "the canonical text is stable");
    }
}

void check_round_trip(const VersionSet& set) {
    for (const std::string& text : {set.to_string(), set.display()}) {
        if (!within_limits(text)) continue;
        const auto again = VersionSet::parse(set.scheme(), text);
        require(again && *again == set, "a set parses from its text");
        require(again->to_string() == set.to_string(), "equal sets print the same");
    }
}

void check_order(const Version& a, const Version& b) {
    require((a == b) == (a.key() == b.key()), "equality is that of keys");
    if (a.scheme() == Scheme::opaque) return;
    require((a < b) == (b > a) && (a == b) == !(a < b || a > b), "the order is total");
    require((a < b) == (a.key() < b.key()), "the order is that of keys");
}

void check_membership(const VersionSet& set, const Version& version) {
    const VersionSet only = VersionSet::exactly(version);
    require(only.contains(version) && !only.empty(), "exactly a version contains it");
    require(set.contains(version) == only.subset_of(set) && set.contains(version) == only.intersects(set), "membership is inclusion");
    require(set.contains(version) != (~set).contains(version), "the complement holds the others");
}

void check_algebra(const VersionSet& a, const VersionSet& b) {
    require(~~a == a, "double complement");
    require(~(a | b) == (~a & ~b) && ~(a & b) == (~a | ~b), "De Morgan");
    require((a & (a | b)) == a && (a | (a & b)) == a, "absorption");
    require((a & b) == (b & a) && (a | b) == (b | a), "commutation");
    require((a & ~a).empty() && (a | ~a) == VersionSet::all(a.scheme()), "a set and its complement");
    require(a.subset_of(b) == ((a & b) == a) && a.intersects(b) == !(a & b).empty(), "relations");
    require((a == b) == (a.to_string() == b.to_string()), "a set has one text");
    check_round_trip(a & b);
    check_round_trip(a | ~b);
}

void check_scheme(Scheme scheme, const std::vector<std::string_view>& lines) {
    std::vector<Version> versions;
    std::vector<VersionSet> sets;
    for (const std::string_view line : lines) {
        if (const auto version = Version::parse(scheme, line)) {
            versions.push_back(*version);
            sets.push_back(VersionSet::exactly(*version));
        }
        if (const auto set = VersionSet::parse(scheme, line)) sets.push_back(*set);
    }
    for (const Version& a : versions) {
        check_round_trip(a);
        for (const Version& b : versions) check_order(a, b);
    }
    for (const VersionSet& set : sets) {
        check_round_trip(set);
        check_round_trip(~set);
        for (const Version& version : versions) check_membership(set, version);
        for (const VersionSet& other : sets) check_algebra(set, other);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(data, data + size);
    auto lines = base::split(text, '\n');
    if (lines.size() > max_lines) lines.resize(max_lines);
    for (const Scheme scheme : {Scheme::pep440, Scheme::dotted, Scheme::opaque}) check_scheme(scheme, lines);
    return 0;
}
