#include "version/version_set.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "base/bug.hpp"
#include "support/catch.hpp"

using vmatrix::base::Bug;
using vmatrix::version::Scheme;
using vmatrix::version::Version;
using vmatrix::version::VersionSet;

namespace {

VersionSet set(Scheme scheme, std::string_view text) {
    INFO(text);
    auto parsed = VersionSet::parse(scheme, text);
    REQUIRE(parsed.has_value());
    return *parsed;
}

Version version(Scheme scheme, std::string_view text) {
    INFO(text);
    auto parsed = Version::parse(scheme, text);
    REQUIRE(parsed.has_value());
    return *parsed;
}

bool holds(Scheme scheme, std::string_view in, std::string_view text) {
    return set(scheme, in).contains(version(scheme, text));
}

struct Members {
    std::string_view set;
    std::vector<std::string_view> inside;
    std::vector<std::string_view> outside;
};

void check_members(Scheme scheme, const Members& row) {
    for (const std::string_view text : row.inside) {
        INFO(text << " in " << row.set);
        CHECK(holds(scheme, row.set, text));
    }
    for (const std::string_view text : row.outside) {
        INFO(text << " not in " << row.set);
        CHECK_FALSE(holds(scheme, row.set, text));
    }
}

struct Row {
    std::string_view text;
    std::string_view result;
};

void check_print(Scheme scheme, const Row& row) {
    INFO(row.text);
    CHECK(set(scheme, row.text).to_string() == row.result);
    CHECK(set(scheme, row.result) == set(scheme, row.text));
    CHECK(~set(scheme, (~set(scheme, row.text)).to_string()) == set(scheme, row.text));
}

void check_error(Scheme scheme, const Row& row) {
    INFO(row.text);
    auto parsed = VersionSet::parse(scheme, row.text);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().message == row.result);
}

}  // namespace

TEST_CASE("pep440: membership by the text of the PEP") {
    const Members row = GENERATE(
        // Version matching and exclusion
        Members{"==1.1", {"1.1", "1.1.0", "1.1+cu118", "v1.1"}, {"1.1.post1", "1.1a1", "1.1.dev1", "1.1.1"}},
        Members{"==1.1.post1", {"1.1.post1", "1.1-1", "1.1.post1+a"}, {"1.1", "1.1.post1.dev0", "1.1.post2"}},
        Members{"==1.1.*", {"1.1", "1.1.post1", "1.1a1", "1.1.dev1", "1.1.9", "1.1+x"}, {"1.2.dev0", "1.10", "1.0", "1!1.1"}},
        Members{"==1.7.*", {"1.7.dev1", "1.7rc1"}, {"1.8.dev0"}},
        Members{"==1.0.*", {"1", "1.0.5", "1.dev0"}, {"1.1.dev0", "0.9"}},
        Members{"==1.1a1.*", {"1.1a1", "1.1a1.dev0", "1.1a1.post3", "1.1a1+x"}, {"1.1a10", "1.1a2.dev0", "1.1"}},
        Members{"==1.1.post1.*", {"1.1.post1", "1.1.post1.dev0"}, {"1.1.post2.dev0", "1.1.post0", "1.1.post10"}},
        Members{"==1.1+cu118", {"1.1+cu118", "1.1.0+CU118"}, {"1.1", "1.1+cu128", "1.1+cu118.1"}},
        Members{"!=1.1", {"1.1.post1", "1.1a1", "1.2"}, {"1.1", "1.1.0+cu118"}},
        Members{"!=1.1+a", {"1.1", "1.1+b"}, {"1.1+a"}},
        Members{"!=1.1.*", {"1.2", "1.0"}, {"1.1.post1", "1.1.dev0"}},
        // Inclusive ordered comparison
        Members{">=1.0", {"1.0", "1.0+cu118", "1.0.post1", "2.0rc1"}, {"1.0rc1", "1.0.dev0", "0.9"}},
        Members{"<=1.0", {"1.0", "1.0+cu118", "1.0rc1", "1.0.dev0", "0.9"}, {"1.0.post0.dev0", "1.0.1"}},
        // Exclusive ordered comparison
        Members{">1.7", {"1.7.1", "1.7.0.1.dev0", "1.8.dev0"}, {"1.7", "1.7.0.post1", "1.7+local", "1.7.post1.dev0", "1.7.post3+x", "1.7rc1"}},
        Members{">1.7.post2", {"1.7.1", "1.7.0.post3", "1.7.post3.dev0"}, {"1.7", "1.7.post2", "1.7.post2+x", "1.7.post2.dev9"}},
        Members{">1.7rc1", {"1.7", "1.7rc2.dev0", "1.7.post1", "1.7+x", "1.7rc2.post1"}, {"1.7rc1", "1.7rc1.post1", "1.7rc1+x", "1.7rc1.dev1"}},
        Members{">1.7.dev3", {"1.7.dev4", "1.7a0", "1.7", "1.7.post1"}, {"1.7.dev3", "1.7.dev3+x", "1.7.dev2"}},
        Members{"<1.7", {"1.6.9", "1.6.post9", "1.6.9999+x"}, {"1.7", "1.7rc1", "1.7.dev0", "1.7a1.post1", "1.7rc1+x"}},
        Members{"<1.7rc1", {"1.7b2", "1.7.dev1", "1.7rc1.dev0", "1.6"}, {"1.7rc1", "1.7rc1+a"}},
        Members{"<1.7.post1", {"1.7", "1.7rc1", "1.7.post0", "1.7.post0.dev1", "1.7+x"}, {"1.7.post1", "1.7.post1.dev0"}},
        Members{"<1.7.dev3", {"1.7.dev2", "1.6"}, {"1.7.dev3", "1.7a1"}},
        // Compatible release
        Members{"~=2.2", {"2.2", "2.2.post3", "2.9", "2.99.1rc1", "2.2+x"}, {"2.2rc1", "3.dev0", "3"}},
        Members{"~=1.4.5a4", {"1.4.5a4", "1.4.5", "1.4.99"}, {"1.4.5a3", "1.5.dev0"}},
        Members{"~=2.2.post3", {"2.2.post3", "2.3"}, {"2.2", "3.0"}},
        Members{"~=2.2.0", {"2.2", "2.2.7"}, {"2.3.dev0"}},
        Members{"~=1!2.2", {"1!2.3"}, {"2.3", "1!3"}},
        // Arbitrary equality, on versions
        Members{"===1.0", {"1.0", "1.0.0"}, {"1.0+downstream1", "1.0.post1"}},
        Members{"===1.0+a", {"1.0+a"}, {"1.0"}},
        // Plain order
        Members{"<<1.7", {"1.7rc1", "1.6"}, {"1.7"}},
        Members{"<<=1.7", {"1.7", "1.7rc1"}, {"1.7+a", "1.7.post1"}},
        Members{">>1.7", {"1.7+a", "1.7.post1"}, {"1.7", "1.7rc1"}},
        Members{">>=1.7+b", {"1.7+b", "1.7+1", "1.8"}, {"1.7+a", "1.7"}},
        Members{">>1.7+b", {"1.7+b.0a", "1.7+c"}, {"1.7+b"}},
        Members{"<<1.7+b", {"1.7", "1.7+a"}, {"1.7+b"}},
        Members{"<<=1.7+b", {"1.7+b"}, {"1.7+b.0a"}},
        Members{"!>1.7", {"1.7", "1.7.post9+x", "1.7rc1"}, {"1.7.0.1.dev0", "1.8"}},
        // Combination
        Members{">=2.6,<2.8", {"2.6", "2.7.1+cu128", "2.7rc1"}, {"2.8", "2.8.0a0.dev1", "2.6rc1"}},
        Members{"~= 0.9, >= 1.0, != 1.3.4.*, < 2.0 || ==5", {"5"}, {"0.9", "1.0", "1.3.4"}},
        Members{" >=1 , <2||==0.9.* ", {"1.5", "0.9.3"}, {"2", "0.8"}},
        Members{"*", {"0.dev0", "9!9+z"}, {}},
        Members{"!*", {}, {"0.dev0", "1"}},
        Members{"<0", {}, {"0.dev0", "0a0"}});
    check_members(Scheme::pep440, row);
}

TEST_CASE("dotted: membership") {
    const Members row = GENERATE(
        Members{">=535.104.05", {"535.104.05", "535.104.5", "535.104.12", "570.26"}, {"535.104.04", "535.98"}},
        Members{"<570", {"569.99"}, {"570", "570.0"}},
        Members{"==12.4.*", {"12.4", "12.4.0", "12.4.1", "12.4.0.0.1"}, {"12.40", "12.5", "12.3.9"}},
        Members{"==12.0.*", {"12", "12.0.1"}, {"12.1", "11.9"}},
        Members{"~=2.27.5", {"2.27.5", "2.27.5-1", "2.27.9"}, {"2.28", "2.27.4"}},
        Members{"==2.27.5", {"2.27.5", "2.27.5.0"}, {"2.27.5-1"}},
        Members{"<=2.27.5", {"2.27.5"}, {"2.27.5-1"}},
        Members{">2.27.5", {"2.27.5-1"}, {"2.27.5"}},
        Members{">=6.8.0-45-generic", {"6.8.0-45", "6.8.0-100-lowlatency"}, {"6.8.0-44-generic"}},
        Members{"===6.8.0-45", {"6.8.0-45-generic"}, {"6.8.0-46"}},
        Members{"<<2,>>=1 || >>7 || <<=0.5,!>0.4", {"1", "7.1", "0.4"}, {"2", "7", "0.5"}},
        Members{"!=12.4.*,!=11", {"12.5", "11.1"}, {"12.4.1", "11.0"}},
        Members{"==99999999999999999999.*", {"99999999999999999999.5"}, {"100000000000000000000"}});
    check_members(Scheme::dotted, row);
}

TEST_CASE("opaque: membership") {
    const Members row = GENERATE(Members{"==a", {"a"}, {"A", "aa", "a!"}}, Members{"!=a,!=b", {"c", "ab"}, {"a", "b"}},
        Members{"==a || ===b", {"a", "b"}, {"c"}}, Members{R"(== 1\.\*,!=x)", {"1.*"}, {"1.2", "x"}},
        Members{R"(==a\,b||==c\|\|d)", {"a,b", "c||d"}, {"a", "d"}}, Members{R"(==\\)", {"\\"}, {}}, Members{"*", {"z"}, {}}, Members{"!*", {}, {"z"}});
    check_members(Scheme::opaque, row);
}

TEST_CASE("pep440: one text for equal sets") {
    const Row row = GENERATE(Row{">=2.6,<2.8", ">=2.6,<2.8"}, Row{" <2.8 , >= 2.6.0 ", ">=2.6,<2.8"}, Row{"~=2.7.0", ">=2.7,<2.8"}, Row{"==2.7.*", "==2.7.*"},
        Row{">=2.7.dev0,<2.8", "==2.7.*"}, Row{"==1.0.*", "==1.0.*"}, Row{"==0.*", "<1"}, Row{"==1!0.*", "==1!0.*"}, Row{"==2.8.1", "==2.8.1"},
        Row{"!=2.8.1", "!=2.8.1"}, Row{"!=2.8.*,!=2.6,>=2", ">=2,!=2.6,!=2.8.*"}, Row{"<3,>=2.6,!=2.8.1", ">=2.6,!=2.8.1,<3"},
        Row{"===1.0", "===1"}, Row{"===1.0+A-1", "==1+a.1"}, Row{"==1.dev3", "==1.dev3"}, Row{"==1.dev3||==1.dev4", ">1.dev2,<=1.dev4"},
        Row{"!=1+a", "!=1+a"}, Row{">1.7", ">1.7"}, Row{"!>1.7", "!>1.7"}, Row{"<1.7", "<1.7"}, Row{"<<1.7", "<<1.7"}, Row{"<=1.7", "<=1.7"},
        Row{">1.7.post1", ">1.7.post1"}, Row{"<1.7.post1", "<=1.7.post0"}, Row{"<1.7.post0", "<=1.7"}, Row{">=1.7.post0.dev0", ">=1.7.post0.dev0"},
        Row{"<1.7rc1", "<1.7rc1"}, Row{"<1.7rc1.dev0", "<1.7rc1.dev0"}, Row{"!>1.7rc0", "<1.7rc1.dev0"}, Row{">1.7rc0", ">1.7rc0"}, Row{">=1.7rc1.dev0", ">1.7rc0"},
        Row{"<1.7a0.dev0", "<1.7a0.dev0"}, Row{">1!1", ">1!1"}, Row{"<1!0", "<1!0"}, Row{">=1!0.dev0", ">=1!0.dev0"}, Row{"*", "*"}, Row{">=0.dev0", "*"}, Row{">=1||<=1", "*"},
        Row{"!*", "!*"}, Row{"==1,==2", "!*"}, Row{"<0.0", "!*"}, Row{"==1.*||==2.*", ">=1.dev0,<3"}, Row{"==3||==1", "==1 || ==3"},
        Row{"==9.9.*", "==9.9.*"}, Row{"<10", "<10"}, Row{">=1 || ==0.9.*", "==0.9.* || >=1"}, Row{"==1.7 || >1.7", "==1.7 || >1.7"},
        Row{"<=1.7||>>1.7", "*"}, Row{">>1+a,<<=2+b", ">>1+a,<<=2+b"}, Row{">>=1+a", ">>=1+a"}, Row{"<<1+a", "<<1+a"});
    check_print(Scheme::pep440, row);
}

TEST_CASE("dotted: one text for equal sets") {
    const Row row = GENERATE(Row{">=535.104.05", ">=535.104.5"}, Row{">=6.8.0-45-generic", ">=6.8.0.45"}, Row{"~=12.4", ">=12.4,<13"}, Row{"==12.*", "==12.*"},
        Row{">=12,<13", "==12.*"}, Row{"==12.*||==13.*", ">=12,<14"}, Row{"==12.*||==14.*", "==12.* || ==14.*"}, Row{"==12.*||>=14", "==12.* || >=14"}, Row{"<12||==13.*", "<12 || ==13.*"}, Row{">=0", "*"}, Row{"<0", "!*"}, Row{"==0", "<=0"},
        Row{">0", ">0"}, Row{"!=12.4.*", "!=12.4.*"}, Row{">=12,!=12.4,<14", ">=12,!=12.4,<14"}, Row{"!=1.9", "!=1.9"}, Row{"===1.0", "==1"},
        Row{"<<2,>>1", ">1,<2"}, Row{"<<=2,>>=1", ">=1,<=2"}, Row{"!>2", "<=2"}, Row{"<100", "<100"}, Row{">=570,!=570.86.*,!=570.124.06", ">=570,!=570.86.*,!=570.124.6"});
    check_print(Scheme::dotted, row);
}

TEST_CASE("opaque: one text for equal sets") {
    const Row row = GENERATE(Row{"==b||==a", "==a || ==b"}, Row{"!=b,!=a", "!=a,!=b"}, Row{"==a,==b", "!*"}, Row{"!=a||==a", "*"}, Row{"===a", "==a"},
        Row{"==a||==a!", R"(==a || ==a\!)"}, Row{R"(==\=\,\|\*\\)", R"(==\=\,\|\*\\)"}, Row{"==a,!=b", "==a"});
    check_print(Scheme::opaque, row);
}

TEST_CASE("display keeps the zeros of dotted versions") {
    const Row row = GENERATE(Row{">=535.104.05", ">=535.104.05"}, Row{"<570.124.06,>=570.26", ">=570.26,<570.124.06"}, Row{"==6.8.0-45-generic", "==6.8.0-45"},
        Row{"==12.0.*", "==12.0.*"}, Row{">=12.0", ">=12.0"}, Row{"!=570.124.06", "!=570.124.06"}, Row{"*", "*"});
    const VersionSet parsed = set(Scheme::dotted, row.text);
    CHECK(parsed.display() == row.result);
    CHECK(set(Scheme::dotted, parsed.display()) == parsed);
    CHECK((~~parsed).display() == row.result);
    CHECK(VersionSet::exactly(version(Scheme::dotted, "535.104.05")).display() == "==535.104.05");
}

TEST_CASE("sets: what is no set") {
    const std::string start = "expected one of ==, !=, >=, <=, >, <, ~=, === or * at character ";
    for (const auto& [text, where] : std::vector<std::pair<std::string, std::string>>{{"", "1, found the end"}, {" ", "2, found the end"}, {"2.8", "1, found `2`"},
             {">=1,", "5, found the end"}, {",>=1", "1, found `,`"}, {">=1 || ", "8, found the end"}, {"=>1", "1, found `=`"}, {"=1", "1, found `=`"}, {"!1", "1, found `!`"}})
        check_error(Scheme::dotted, {text, "`" + text + "` is not a set of dotted versions: " + start + where});

    SECTION("pep440") {
        const Row row = GENERATE(
            Row{">=1.0+cu118", "`>=1.0+cu118` is not a set of pep440 versions: expected the end at character 6, found `+`"},
            Row{">=1.0.*", "`>=1.0.*` is not a set of pep440 versions: expected the end at character 6, found `.`"},
            Row{"==1.0.dev1.*", "`==1.0.dev1.*` is not a set of pep440 versions: expected the end at character 11, found `.`"},
            Row{"==1.0+a.*", "`==1.0+a.*` is not a set of pep440 versions: expected the end at character 8, found `.`"},
            Row{"~=1", "`~=1` is not a set of pep440 versions: expected a release of two numbers or more at character 3, found `1`"},
            Row{"~=1rc1", "`~=1rc1` is not a set of pep440 versions: expected a release of two numbers or more at character 3, found `1`"},
            Row{">=1, == x", "`>=1, == x` is not a set of pep440 versions: expected a digit at character 9, found `x`"},
            Row{"==", "`==` is not a set of pep440 versions: expected a digit at character 3, found the end"},
            Row{"==.*", "`==.*` is not a set of pep440 versions: expected a digit at character 3, found `.`"},
            Row{"==,>=1", "`==,>=1` is not a set of pep440 versions: expected a digit at character 3, found `,`"},
            Row{">=1|<2", "`>=1|<2` is not a set of pep440 versions: expected `,`, `||` or the end at character 4, found `|`"},
            Row{"* >=1", "`* >=1` is not a set of pep440 versions: expected `,`, `||` or the end at character 3, found `>`"},
            Row{"===foobar", "`===foobar` is not a set of pep440 versions: expected a digit at character 4, found `f`"});
        check_error(Scheme::pep440, row);
    }
    SECTION("dotted") {
        const Row row = GENERATE(
            Row{">=v12", "`>=v12` is not a set of dotted versions: expected a digit at character 3, found `v`"},
            Row{"==12.x", "`==12.x` is not a set of dotted versions: expected a digit at character 6, found `x`"},
            Row{"<12.*", "`<12.*` is not a set of dotted versions: expected the end at character 4, found `.`"},
            Row{"==6.8-generic.*", "`==6.8-generic.*` is not a set of dotted versions: expected the end at character 14, found `.`"},
            Row{"~=12", "`~=12` is not a set of dotted versions: expected two numbers or more at character 3, found `1`"});
        check_error(Scheme::dotted, row);
    }
    SECTION("opaque") {
        const Row row = GENERATE(
            Row{"==a,>=b", "`==a,>=b` is not a set of opaque versions: expected ==, !=, === or * at character 5, found `>`"},
            Row{"==1.*", "`==1.*` is not a set of opaque versions: expected no `*` at character 5, found `*`"},
            Row{"==a b", "`==a b` is not a set of opaque versions: expected a visible ASCII character at character 4, found ` `"},
            Row{"==a\\", "`==a\\` is not a set of opaque versions: expected a character after the backslash at character 5, found the end"});
        check_error(Scheme::opaque, row);
    }
}

TEST_CASE("sets: a mistake comes with a hint") {
    CHECK(VersionSet::parse(Scheme::pep440, "2.8").error().hint == "this version only is `==V`, this and later ones are `>=V`");
    CHECK(VersionSet::parse(Scheme::dotted, "=12").error().hint == "this version only is `==V`");
    CHECK(VersionSet::parse(Scheme::dotted, "=>12").error().hint == "write `>=`");
    for (const Scheme scheme : {Scheme::dotted, Scheme::pep440})
        for (const char* text : {">=12 <13", ">=12<13"}) CHECK(VersionSet::parse(scheme, text).error().hint == "a comma is missing: `>=12,<13`");
    CHECK(VersionSet::parse(Scheme::pep440, ">=1.*").error().hint == "only == and != take `.*`");
    CHECK(VersionSet::parse(Scheme::pep440, "<1+a").error().hint == "only ==, !=, ===, <<, <<=, >> and >>= take a local label");
    CHECK(VersionSet::parse(Scheme::pep440, "~=2").error().hint == "~=2.7 means >=2.7,==2.*");
    CHECK(VersionSet::parse(Scheme::dotted, "==12.x").error().hint == "a whole series is a version set, `==12.*`");
    CHECK(VersionSet::parse(Scheme::opaque, "<a").error().hint == "opaque versions have no order");
}

TEST_CASE("sets are bounded") {
    std::string text = "==1";
    for (int i = 1; i < 256; ++i) text += "||==" + std::to_string(2 * i);
    CHECK(set(Scheme::dotted, text).contains(version(Scheme::dotted, "510")));
    const auto refused = VersionSet::parse(Scheme::dotted, text + "||==7");
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.find("expected at most 256 clauses at character") != std::string::npos);
    CHECK(VersionSet::parse(Scheme::dotted, std::string(4097, ' ')).error().message == "a version set may have at most 4096 characters");
    CHECK(set(Scheme::pep440, "==" + std::string(4000, '9') + ".*").to_string() == "==" + std::string(4000, '9') + ".*");
}

TEST_CASE("sets: relations") {
    const auto pep440 = [](std::string_view text) { return set(Scheme::pep440, text); };
    CHECK(pep440("==2.7.1").subset_of(pep440("~=2.7.0")));
    CHECK_FALSE(pep440("~=2.7.0").subset_of(pep440("==2.7.1")));
    CHECK(pep440("!*").subset_of(pep440("!*")));
    CHECK(pep440(">=2").intersects(pep440("<=2")));
    CHECK_FALSE(pep440(">2").intersects(pep440("<=2")));
    CHECK_FALSE(pep440("===2").intersects(pep440("==2+a")));
    CHECK(pep440("==2").intersects(pep440("==2+a")));
    CHECK_FALSE(pep440("!*").intersects(pep440("*")));
    CHECK(pep440(">2,<2.post1").empty());
    CHECK_FALSE(pep440(">2.post0,<2.post2").empty());
    CHECK(pep440(">1.dev3,<1.dev4").empty());
    CHECK(pep440(">=1.post0.dev0,<1.post0").empty());   // `<1.post0` leaves out its dev releases
    CHECK_FALSE(pep440(">>1,<<1+0").empty());           // 1+a
    CHECK((pep440("<1") | pep440(">=1.dev0")) == VersionSet::all(Scheme::pep440));
    CHECK((pep440("<1") & pep440(">=1.dev0")) == VersionSet::none(Scheme::pep440));
}

TEST_CASE("sets: one version") {
    const auto v = [](std::string_view text) { return version(Scheme::pep440, text); };
    CHECK(VersionSet::exactly(v("1.0")).to_string() == "===1");
    CHECK_FALSE(VersionSet::exactly(v("1.0")).contains(v("1.0+a")));
    CHECK(VersionSet::exactly(v("1.0+a")).to_string() == "==1+a");
    CHECK(VersionSet::exactly(v("0.dev0")).contains(v("0.dev0")));
    CHECK(VersionSet::exactly(version(Scheme::dotted, "6.8.0-45-generic")).to_string() == "==6.8.0.45");
    CHECK(VersionSet::exactly(version(Scheme::opaque, "a,b*")).to_string() == R"(==a\,b\*)");
}

TEST_CASE("sets of different schemes do not mix") {
    const VersionSet pep440 = VersionSet::all(Scheme::pep440);
    const VersionSet dotted = VersionSet::all(Scheme::dotted);
    CHECK_FALSE(pep440 == dotted);
    CHECK_THROWS_AS(pep440 | dotted, Bug);
    CHECK_THROWS_AS(pep440 & dotted, Bug);
    CHECK_THROWS_AS(pep440.subset_of(dotted), Bug);
    CHECK_THROWS_AS(pep440.intersects(dotted), Bug);
    CHECK_THROWS_AS(pep440.contains(version(Scheme::dotted, "1")), Bug);
}
