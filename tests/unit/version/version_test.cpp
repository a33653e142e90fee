#include "version/version.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "base/bug.hpp"
#include "support/catch.hpp"

using vmatrix::base::Bug;
using vmatrix::version::parse_scheme;
using vmatrix::version::Scheme;
using vmatrix::version::Version;

namespace {

Version make(Scheme scheme, std::string_view text) {
    INFO(text);
    auto version = Version::parse(scheme, text);
    REQUIRE(version.has_value());
    return *version;
}

std::string error(Scheme scheme, std::string_view text) {
    INFO(text);
    auto version = Version::parse(scheme, text);
    REQUIRE_FALSE(version.has_value());
    return version.error().message;
}

void check_ascending(Scheme scheme, const std::vector<std::string_view>& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
        for (std::size_t j = 0; j < texts.size(); ++j) {
            INFO(texts[i] << " and " << texts[j]);
            CHECK((make(scheme, texts[i]) < make(scheme, texts[j])) == (i < j));
            CHECK((make(scheme, texts[i]) == make(scheme, texts[j])) == (i == j));
        }
    }
}

struct Row {
    std::string_view text;
    std::string_view result;
};

}  // namespace

TEST_CASE("schemes have names") {
    for (const Scheme scheme : {Scheme::pep440, Scheme::dotted, Scheme::opaque}) CHECK(parse_scheme(to_string(scheme)) == scheme);
    CHECK(to_string(Scheme::dotted) == "dotted");
    const auto unknown = parse_scheme("semver");
    REQUIRE_FALSE(unknown.has_value());
    CHECK(unknown.error().message == "`semver` is not a version scheme: expected pep440, dotted or opaque");
}

TEST_CASE("versions of different schemes are not equal and have no order") {
    const Version pep440 = make(Scheme::pep440, "12.8");
    const Version dotted = make(Scheme::dotted, "12.8");
    CHECK_FALSE(pep440 == dotted);
    CHECK(pep440 != dotted);
    CHECK_THROWS_AS(pep440 < dotted, Bug);
    CHECK_THROWS_AS(dotted >= pep440, Bug);
}

TEST_CASE("pep440: normal forms") {
    const Row row = GENERATE(
        Row{"1.0", "1.0"}, Row{"1.0.0", "1.0.0"}, Row{"01.002", "1.2"}, Row{"0!1.0", "1.0"}, Row{"00", "0"}, Row{"1!2.0", "1!2.0"},
        Row{"1.1RC1", "1.1rc1"}, Row{"1.1.a1", "1.1a1"}, Row{"1.1-a1", "1.1a1"}, Row{"1.1_a1", "1.1a1"}, Row{"1.0a.1", "1.0a1"},
        Row{"1.1alpha1", "1.1a1"}, Row{"1.1beta2", "1.1b2"}, Row{"1.1c3", "1.1rc3"}, Row{"1.1pre4", "1.1rc4"},
        Row{"1.1preview5", "1.1rc5"}, Row{"1.2a", "1.2a0"}, Row{"1.2-post2", "1.2.post2"}, Row{"1.2post2", "1.2.post2"},
        Row{"1.2.post-2", "1.2.post2"}, Row{"1.0-r4", "1.0.post4"}, Row{"1.0rev4", "1.0.post4"}, Row{"1.2.post", "1.2.post0"},
        Row{"1.0-1", "1.0.post1"}, Row{"1.2-dev2", "1.2.dev2"}, Row{"1.2dev2", "1.2.dev2"}, Row{"1.2.dev", "1.2.dev0"},
        Row{"1.0+ubuntu-1", "1.0+ubuntu.1"}, Row{"1.0+foo0100", "1.0+foo0100"}, Row{"1.0+0100", "1.0+100"}, Row{"v1.0", "1.0"},
        Row{" 1.0\n", "1.0"}, Row{"\t\v\f\r1.0 ", "1.0"}, Row{"1.0a.", "1.0a0"}, Row{"1.0a.dev1", "1.0a0.dev1"}, Row{"1.0a-1-1", "1.0a1.post1"},
        Row{"1.0a--1", "1.0a0.post1"}, Row{"1.0apost1", "1.0a0.post1"}, Row{"1.0rev", "1.0.post0"}, Row{"1.0cr", "1.0rc0.post0"},
        Row{"V1!01.0-ALPHA.3-1.DEV+Ubuntu_01", "1!1.0a3.post1.dev0+ubuntu.1"},
        Row{"123456789012345678901234567890.1", "123456789012345678901234567890.1"}, Row{"2.10.0a0+git1234abc", "2.10.0a0+git1234abc"});
    const Version version = make(Scheme::pep440, row.text);
    CHECK(version.canonical() == row.result);
    CHECK(version == make(Scheme::pep440, row.result));
}

TEST_CASE("pep440: order of the PEP's summary, and around it") {
    check_ascending(Scheme::pep440,
        {"0.dev0", "0.9", "1.dev0", "1.0.dev456", "1.0a0.dev0", "1.0a1", "1.0a2.dev456", "1.0a12.dev456", "1.0a12", "1.0b1.dev456", "1.0b2",
            "1.0b2.post345.dev456", "1.0b2.post345", "1.0rc1.dev456", "1.0rc1", "1.0", "1.0+0a", "1.0+abc", "1.0+abc.5", "1.0+abc.7",
            "1.0+abcd", "1.0+5", "1.0+5.0", "1.0+10", "1.0.post0.dev0", "1.0.post456.dev34", "1.0.post456", "1.0.0.1.dev0", "1.0.15", "1.1.dev1",
            "1.9", "1.10", "1.100000000000000000000", "2.dev0", "10", "1!0.1", "2!0"});
}

TEST_CASE("pep440: versions written differently are equal") {
    for (const std::string_view text : {"1", "1.0", "1.0.0", "v1", "0!1"}) {
        CHECK(make(Scheme::pep440, text) == make(Scheme::pep440, "1.0.0.0"));
        CHECK(make(Scheme::pep440, text).key() == make(Scheme::pep440, "1").key());
    }
    CHECK(make(Scheme::pep440, "1.0+cu118") != make(Scheme::pep440, "1.0"));
    CHECK(make(Scheme::pep440, "1.0+a-1") == make(Scheme::pep440, "1+A.01"));
    CHECK(make(Scheme::pep440, " 1.0 ").str() == "1.0");
}

TEST_CASE("pep440: pre-releases and local labels") {
    CHECK(make(Scheme::pep440, "1.0rc1").is_prerelease());
    CHECK(make(Scheme::pep440, "1.0.dev0").is_prerelease());
    CHECK(make(Scheme::pep440, "1.0.post1.dev0").is_prerelease());
    CHECK_FALSE(make(Scheme::pep440, "1.0.post1+cu128").is_prerelease());
    CHECK_FALSE(make(Scheme::dotted, "6.8-rc1").is_prerelease());
    CHECK(make(Scheme::pep440, "2.7.0+CU128").local() == "cu128");
    CHECK(make(Scheme::pep440, "2.7.0+rocm-6.4_1").local() == "rocm.6.4.1");
    CHECK(make(Scheme::pep440, "2.7.0").local().empty());
    CHECK(make(Scheme::dotted, "2.27.5-1+cuda12.9").local().empty());
}

TEST_CASE("pep440: what is no version") {
    const Row row = GENERATE(
        Row{"", "`` is not a pep440 version: expected a digit at character 1, found the end"},
        Row{"v", "`v` is not a pep440 version: expected a digit at character 2, found the end"},
        Row{"vv1", "`vv1` is not a pep440 version: expected a digit at character 2, found `v`"},
        Row{"1!", "`1!` is not a pep440 version: expected a digit at character 3, found the end"},
        Row{"latest", "`latest` is not a pep440 version: expected a digit at character 1, found `l`"},
        Row{"1.0-", "`1.0-` is not a pep440 version: expected a number, a pre-release (a1, b1, rc1), .post1, .dev1, +local or the end at character 4, found `-`"},
        Row{"1..0", "`1..0` is not a pep440 version: expected a number, a pre-release (a1, b1, rc1), .post1, .dev1, +local or the end at character 2, found `.`"},
        Row{"1.0.x", "`1.0.x` is not a pep440 version: expected a number, a pre-release (a1, b1, rc1), .post1, .dev1, +local or the end at character 4, found `.`"},
        Row{"1.0 2", "`1.0 2` is not a pep440 version: expected a number, a pre-release (a1, b1, rc1), .post1, .dev1, +local or the end at character 5, found `2`"},
        Row{"1.0+", "`1.0+` is not a pep440 version: expected a letter or a digit of the local label at character 5, found the end"},
        Row{"1.0+a..b", "`1.0+a..b` is not a pep440 version: expected a letter or a digit of the local label at character 7, found `.`"},
        Row{"1.0+a+b", "`1.0+a+b` is not a pep440 version: expected a letter, a digit, a separator or the end at character 6, found `+`"},
        Row{"1.0\xC3\xA9", "`1.0\xC3\xA9` is not a pep440 version: expected a number, a pre-release (a1, b1, rc1), .post1, .dev1, +local or the end at character 4, found `\xC3\xA9`"},
        Row{"1.0\x1B[0m", "`1.0\\x1b[0m` is not a pep440 version: expected a number, a pre-release (a1, b1, rc1), .post1, .dev1, +local or the end at character 4, found `\\x1b`"});
    CHECK(error(Scheme::pep440, row.text) == row.result);
}

TEST_CASE("dotted: order by numbers") {
    check_ascending(Scheme::dotted,
        {"0", "0.0.1", "1", "1.0.0.1", "1.7", "1.7.0-2", "1.7.1", "1.10", "2.27.5", "2.27.5-1", "2.29.7-1", "5.14.0-427.el9", "5.14.0-427.1.1.el9_2.x86_64",
            "6.6.87.2-microsoft-standard-WSL2", "6.8.0-45-generic", "6.8.0-100", "31.40.0", "535.104.05", "535.104.12", "570.124.06", "570.124.60",
            "99999999999999999999", "100000000000000000000"});
}

TEST_CASE("dotted: the flavour, separators and zeros do not count") {
    const Row row = GENERATE(Row{"6.8.0-45-generic", "6.8.0-45-lowlatency"}, Row{"6.8.0-45-generic", "6.8.0.45"}, Row{"6.5.0+", "6.5"},
        Row{"535.104.05", "535.104.5"}, Row{"12.8", "12.8.0"}, Row{"1_2", "1.2"}, Row{"1.7-1", "1.7.1"}, Row{"5.14.0-427.el9", "5.14.0-427.el9_4.x86_64"},
        Row{"2.36-9+deb12u9", "2.36-9"}, Row{"570.124.06-0ubuntu1", "570.124.06"}, Row{"2.35-0ubuntu3.8", "2.35"}, Row{"0.0", "0"},
        Row{"6.17.0-1008-nvidia-64k", "6.17.0-1008"}, Row{"6.8-rc3", "6.8"}, Row{"2.27.5-1+cuda12.9", "2.27.5.1"}, Row{"1.2~beta", "1.2"});
    CHECK(make(Scheme::dotted, row.text) == make(Scheme::dotted, row.result));
    CHECK(make(Scheme::dotted, row.text).key() == make(Scheme::dotted, row.result).key());
}

TEST_CASE("dotted: printing keeps zeros and separators, and drops the flavour") {
    const Row row = GENERATE(Row{"535.104.05", "535.104.05"}, Row{"6.8.0-45-generic", "6.8.0-45"}, Row{"6.5.0+", "6.5.0"}, Row{"12.8.0", "12.8.0"},
        Row{"5.14.0-427.el9_2.x86_64", "5.14.0-427"}, Row{"0012", "0012"}, Row{"570.124.06-0ubuntu1", "570.124.06-0"});
    const Version version = make(Scheme::dotted, row.text);
    CHECK(version.str() == row.text);
    CHECK(version.canonical() == row.result);
    CHECK(make(Scheme::dotted, version.canonical()) == version);
}

TEST_CASE("dotted: what is no version") {
    const Row row = GENERATE(
        Row{"", "`` is not a dotted version: expected a digit at character 1, found the end"},
        Row{"v12.4", "`v12.4` is not a dotted version: expected a digit at character 1, found `v`"},
        Row{"r570", "`r570` is not a dotted version: expected a digit at character 1, found `r`"},
        Row{" 12.4", "` 12.4` is not a dotted version: expected a digit at character 1, found ` `"},
        Row{"12.4 ", "`12.4 ` is not a dotted version: expected `.`, `-`, `_`, `+` or the end at character 5, found ` `"},
        Row{"12.4u1", "`12.4u1` is not a dotted version: expected `.`, `-`, `_`, `+` or the end at character 5, found `u`"},
        Row{"12.", "`12.` is not a dotted version: expected a digit or a letter at character 4, found the end"},
        Row{"12..4", "`12..4` is not a dotted version: expected a digit or a letter at character 4, found `.`"},
        Row{"12.x", "`12.x` is not a dotted version: expected a digit at character 4, found `x`"},
        Row{"12.*", "`12.*` is not a dotted version: expected a digit at character 4, found `*`"},
        Row{"6.8.0-generic,1", "`6.8.0-generic,1` is not a dotted version: expected letters, digits, `.`, `-`, `_`, `+`, `~` or the end at character 14, found `,`"},
        Row{"6.8/../1", "`6.8/../1` is not a dotted version: expected `.`, `-`, `_`, `+` or the end at character 4, found `/`"});
    CHECK(error(Scheme::dotted, row.text) == row.result);
}

TEST_CASE("opaque: equality only") {
    const Version version = make(Scheme::opaque, "24.10-py3,a|b\\*");
    CHECK(version.str() == "24.10-py3,a|b\\*");
    CHECK(version.canonical() == version.str());
    CHECK(version == make(Scheme::opaque, "24.10-py3,a|b\\*"));
    CHECK(version != make(Scheme::opaque, "24.10-PY3,a|b\\*"));
    CHECK(make(Scheme::opaque, "1.0") != make(Scheme::opaque, "1.0.0"));
    CHECK_THROWS_AS(version < make(Scheme::opaque, "a"), Bug);
    CHECK(error(Scheme::opaque, "") == "`` is not an opaque version: expected a visible ASCII character at character 1, found the end");
    CHECK(error(Scheme::opaque, "a b") == "`a b` is not an opaque version: expected a visible ASCII character at character 2, found ` `");
    CHECK(error(Scheme::opaque, "a\xC2\xA0") == "`a\xC2\xA0` is not an opaque version: expected a visible ASCII character at character 2, found `\xC2\xA0`");
    CHECK(error(Scheme::opaque, std::string_view("a\0b", 3)) == "`a\\x00b` is not an opaque version: expected a visible ASCII character at character 2, found `\\x00`");
}

TEST_CASE("a version is bounded") {
    const std::string longest = std::string(4095, '9') + "1";
    const Scheme scheme = GENERATE(Scheme::pep440, Scheme::dotted, Scheme::opaque);
    CHECK(make(scheme, longest).canonical() == longest);
    CHECK(error(scheme, longest + "0") == "a version may have at most 4096 characters");
}
