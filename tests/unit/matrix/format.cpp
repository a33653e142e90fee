#include "matrix/format.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "support/catch.hpp"

namespace {

using vmatrix::matrix::format;

std::string formatted(std::string_view text) {
    const auto result = vmatrix::matrix::format(text, "f.yaml");
    if (!result) INFO(result.error().message);
    REQUIRE(result);
    const auto twice = vmatrix::matrix::format(*result, "f.yaml");
    REQUIRE(twice);
    CHECK(*twice == *result);
    return *result;
}

TEST_CASE("fields come in the order of the schema, the id first, nested facts last", "[fmt]") {
    CHECK(formatted(R"(releases:
  - builds:
      - bundles: {cuda: "12.8"}
        accelerator: cuda
        build: cu128
    note: seen
    source: [s]
    version: "2.9.1"
    component: torch
gpus:
  - {architecture: sm_89, name: X, vendor: nvidia, id: x, source: [s]}
)") == R"(releases:
  - component: torch
    version: "2.9.1"
    source: ["s"]
    note: seen
    builds:
      - build: cu128
        accelerator: cuda
        bundles: {cuda: "12.8"}

gpus:
  - {id: x, vendor: nvidia, name: X, architecture: sm_89, source: ["s"]}
)");
}

TEST_CASE("texts lose quotes that they do not need and keep those that they do", "[fmt]") {
    const auto value = [](const std::string& written) {
        const std::string text = formatted("components:\n  - id: a\n    title: " + written + "\n    scheme: dotted\n");
        const auto begin = text.find("title: ") + 7;
        return text.substr(begin, text.find('\n', begin) - begin);
    };
    const std::vector<std::pair<std::string, std::string>> rows{{"\"CUDA\"", "CUDA"},
                                                                {"'CUDA'", "CUDA"},
                                                                {"CUDA", "CUDA"},
                                                                {"\"größer\"", "größer"},
                                                                {"\"a b\"", "a b"},
                                                                {"\"a:b\"", "a:b"},
                                                                {"\"a#b\"", "a#b"},
                                                                {"\"3.10\"", "\"3.10\""},
                                                                {"'no'", "\"no\""},
                                                                {"\"\"", "\"\""},
                                                                {"\"null\"", "\"null\""},
                                                                {"\"~\"", "\"~\""},
                                                                {"\"2025-11-11\"", "\"2025-11-11\""},
                                                                {"\"1:20\"", "\"1:20\""},
                                                                {"'a: b'", "\"a: b\""},
                                                                {"'a:'", "\"a:\""},
                                                                {"'a # b'", "\"a # b\""},
                                                                {"'# a'", "\"# a\""},
                                                                {"'a, b'", "\"a, b\""},
                                                                {"'[a]'", "\"[a]\""},
                                                                {"'a]'", "\"a]\""},
                                                                {"'{a}'", "\"{a}\""},
                                                                {"'- a'", "\"- a\""},
                                                                {"'*a'", "\"*a\""},
                                                                {"'&a'", "\"&a\""},
                                                                {"'!a'", "\"!a\""},
                                                                {"'|'", "\"|\""},
                                                                {"'> a'", "\"> a\""},
                                                                {"'%a'", "\"%a\""},
                                                                {"'@a'", "\"@a\""},
                                                                {"'`a'", "\"`a\""},
                                                                {"'? a'", "\"? a\""},
                                                                {"' a'", "\" a\""},
                                                                {"'a '", "\"a \""},
                                                                {"'it''s'", "it's"},
                                                                {"'''a'", "\"'a\""},
                                                                {"'\"a\"'", "\"\\\"a\\\"\""},
                                                                {"'a\\b'", "a\\b"},
                                                                {"'\\'", "\\"},
                                                                {"'\"\\'", "\"\\\"\\\\\""},
                                                                {"\"a\\nb\"", "\"a\\nb\""},
                                                                {"a, b", "\"a, b\""},
                                                                {"a [b]", "\"a [b]\""},
                                                                {"'='", "\"=\""},
                                                                {"'<<'", "\"<<\""}};
    for (const auto& [written, wanted] : rows) {
        INFO(written);
        CHECK(value(written) == wanted);
    }
}

TEST_CASE("versions and their like always have quotes, numbers and booleans never", "[fmt]") {
    CHECK(formatted(R"(releases:
  - {component: torch, version: v1, date: '2025', python: ["3.10"], os: [ubuntu], platforms: ["linux-x86_64"], bundles: {cuda: x}, source: [s], cxx11-abi: true}
gpus:
  - {id: "x", vendor: "nvidia", name: "X", pci: ['10de:2684'], architecture: "sm_89", memory-gib: [24, 1.5]}
)") == R"(releases:
  - {component: torch, version: "v1", date: "2025", os: ["ubuntu"], bundles: {cuda: "x"}, python: ["3.10"], platforms: [linux-x86_64], cxx11-abi: true, source: ["s"]}

gpus:
  - {id: x, vendor: nvidia, name: X, pci: ["10de:2684"], architecture: sm_89, memory-gib: [24, 1.5]}
)");
}

TEST_CASE("facts of several lines stand apart, facts of one line together", "[fmt]") {
    CHECK(formatted("components:\n- {id: a}\n\n\n- {id: b}\n- id: c\n  title: C\n- id: d\n- {id: e}\nvendors:\n\n  -   id: f\n") ==
          "components:\n  - {id: a}\n  - {id: b}\n\n  - id: c\n    title: C\n\n  - id: d\n  - {id: e}\n\nvendors:\n  - id: f\n");
}

TEST_CASE("comments stay above what they stood above, beside what they stood beside, and at the end", "[fmt]") {
    CHECK(formatted(R"(# Head of the file.
# Second line.

defaults:   # of all
  releases:
    # the component
    component: torch   # PyTorch
#
# Releases
releases:   # newest first
  # the newest
  - version: "2.9.1"   # November
    # when
    date: "2025-11-11"
    python: ["3.10",   # oldest
             # then
             "3.11"]
    builds:
      # CUDA
      - build: cu128   # default
        accelerator: cuda
      # none
      - {build: cpu, accelerator: cpu}   # plain
    # after the builds
  - version: "2.9.0"
# The end.
)") == R"(# Head of the file.
# Second line.
defaults:   # of all
  releases:
    # the component
    component: torch   # PyTorch

#
# Releases
releases:   # newest first
  # the newest
  - version: "2.9.1"   # November
    # when
    date: "2025-11-11"
    # oldest
    # then
    python: ["3.10", "3.11"]
    builds:
      # CUDA
      - build: cu128   # default
        accelerator: cuda
      # none
      - {build: cpu, accelerator: cpu}   # plain
    # after the builds

  - version: "2.9.0"
# The end.
)");
}

TEST_CASE("a comment above a field that becomes the first stands above the dash", "[fmt]") {
    CHECK(formatted("components:\n  - title: A\n    # its name\n    id: a\n    # how\n    scheme: dotted\n") ==
          "components:\n  # its name\n  - id: a\n    title: A\n    # how\n    scheme: dotted\n");
}

TEST_CASE("a comment stays with its own fact and field", "[fmt]") {
    // clang-format off
    const std::vector<std::pair<std::string, std::string>> rows{
        // behind a dash
        {"releases:\n  - # the first\n    version: \"1\"\n  - # the second\n    version: \"2\"\n",
         "releases:\n  # the first\n  - version: \"1\"\n\n  # the second\n  - version: \"2\"\n"},
        {"releases:\n  -\n    # the first\n    version: \"1\"\n    # its end\n  # the second\n  -\n    version: \"2\"\n  # the end\n",
         "releases:\n  # the first\n  - version: \"1\"\n    # its end\n\n  # the second\n  - version: \"2\"\n  # the end\n"},
        {"releases:\n  - version: \"1\"\n  -\n\n    # the second\n    # of two\n    version: \"2\"\n",
         "releases:\n  - version: \"1\"\n\n  # the second\n  # of two\n  - version: \"2\"\n"},
        {"releases:\n-\n# cards\ngpus:\n- # none\n# names\ngpu-names: []\n", "releases:\n  -\n\n# cards\ngpus:\n  -   # none\n\n# names\ngpu-names: []\n"},
        // at the end of a list
        {"releases:\n  - python: [\"3.12\", \"3.13\"\n    # no 3.14: not built\n    ]\n    component: torch\n",
         "releases:\n  - component: torch\n    # no 3.14: not built\n    python: [\"3.12\", \"3.13\"]\n"},
        {"releases:\n  - builds:\n      - build: cu1\n      # cu2 was never built\n    component: torch\n",
         "releases:\n  - component: torch\n    builds:\n      - build: cu1\n      # cu2 was never built\n"},
        {"releases:\n  - source:\n     - a\n     - b\n     # c was wrong\n    component: torch\n",
         "releases:\n  - component: torch\n    # c was wrong\n    source: [\"a\", \"b\"]\n"},
        {"releases:\n  - python: [\n    # none at all\n    ]\n    component: torch\n",
         "releases:\n  - component: torch\n    # none at all\n    python: []\n"},
        // where the list is not indented, a comment stands above the next key
        {"releases:\n- builds:\n  - build: cu1\n  # what it is\n  component: torch\n# the second\n- component: cuda\n# Cards\ngpus: []\n",
         "releases:\n  # what it is\n  - component: torch\n    builds:\n      - build: cu1\n\n  # the second\n  - component: cuda\n\n# Cards\ngpus: []\n"},
        // at the end of a map
        {"releases:\n  - bundles:\n      cuda: \"12\"\n      # no cudnn\n    component: torch\n",
         "releases:\n  - component: torch\n    # no cudnn\n    bundles: {cuda: \"12\"}\n"},
        {"defaults:\n  gpus:\n    vendor: amd\n    # no source\n  # of all\ngpus: []\n", "defaults:\n  gpus:\n    vendor: amd\n    # no source\n  # of all\n\ngpus: []\n"},
        // beside an item
        {"releases:\n  - python: [\"3.12\", # one\n      \"3.13\"]\n    component: torch\n",
         "releases:\n  - component: torch\n    # one\n    python: [\"3.12\", \"3.13\"]\n"},
        {"releases:\n  - python: # all\n      - \"3.12\" # one\n    component: torch\n",
         "releases:\n  - component: torch\n    # one\n    python: [\"3.12\"]   # all\n"},
        {"releases:\n  - python: [\"3.12\",\n      \"3.13\"] # all\n    component: torch\n",
         "releases:\n  - component: torch\n    python: [\"3.12\", \"3.13\"]   # all\n"},
        {"components: [{id: a}, # one\n  {id: b,\n  # two\n  title: B} # three\n  # the end\n  ]\n",
         "components:\n  - {id: a}   # one\n  # two\n  - {id: b, title: B}   # three\n  # the end\n"},
        // between a key and its value
        {"components:\n  - id: a\n    title:\n      # so called\n      CUDA\n    scheme: dotted\n", "components:\n  - id: a\n    # so called\n    title: CUDA\n    scheme: dotted\n"},
        // too far to the left, in the middle
        {"releases:\n  - component: torch\n# odd\n    version: \"1\"\n# next\n  - component: cuda\n",
         "releases:\n  - component: torch\n    # odd\n    version: \"1\"\n\n  # next\n  - component: cuda\n"},
    };
    // clang-format on
    for (const auto& [written, wanted] : rows) {
        INFO(written);
        CHECK(formatted(written) == wanted);
    }
}

TEST_CASE("a comment beside a list that is wrapped stands behind its end", "[fmt]") {
    std::string list;
    for (int i = 0; i < 40; ++i) list += (i ? ", " : "") + std::string("arch") + std::to_string(i);
    const std::string text = formatted("targets:\n  - id: a\n    architectures: [" + list + "]   # all\n");
    CHECK(text.find("arch39]   # all\n") != std::string::npos);
}

TEST_CASE("comments beside values that are not written, or behind brackets and quotes", "[fmt]") {
    CHECK(formatted("components:\n  - id: a   # one\n    title:   # two\n    scheme: \"dotted\"#three\n    about: [x]#four\n") ==
          "components:\n  - id: a   # one\n    title:   # two\n    scheme: dotted   #three\n    about: [x]   #four\n");
}

TEST_CASE("what looks like a comment inside a text is none, what looks like a text inside a comment is none", "[fmt]") {
    // clang-format off
    for (const char* text : {
        "components:\n  - id: a\n    title: \"a # b\"   # real\n    about: it's # real, too\n",
        "components:\n  - id: a\n    title: foo:\"bar   # a comment with a \" in it\n    about: b\n",
        "components:\n  - id: a\n    title: well, 'tis so   # don't\n    about: b   # \"quoted\n",
        "components:\n  - id: a\n    title: >-\n      folded # no comment\n      # neither\n    # a comment\n    about: b\n",
        "components:\n  - id: a\n    title: >+   # beside\n      folded # no comment\n    about: b\n",
        "components:\n  - id: a\n    title: |2-\n        deeper # no comment\n    about: b # c\n",
        "components:\n  - id: a\n    title: |\n\n      # text\n\n    about: b # c\n",
        "components:\n  - id: a\n    title: a > b >\n    about: b # c\n",
        "components:\n  - id: a\n    title: 'two\n      lines # text\n      ' # c\n    about: b\n",
        "components:\n  - {id: a, title: \"#1\", about: 'b'} # c\n", "components: [{id: a#b, title: c#d}]#c\n",
        "components:\n  - id: a\n    title: C#, F#\n    about: b,#c\n",
    }) {
    // clang-format on
        INFO(text);
        const std::string result = formatted(text);
        INFO(result);
        CHECK(result.find("no comment   #") == std::string::npos);
    }
    CHECK(formatted("components:\n  - id: a\n    title: foo:\"bar   # a \" in it\n") ==
          "components:\n  - id: a\n    title: foo:\"bar   # a \" in it\n");
    CHECK(formatted("components:\n  - id: a\n    title: >+   # beside\n      text # not\n    scheme: b\n") ==
          "components:\n  - id: a\n    title: \"text # not\\n\"   # beside\n    scheme: b\n");
}

TEST_CASE("long lists are wrapped at 110 characters, short ones are joined", "[fmt]") {
    std::string list;
    for (int i = 0; i < 40; ++i) list += (i ? ", " : "") + std::string("arch") + std::to_string(i);
    const std::string text = formatted("targets:\n  - id: a\n    architectures: [" + list + "]\n    packaging: x\n");
    for (const auto line : vmatrix::base::split(text, '\n')) {
        INFO(line);
        CHECK(line.size() <= 110);
    }
    CHECK(text.find("    architectures: [arch0, arch1, ") != std::string::npos);
    CHECK(text.find(",\n                    arch") != std::string::npos);
    CHECK(formatted("targets:\n  - id: a\n    architectures:\n      - sm_89\n      - sm_90\n") ==
          "targets:\n  - id: a\n    architectures: [sm_89, sm_90]\n");
}

TEST_CASE("long texts are folded, short ones are not", "[fmt]") {
    std::string words;
    for (int i = 0; i < 40; ++i) words += (i ? " " : "") + std::string("wörter") + std::to_string(i);
    const std::string text = formatted("components:\n  - id: a\n    title: T\n    about: \"" + words + "\"\n    note: x\n");
    CHECK(text.find("    about: >-\n      wörter0 wörter1 ") != std::string::npos);
    for (const auto line : vmatrix::base::split(text, '\n')) CHECK(vmatrix::base::characters(line) <= 110);
    CHECK(formatted("components:\n  - id: a\n    about: >-\n      short\n      text\n") == "components:\n  - id: a\n    about: short text\n");
    SECTION("a text that folding would change stays on its line") {
        for (const std::string part : {"two  blanks", "a\\nb"}) {
            const std::string kept = formatted("components:\n  - id: a\n    about: \"" + words + part + "\"\n");
            CHECK(kept.find(">-") == std::string::npos);
            CHECK(kept.find(part) != std::string::npos);
        }
    }
    SECTION("a word longer than the line is not cut") {
        const std::string word(200, 'x');
        CHECK(formatted("components:\n  - id: a\n    about: " + word + " y\n").find("      " + word + "\n      y\n") != std::string::npos);
    }
}

TEST_CASE("long maps get a line for each entry", "[fmt]") {
    std::string map, block;
    for (int i = 0; i < 12; ++i) {
        map += (i ? ", " : "") + std::string("component") + std::to_string(i) + ": \"1." + std::to_string(i) + "\"";
        block += "      component" + std::to_string(i) + ": \"1." + std::to_string(i) + "\"\n";
    }
    CHECK(formatted("releases:\n  - component: torch\n    bundles: {" + map + "}\n") == "releases:\n  - component: torch\n    bundles:\n" + block);
    SECTION("also in defaults") {
        CHECK(formatted("defaults:\n  releases: {component: torch, bundles: {" + map + "}, source: [s]}\nreleases: []\n") ==
              "defaults:\n  releases:\n    component: torch\n    bundles:\n" + block + "    source: [\"s\"]\n\nreleases: []\n");
    }
}

TEST_CASE("values that are not written stay so, and what is written is YAML for other readers too", "[fmt]") {
    CHECK(formatted("vendors:\n  - id: a\n    title:\n    words: [ , b, ]\n    pci: ~\n") ==
          "vendors:\n  - id: a\n    title:\n    pci:\n    words: [null, b]\n");
}

TEST_CASE("line ends, byte order marks and blanks of editors go", "[fmt]") {
    CHECK(formatted("components:\r\n  - id: a   # c\r\n    title: A\r\n") == "components:\n  - id: a   # c\n    title: A\n");
    CHECK(formatted("\xEF\xBB\xBF# head\ncomponents:\n  - {id: a}\n") == "# head\ncomponents:\n  - {id: a}\n");
    CHECK(formatted("components:   \n    -    id:   a   \n         title:    A  B   \n\n\n\n") == "components:\n  - id: a\n    title: A  B\n");
    CHECK(formatted("components:\n  - {id: a}") == "components:\n  - {id: a}\n");
    CHECK(formatted("---\ncomponents:\n  - {id: a}\n...\n") == "components:\n  - {id: a}\n");
}

TEST_CASE("a file without facts stays as it is", "[fmt]") {
    for (const char* text : {"", "# only a comment\n", "\n\n"}) CHECK(formatted(text) == text);
    CHECK(formatted("{}\n") == "{}\n");
    CHECK(formatted("gpus: []\n") == "gpus: []\n");
    CHECK(formatted("defaults: {}\ngpus: []\n") == "defaults: {}\n\ngpus: []\n");
    CHECK(formatted("defaults:\n  gpus: {}\n") == "defaults:\n  gpus: {}\n");
}

TEST_CASE("what is not known is kept, so that lint can speak about it", "[fmt]") {
    CHECK(formatted("gpuss:\n  - {b: [x, y], a: 1}\ngpus:\n  - id: a\n    nmae: A\n    vendor: nvidia\n") ==
          "gpuss:\n  - {b: [x, y], a: 1}\n\ngpus:\n  - id: a\n    vendor: nvidia\n    nmae: A\n");
}

TEST_CASE("other YAML is left alone", "[fmt]") {
    for (const char* text : {"on: push\njobs: {}\n", "defaults: {run: {shell: bash}}\njobs: {}\n", "- a\n", "just text\n", "version: \"3\"\nservices: {}\n"}) {
        INFO(text);
        const auto result = vmatrix::matrix::format(text, "f.yaml");
        REQUIRE(!result);
        CHECK(result.error().message.find("not a matrix file") != std::string::npos);
    }
}

TEST_CASE("a file that is not valid YAML is refused with its first mistake", "[fmt]") {
    for (const char* text :
         {"a: [b\n", "a: b\n\tc: d\n", "a: &x b\n", "a: \xFF\n", "a: 1\na: 2\n", "a: \"b\n", "a: b\n---\nc: d\n", "a: \"\\e\"\n"}) {
        INFO(text);
        const auto result = vmatrix::matrix::format(text, "f.yaml");
        REQUIRE(!result);
        CHECK(result.error().message.rfind("f.yaml:", 0) == 0);
        CHECK(result.error().hint.find("lint") != std::string::npos);
    }
}

TEST_CASE("a value that lacks its quotes, or has some too many, is left to lint", "[fmt]") {
    CHECK(formatted("releases:\n  - version: 3.10\n    component: torch\n    date: 2025-11-11\n"
                    "    cxx11-abi: \"true\"\n    python: [3.10, \"3.11\"]\n") ==
          "releases:\n  - component: torch\n    version: 3.10\n    date: 2025-11-11\n    python: [3.10, \"3.11\"]\n"
          "    cxx11-abi: \"true\"\n");
}

TEST_CASE("every shipped file is formatted, and again the same", "[fmt]") {
    namespace fs = std::filesystem;
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(VMATRIX_SOURCE_DIR "/matrix")) {
        if (entry.path().extension() != ".yaml") continue;
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        INFO(entry.path().string());
        (void)formatted(text);
        ++files;
    }
    CHECK(files > 0);
}

}  // namespace
