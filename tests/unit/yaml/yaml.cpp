#include "yaml/yaml.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"

namespace {

using namespace std::literals;
using namespace vmatrix::yaml;
using vmatrix::base::Findings;
using Form = Node::Form;
using Style = Node::Style;

Node parsed(std::string_view text) {
    Findings findings;
    auto node = vmatrix::yaml::parse(text, "f.yaml", findings);
    for (const auto& finding : findings.sorted()) INFO(to_string(finding.at) << ": " << finding.message);
    REQUIRE(findings.empty());
    REQUIRE(node.has_value());
    return *node;
}

/// "code line:column" of every finding.
std::vector<std::string> refused(std::string_view text) {
    Findings findings;
    (void)vmatrix::yaml::parse(text, "f.yaml", findings);
    std::vector<std::string> result;
    for (const auto& finding : findings.sorted()) {
        INFO(finding.message);
        CHECK(finding.at.file == "f.yaml");
        CHECK(finding.severity == vmatrix::base::Severity::error);
        result.push_back(finding.code +
                         (finding.at.line == 0 ? "" : " " + std::to_string(finding.at.line) + ":" + std::to_string(finding.at.column)));
    }
    return result;
}
using Refused = std::vector<std::string>;

std::string at(Place place) { return std::to_string(place.line) + ":" + std::to_string(place.column); }

TEST_CASE("a file without content is null", "[yaml]") {
    for (const std::string_view text :
         {""sv, "\n"sv, "# only a comment"sv, "\n\n  # and blanks  \n"sv, "---\n"sv, "\xEF\xBB\xBF"sv, "null\n"sv, "~"sv}) {
        INFO(text);
        CHECK(parsed(text).form == Form::null);
    }
}

TEST_CASE("forms and styles", "[yaml]") {
    const Node root = parsed(
        "plain: a b\n'single': 'it''s'\n\"double\": \"a\\u00e9\\n\\\"\"\nfolded: >-\n  one\n"
        "  two\n\n  three\nliteral: |\n  x\n   y\nblock:\n  - 1\n  -\n    k: v\n"
        "flow: [a, {b: c}, []]\nempty: {}\nnone:\nnone2: ~\n");
    REQUIRE(root.form == Form::map);
    CHECK(root.style == Style::block);
    const auto is = [&](const char* key, Form form, Style style, std::string_view text) {
        INFO(key);
        const Node* node = root.find(key);
        REQUIRE(node != nullptr);
        CHECK(node->form == form);
        CHECK(node->style == style);
        CHECK(node->text == text);
    };
    is("plain", Form::scalar, Style::plain, "a b");
    is("single", Form::scalar, Style::quoted, "it's");
    is("double", Form::scalar, Style::quoted, "aé\n\"");
    is("folded", Form::scalar, Style::folded, "one two\nthree");
    is("literal", Form::scalar, Style::folded, "x\n y\n");
    is("block", Form::sequence, Style::block, "");
    is("flow", Form::sequence, Style::flow, "");
    is("empty", Form::map, Style::flow, "");
    is("none", Form::null, Style::plain, "");
    is("none2", Form::null, Style::plain, "");
    CHECK(root.find("missing") == nullptr);
    CHECK(root.members.size() == 10);
    REQUIRE(root.find("flow")->items.size() == 3);
    CHECK(root.find("flow")->items[1].find("b")->text == "c");
}

TEST_CASE("a scalar in quotes is text even if it looks like something else", "[yaml]") {
    const Node root = parsed("a: \"3.10\"\nb: '~'\nc: \"\"\nd: \"null\"\n");
    for (const char* key : {"a", "b", "c", "d"}) {
        CHECK(root.find(key)->form == Form::scalar);
        CHECK(root.find(key)->style == Style::quoted);
    }
    CHECK(root.find("c")->text.empty());
}

TEST_CASE("places count lines and characters from one", "[yaml]") {
    SECTION("block") {
        const Node root = parsed("# comment\nkey: value\n\nlist:\n  - one\n  - {a: b}\n");
        CHECK(at(root.at) == "2:1");
        CHECK(at(root.members[0].at) == "2:1");
        CHECK(at(root.members[0].value.at) == "2:6");
        CHECK(at(root.members[1].at) == "4:1");
        CHECK(at(root.members[1].value.at) == "5:3");
        CHECK(at(root.members[1].value.items[0].at) == "5:5");
        CHECK(at(root.members[1].value.items[1].at) == "6:5");
        CHECK(at(root.members[1].value.items[1].members[0].value.at) == "6:9");
    }
    SECTION("behind characters of two, three and four bytes") {
        const Node root = parsed("{é: ü, 数字: [字, 𝄞, x]}\n");
        CHECK(at(root.members[0].value.at) == "1:5");
        CHECK(at(root.members[1].at) == "1:8");
        const Node& list = root.members[1].value;
        CHECK(at(list.items[0].at) == "1:13");
        CHECK(at(list.items[1].at) == "1:16");
        CHECK(at(list.items[2].at) == "1:19");
    }
    SECTION("with the line ends of Windows") {
        const Node root = parsed("a: b\r\nc:\r\n  - d\r\ne: >-\r\n  f\r\n  g\r\n");
        CHECK(at(root.members[1].at) == "2:1");
        CHECK(at(root.members[1].value.items[0].at) == "3:5");
        CHECK(root.members[1].value.items[0].text == "d");
        CHECK(root.find("e")->text == "f g");
    }
    SECTION("behind a byte order mark") {
        const Node root = parsed(
            "\xEF\xBB\xBF"
            "a: \"b\"\nc: d\n");
        CHECK(at(root.members[0].at) == "1:1");
        CHECK(at(root.members[0].value.at) == "1:4");
        CHECK(root.members[0].value.style == Style::quoted);
        CHECK(at(root.members[1].value.at) == "2:4");
    }
    SECTION("a value that is not written stands at its key or at its dash") {
        const Node root = parsed("a:\nb:\n\n\nc: {d: , e: }\nf:\n  - x\n  -\n  - # comment\n\n  -\ng:\n  - - \n");
        CHECK(at(root.find("a")->at) == "1:1");
        CHECK(at(root.find("b")->at) == "2:1");
        CHECK(at(root.find("c")->at) == "5:4");
        CHECK(root.find("c")->find("d")->at.line == 5);
        CHECK(at(root.find("f")->items[1].at) == "8:3");
        CHECK(at(root.find("f")->items[2].at) == "9:3");
        CHECK(at(root.find("f")->items[3].at) == "11:3");
        CHECK(at(root.find("g")->items[0].items[0].at) == "13:5");
    }
    SECTION("without a line end at the end") {
        CHECK(at(parsed("a: b\nc: d").members[1].value.at) == "2:4");
        CHECK(at(parsed("a:\n  -").members[0].value.items[0].at) == "2:3");
    }
    SECTION("many values on one line, and a walk back") {
        std::string text = "a: [";
        for (int i = 0; i < 1000; ++i) text += "é, ";
        const Node root = parsed(text + "{x: y}]\nb: c\n");
        CHECK(at(root.members[0].value.items[999].at) == "1:3002");
        CHECK(at(root.members[0].value.items[1000].members[0].value.at) == "1:3009");
        CHECK(at(root.members[1].value.at) == "2:4");
    }
}

TEST_CASE("a repeated key is reported where it stands again, and dropped", "[yaml]") {
    Findings findings;
    const auto root = vmatrix::yaml::parse("a: 1\nb: 2\na: [x, {y: z}]\n\"a\": 3\nc: {d: 1, d: {e: 2}}\n", "f.yaml", findings);
    REQUIRE(root.has_value());
    CHECK(refused("a: 1\nb: 2\na: [x, {y: z}]\n\"a\": 3\nc: {d: 1, d: {e: 2}}\n") ==
          Refused{"duplicate-key 3:1", "duplicate-key 4:1", "duplicate-key 5:11"});
    CHECK(root->find("a")->text == "1");
    CHECK(root->find("c")->find("d")->text == "1");
    CHECK(root->members.size() == 3);
}

TEST_CASE("what of YAML is not used is refused with its place", "[yaml]") {
    struct Row {
        std::string_view text;
        const char* finding;
    };
    const std::vector<Row> rows{{"a: &x b\n", "anchor 1:4"},
                                {"&x a: b\n", "anchor 1:1"},
                                {"a: &x [b]\n", "anchor 1:4"},
                                {"a: &x\n", "anchor 1:4"},
                                {"a: *x\n", "alias 1:4"},
                                {"a: [b, *x]\n", "alias 1:8"},
                                {"a: !!str b\n", "tag 1:4"},
                                {"a: !local b\n", "tag 1:4"},
                                {"a: !<tag:yaml.org,2002:str> b\n", "tag 1:4"},
                                {"a: !!map {b: c}\n", "tag 1:4"},
                                {"a: !!seq [b]\n", "tag 1:4"},
                                {"a: !=2.8.1\n", "tag 1:4"},
                                {"a: b\n---\nc: d\n", "second-document 2:1"},
                                {"a: b\n...\n---\nc: d\n", "second-document 3:1"},
                                {"---\n---\n", "second-document 2:1"},
                                {"? [a]\n: b\n", "complex-key 1:3"},
                                {"{[a]: b}\n", "complex-key 1:2"},
                                {"? {a: b}\n: c\n", "complex-key 1:3"},
                                {"{a: b}: c\n", "complex-key 1:1"},
                                {": b\n", "empty-key 1:1"},
                                {"%YAML 1.2\n---\na: b\n", "directive 1:1"},
                                {"# first\n%TAG ! x\n---\na: b\n", "directive 2:1"},
                                {"a: b\n<<<<<<< ours\nc: d\n", "merge-conflict 2:1"},
                                {"a: b\n>>>>>>> theirs\n", "merge-conflict 2:1"}};
    for (const auto& [text, finding] : rows) {
        INFO(text);
        const auto found = refused(text);
        REQUIRE(found.size() >= 1);
        CHECK(found.front() == finding);
    }
}

TEST_CASE("what is no YAML is refused with a place inside the file", "[yaml]") {
    struct Row {
        std::string_view text;
        const char* finding;
    };
    const std::vector<Row> rows{{"a: \"b\n", "syntax 1:4"},
                                {"a: 'b\n", "syntax 1:4"},
                                {"a: 'it''s\n", "syntax 1:4"},
                                {"a: \"b\\\"\n", "syntax 1:4"},
                                {"a: \"b", "syntax 1:4"},
                                {"a:\n  - \"b\n  - c\n", "syntax 2:5"},
                                {"a: [b\n", "syntax 1:6"},
                                {"a: {b: c\n", "syntax 1:9"},
                                {"- {b: c\n", "syntax 1:3"},
                                {"- [b: c\n", "syntax 1:3"},
                                {"a: b: c\n", "syntax 1:5"},
                                {"a:\n  b: c\n d: e\n", "syntax 3:2"},
                                {"a: @b\n", "syntax 1:4"},
                                {"a: `b\n", "syntax 1:4"},
                                {"a: ]\n", "syntax 1:4"},
                                {"a: *\n", "syntax 1:5"},
                                {"a: \"\\q\"\n", "syntax 1:7"},  // behind the escape
                                {"a: \"\\ud800\"\n", "syntax 1:11"},
                                {"a: \"\\U00110000\"\n", "syntax 1:15"},
                                {"a: >=12\n", "syntax 1:5"},
                                {"- a\nb: c\n", "syntax 2:1"},
                                {"a: b\n- c\n", "syntax 2:1"}};
    for (const auto& [text, finding] : rows) {
        INFO(text);
        CHECK(refused(text) == Refused{finding});
    }
}

TEST_CASE("bytes that no text file has", "[yaml]") {
    struct Row {
        std::string_view text;
        const char* finding;
    };
    const std::vector<Row> rows{{"a: b\n\tc: d\n", "tab 2:1"},
                                {"a: \"b\tc\"\n", "tab 1:6"},
                                {"a: b # c\td\n", "tab 1:9"},
                                {"a: b\0c\n"sv, "control-character 1:5"},
                                {"a: \x1b[31m\n", "control-character 1:4"},
                                {"a: b\x7f\n", "control-character 1:5"},
                                {"a: é\xC2\x85\n", "control-character 1:5"},
                                {"a: \xC2\x9B"
                                 "31m\n",
                                 "control-character 1:4"},
                                {"a: b\rc: d\n", "control-character 1:5"},
                                {"a: b\r", "control-character 1:5"},
                                {"a: b\xE2\x80\xA8"
                                 "c\n",
                                 "control-character 1:5"},
                                {"a: b\xE2\x80\xAE"
                                 "c\n",
                                 "control-character 1:5"},
                                {"a: b # \xE2\x81\xA6\n", "control-character 1:8"},
                                {"a: b\xEF\xBB\xBF\n", "control-character 1:5"},
                                {"a: zero\xE2\x80\x8Bwidth\n", "control-character 1:8"},
                                {"a: \xEF\xBF\xBE\n", "control-character 1:4"},
                                {"a: \xF3\xA0\x81\xA1\n", "control-character 1:4"},  // a tag character: invisible text
                                {"é: \xFF\n", "not-utf-8 1:4"},
                                {"a: b\n# \xED\xA0\x80\n", "not-utf-8 2:3"},
                                {"\xFF\xFE"
                                 "a\0:\0"sv,
                                 "not-utf-8 1:1"}};
    for (const auto& [text, finding] : rows) {
        INFO(text);
        CHECK(refused(text) == Refused{finding});
    }
    SECTION("everyday characters are none of these") {
        for (const std::string_view text : {"a: größe\r\n"sv, "a: 数字\n"sv, "a: 𝄞 👍🏽 👩\u200d💻\n"sv, "a: e\u0301\n"sv, "a: \u00A0\n"sv,
                                            "a: שלום عربي\n"sv, "a: …–—“”\n"sv})
            CHECK(refused(text).empty());
    }
}

TEST_CASE("escapes bring in no hidden characters", "[yaml]") {
    for (const char* escape : {"\\0", "\\a", "\\b", "\\t", "\\v", "\\f", "\\r", "\\e", "\\x1b", "\\x7f", "\\N", "\\L", "\\P", "\\_", "\\u009b",
                               "\\u202e", "\\u2066", "\\ufeff", "\\U000e0041"}) {
        INFO(escape);
        CHECK(refused("a: \"b" + std::string(escape) + "c\"\n") == Refused{"control-character 1:4"});
        CHECK(refused("\"b" + std::string(escape) + "c\": d\n") == Refused{"control-character 1:1"});
    }
    for (const char* escape : {"\\n", "\\\"", "\\\\", "\\/", "\\ ", "\\xe9", "\\u00e9", "\\U0001d11e"}) {
        INFO(escape);
        CHECK(refused("a: \"b" + std::string(escape) + "c\"\n").empty());
    }
    SECTION("all of them are reported") {
        CHECK(refused("a: \"\\e\"\nb: [\"\\0\", c]\n") == Refused{"control-character 1:4", "control-character 2:5"});
    }
}

TEST_CASE("bounds", "[yaml]") {
    SECTION("of a file") {
        const std::string comment(1023, '#');
        std::string text;
        while (text.size() + 1024 <= max_file_bytes) text += comment + "\n";
        CHECK(text.size() == max_file_bytes);
        CHECK(refused(text).empty());
        CHECK(refused(text + "\n") == Refused{"too-large"});
    }
    SECTION("of a text") {
        CHECK(refused("a: " + std::string(max_text_bytes, 'x') + "\n").empty());
        CHECK(refused("a: " + std::string(max_text_bytes + 1, 'x') + "\n") == Refused{"too-large 1:4"});
        CHECK(refused(std::string(900, 'k') + ": b\n").empty());
    }
    SECTION("of nesting") {
        const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']') + "\n"; };
        CHECK(refused(nested(max_depth)).empty());
        CHECK(refused(nested(max_depth + 1)) == Refused{"too-deep 1:13"});
        CHECK(refused(nested(1000)) == Refused{"too-deep 1:13"});
        std::string maps;
        for (std::size_t i = 0; i < 20; ++i) maps += std::string(i, ' ') + "a:\n";
        CHECK(refused(maps) == Refused{"too-deep 13:13"});
    }
}

TEST_CASE("a hostile file is refused at once", "[yaml]") {
    // Each of these made some parser overflow its stack, its memory or its patience.
    constexpr std::size_t many = 200'000;
    const auto repeated = [](std::string_view part, std::size_t times) {
        std::string text;
        for (std::size_t i = 0; i < times; ++i) text += part;
        return text;
    };
    for (const std::string_view part :
         {"["sv, "{"sv, "- "sv, "? "sv, "[{"sv, "{a: "sv, "[a: "sv, ": "sv, "!a "sv, "&a "sv, "*a "sv, "---\n"sv, "- - "sv, "\"a\": {"sv}) {
        INFO(part);
        CHECK(!refused(repeated(part, many)).empty());
    }
    for (const std::string_view part : {"\n"sv, "#\n"sv, " "sv, "a "sv}) {
        INFO(part);
        CHECK(refused("k: " + repeated(part, 15'000) + "\n").size() <= 1);
    }
    for (const auto& [head, part, tail] : {std::tuple{"a: ["sv, "b, "sv, "c]"sv},
                                           {"a: ["sv, "\"b\", "sv, "c]"sv},
                                           {"a: ["sv, "b: c, "sv, "d: e]"sv},
                                           {"a: ["sv, "[], "sv, "c]"sv},
                                           {"a:\n"sv, "- b\n"sv, ""sv}}) {
        INFO(head << part);
        CHECK(refused(std::string(head) + repeated(part, max_nodes / 4) + std::string(tail) + "\n").empty());
        CHECK(refused(std::string(head) + repeated(part, max_nodes + 1) + std::string(tail) + "\n").size() == 1);
    }
}

TEST_CASE("what is broken below is still one finding above", "[yaml]") {
    CHECK(refused("a: [b\nc: d\ne: [f\n").size() == 1);
    CHECK(refused("a: 1\na: 2\nb: [\n") == Refused{"duplicate-key 2:1", "syntax 3:5"});
}

}  // namespace
