#include "report/format.hpp"

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "support/catch.hpp"

namespace {

using namespace vmatrix::report;

Tree record(std::initializer_list<std::pair<const char*, Tree>> members) {
    Tree result = Tree::record();
    for (const auto& [name, value] : members) result.set(name, value);
    return result;
}

Tree texts(std::initializer_list<const char*> values) {
    Tree result = Tree::list();
    for (const char* value : values) result.items.push_back(Tree::of(value));
    return result;
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) result.push_back(line);
    return result;
}

TEST_CASE("formats have names", "[report]") {
    CHECK(parse_format("text") == Format::text);
    CHECK(parse_format("json") == Format::json);
    CHECK(parse_format("yaml") == Format::yaml);
    for (const char* name : {"", "JSON", "xml", "json "}) CHECK(!parse_format(name).has_value());
}

TEST_CASE("JSON keeps order, types and every character", "[report]") {
    const Tree tree = record({{"z", Tree::of("1.10")},
                              {"a", Tree::number("1.10")},
                              {"big", Tree::number(18446744073709551615ULL)},
                              {"truth", Tree::boolean(false)},
                              {"nothing", Tree{}},
                              {"none", Tree::list()},
                              {"empty", Tree::record()},
                              {"text", Tree::of("größe \"q\" \\ \n")},
                              {"list", texts({"x"})}});
    CHECK(render(tree, Format::json) ==
          "{\n  \"z\": \"1.10\",\n  \"a\": 1.1,\n  \"big\": 18446744073709551615,\n  \"truth\": false,\n"
          "  \"nothing\": null,\n  \"none\": [],\n"
          "  \"empty\": {},\n  \"text\": \"größe \\\"q\\\" \\\\ \\n\",\n  \"list\": [\n    \"x\"\n  ]\n}\n");
}

TEST_CASE("YAML quotes every text, so that no reader takes it for something else", "[report]") {
    const Tree tree = record({{"version", Tree::of("3.10")},
                              {"memory-gib", Tree::number("24")},
                              {"ptx", Tree::list()},
                              {"python", texts({"3.10", "no"})},
                              {"HSA_X", Tree::of("1")},
                              {"gpus", Tree::list({record({{"id", Tree::of("a")}, {"pci", texts({"10de:2684"})}}), record({{"id", Tree::of("b")}})})},
                              {"nested", Tree::list({texts({"x", "y"}), Tree::list()})}});
    CHECK(render(tree, Format::yaml) ==
          "version: \"3.10\"\nmemory-gib: 24\nptx: []\npython:\n  - \"3.10\"\n  - \"no\"\n\"HSA_X\": \"1\"\n"
          "gpus:\n  - id: \"a\"\n    pci:\n      - \"10de:2684\"\n  - id: \"b\"\nnested:\n  - - \"x\"\n    - \"y\"\n  - []\n");
}

TEST_CASE("an answer of one value is a line", "[report]") {
    for (const Format format : {Format::json, Format::yaml}) {
        CHECK(render(Tree::of("a: b"), format) == "\"a: b\"\n");
        CHECK(render(Tree::list(), format) == "[]\n");
        CHECK(render(Tree::record(), format) == "{}\n");
        CHECK(render(Tree{}, format) == "null\n");
    }
    CHECK(render(Tree::of("a: b"), Format::text) == "a: b\n");
    CHECK(render(Tree::list(), Format::text).empty());
}

TEST_CASE("a record as text is aligned", "[report]") {
    const Tree tree = record({{"id", Tree::of("x")},
                              {"memory-gib", Tree::list({Tree::number("16"), Tree::number("24")})},
                              {"moving", Tree::boolean(true)},
                              {"ptx", Tree::list()},
                              {"end", Tree{}}});
    CHECK(render(tree, Format::text) ==
          "id          x\n"
          "memory-gib  16 24\n"
          "moving      true\n"
          "ptx         none\n"
          "end         -\n");
}

TEST_CASE("a list of records as text is a table", "[report]") {
    const Tree rows = Tree::list(
        {record({{"id", Tree::of("short")}, {"class", Tree::of("consumer")}}), record({{"id", Tree::of("much longer")}, {"note", Tree::of("x")}})});
    CHECK(render(rows, Format::text) ==
          "ID           CLASS     NOTE\n"
          "short        consumer  -\n"
          "much longer  -         x\n");
}

TEST_CASE("columns count characters, not bytes", "[report]") {
    const Tree rows =
        Tree::list({record({{"name", Tree::of("größer")}, {"n", Tree::number("1")}}),
                    record({{"name", Tree::of("xxxxxx")}, {"n", Tree::number("2")}}), record({{"name", Tree::of("Ω")}, {"n", Tree::number("3")}})});
    CHECK(render(rows, Format::text) ==
          "NAME    N\n"
          "größer  1\n"
          "xxxxxx  2\n"
          "Ω       3\n");
    const Tree names = record({{"größe", Tree::of("1")}, {"x", Tree::of("2")}});
    CHECK(render(names, Format::text) == "größe  1\nx      2\n");
}

TEST_CASE("no line ends in blanks", "[report]") {
    const Tree rows = Tree::list({record({{"a", Tree::of("x")}, {"b", Tree::of("")}}), record({{"a", Tree::of("")}, {"b", Tree::of("y")}})});
    const Tree nested = record({{"rows", rows}, {"empty", Tree::of("")}, {"list", texts({"two words", ""})}});
    for (const Tree* tree : {&rows, &nested})
        for (const std::string& line : lines(render(*tree, Format::text))) {
            INFO(line);
            CHECK((line.empty() || line.back() != ' '));
        }
}

TEST_CASE("a text with line breaks cannot pretend to be another row", "[report]") {
    const Tree rows = Tree::list({record({{"id", Tree::of("a\nb  supported")}, {"status", Tree::of("broken")}})});
    CHECK(lines(render(rows, Format::text)).size() == 2);
    const Tree one = record({{"note", Tree::of("first\nid  other")}});
    for (const std::string& line : lines(render(one, Format::text))) {
        INFO(line);
        CHECK(line.rfind("id", 0) != 0);
    }
}

TEST_CASE("tables and phrases inside a record are indented below its name", "[report]") {
    const Tree tree = record({{"id", Tree::of("x")},
                              {"builds", Tree::list({record({{"id", Tree::of("x+a")}}), record({{"id", Tree::of("x+b")}})})},
                              {"boards", texts({"AGX Orin", "Orin Nano"})}});
    CHECK(render(tree, Format::text) ==
          "id  x\n"
          "builds\n"
          "  ID\n"
          "  x+a\n"
          "  x+b\n"
          "boards\n"
          "  AGX Orin\n"
          "  Orin Nano\n");
}

}  // namespace
