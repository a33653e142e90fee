#include "base/text.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"

namespace {

using namespace std::literals;
using namespace vmatrix::base;
using Names = std::vector<std::string>;

TEST_CASE("trim takes blanks, tabs and line ends off both ends", "[base]") {
    CHECK(trim("") == "");
    CHECK(trim(" \t\r\n ") == "");
    CHECK(trim(" a b\r\n") == "a b");
    CHECK(trim("\xC2\xA0x") == "\xC2\xA0x");  // a no-break space is a character
}

TEST_CASE("split keeps empty parts and join puts them back", "[base]") {
    const std::vector<std::pair<std::string_view, std::vector<std::string_view>>> rows{
        {"", {""}}, {"a", {"a"}}, {"a,b", {"a", "b"}}, {",", {"", ""}}, {"a,,b,", {"a", "", "b", ""}}};
    for (const auto& [text, parts] : rows) {
        INFO(text);
        CHECK(split(text, ',') == parts);
        const Names owned(parts.begin(), parts.end());
        CHECK(join(owned, ",") == text);
    }
    CHECK(join(Names{}, ", ") == "");
    CHECK(join(Names{"", "b"}, ", ") == ", b");
    CHECK(join(Names{"same", "same"}, "-") == "same-same");
}

TEST_CASE("lower changes ASCII letters only", "[base]") {
    CHECK(lower("GeForce RTX 4090") == "geforce rtx 4090");
    CHECK(lower("ÄÖ@[`{") == "ÄÖ@[`{");
}

TEST_CASE("characters counts code points", "[base]") {
    CHECK(characters("") == 0);
    CHECK(characters("abc") == 3);
    CHECK(characters("größe") == 5);
    CHECK(characters("数字") == 2);
    CHECK(characters("𝄞x") == 2);
    CHECK(characters("e\xCC\x81") == 2);  // a letter and a combining accent
}

TEST_CASE("find_invalid_utf8 follows RFC 3629", "[base]") {
    struct Row {
        std::string_view text;
        std::size_t at;
        const char* why;
    };
    constexpr auto good = std::string_view::npos;
    const std::vector<Row> rows{{"", good, "empty"},
                                {"abc\n\0z"sv, good, "ASCII, NUL included"},
                                {"\xC2\x80 \xDF\xBF", good, "first and last of two bytes"},
                                {"\xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xEF\xBF\xBF", good, "three bytes, around the surrogates"},
                                {"\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF", good, "first and last of four bytes"},
                                {"a\x80", 1, "a continuation byte alone"},
                                {"\xBF", 0, "the last continuation byte alone"},
                                {"ab\xC3", 2, "a sequence cut off by the end"},
                                {"\xE2\x82", 0, "three bytes cut off"},
                                {"\xF0\x9D\x84", 0, "four bytes cut off"},
                                {"\xC3(", 0, "no continuation byte"},
                                {"\xE2\x82(", 0, "no third byte"},
                                {"\xF0\x9D\x84(", 0, "no fourth byte"},
                                {"\xC0\xAF", 0, "overlong slash"},
                                {"\xC1\xBF", 0, "overlong in two bytes"},
                                {"\xE0\x9F\xBF", 0, "overlong in three bytes"},
                                {"\xF0\x8F\xBF\xBF", 0, "overlong in four bytes"},
                                {"\xED\xA0\x80", 0, "first surrogate"},
                                {"\xED\xBF\xBF", 0, "last surrogate"},
                                {"\xF4\x90\x80\x80", 0, "above U+10FFFF"},
                                {"\xF5\x80\x80\x80", 0, "a lead byte that means nothing"},
                                {"\xFE", 0, "FE"},
                                {"\xFF\xFE"
                                 "a",
                                 0, "a UTF-16 byte order mark"},
                                {"gr\xF6\xDF"
                                 "e",
                                 2, "Latin-1"},
                                {"größe\xFF", 7, "behind good characters"}};
    for (const auto& [text, at, why] : rows) {
        INFO(why);
        CHECK(find_invalid_utf8(text) == at);
    }
}

TEST_CASE("printable never disturbs a terminal", "[base]") {
    CHECK(printable("plain text") == "plain text");
    CHECK(printable("größe 数字 𝄞") == "größe 数字 𝄞");
    CHECK(printable("\x1b[31mred\x07") == "\\x1b[31mred\\x07");
    CHECK(printable("a\nb\tc\r") == "a\\x0ab\\x09c\\x0d");
    CHECK(printable("\0"sv) == "\\x00");
    CHECK(printable("\x7F") == "\\x7f");
    CHECK(printable("\xC2\x9B"
                    "31m") == "\\xc2\\x9b31m");  // C1: the one-character CSI
    CHECK(printable("\xC2\xA0") == "\xC2\xA0");  // the first character behind C1
    CHECK(printable("a\xFF"
                    "b") == "a\\xffb");
    for (const std::string_view bad : {"\xED\xA0\x80"sv, "\xC0\xAF"sv, "\xF4\x90\x80\x80"sv, "\x80"sv})
        CHECK(find_invalid_utf8(printable(bad)) == std::string_view::npos);
}

TEST_CASE("printable cuts at characters", "[base]") {
    CHECK(printable("abc", 3) == "abc");
    CHECK(printable("abcd", 3) == "abc...");
    CHECK(printable("größer", 4) == "größ...");
    CHECK(printable("\x01\x02\x03", 2) == "\\x01\\x02...");
    CHECK(printable("", 0) == "");
    CHECK(printable("a", 0) == "...");
    CHECK(characters(printable(std::string(100'000, 'x'))) == 83);
}

TEST_CASE("edit_distance counts changes, and a swap as one", "[base]") {
    struct Row {
        std::string_view a, b;
        std::size_t distance;
    };
    const std::vector<Row> rows{{"", "", 0},
                                {"", "abc", 3},
                                {"same", "same", 0},
                                {"gpu", "gpus", 1},
                                {"title", "titel", 1},
                                {"scheme", "shceme", 1},
                                {"cuda", "cduz", 2},
                                {"kitten", "sitting", 3},
                                {"ab", "ba", 1},
                                {"ca", "abc", 3},  // alignment: no change inside a swap
                                {"rtx4090", "rtx4080", 1},
                                {"abcdef", "badcfe", 3}};
    for (const auto& [a, b, distance] : rows) {
        INFO(a << " / " << b);
        CHECK(edit_distance(a, b) == distance);
        CHECK(edit_distance(b, a) == distance);
    }
}

TEST_CASE("nearest offers what may have been meant", "[base]") {
    constexpr std::array names{"components"sv, "gpus"sv, "gpu-names"sv, "releases"sv, "rules"sv, "sources"sv, "vendors"sv};
    CHECK(nearest("componets", names) == Names{"components"});
    CHECK(nearest("vendor", names) == Names{"vendors"});
    CHECK(nearest("ruels", names) == Names{"rules"});
    CHECK(nearest("banana", names).empty());
    CHECK(nearest("", names).empty());
    SECTION("a name itself is no suggestion for itself") { CHECK(nearest("gpus", names).empty()); }
    SECTION("the nearest comes first, those equally near by name, each once") {
        constexpr std::array versions{"sm_89"sv, "sm_80"sv, "sm_90"sv, "sm_89"sv, "sm_100"sv};
        CHECK(nearest("sm_88", versions, 9) == Names{"sm_80", "sm_89"});
        CHECK(nearest("sm_88", versions, 1) == Names{"sm_80"});
        CHECK(nearest("sm_88", versions, 0).empty());
    }
    SECTION("a short word may differ in one letter, a longer one in a third") {
        constexpr std::array words{"cu"sv, "cuda"sv, "abcdefghi"sv};
        CHECK(nearest("cx", words) == Names{"cu"});
        CHECK(nearest("xx", words).empty());
        CHECK(nearest("abcdefxyz", words) == Names{"abcdefghi"});
        CHECK(nearest("abcdewxyz", words).empty());
    }
    SECTION("very long input is no mistyped name") {
        const std::string text(65, 'a');
        const std::string close(64, 'a');
        const std::array<std::string_view, 1> one{close};
        CHECK(nearest(text, one).empty());
    }
}

TEST_CASE("did_you_mean reads like a sentence", "[base]") {
    CHECK(did_you_mean(Names{}) == "");
    CHECK(did_you_mean(Names{"a"}) == "did you mean `a`?");
    CHECK(did_you_mean(Names{"a", "b"}) == "did you mean `a` or `b`?");
    CHECK(did_you_mean(Names{"a", "b", "c"}) == "did you mean `a`, `b` or `c`?");
}

}  // namespace
