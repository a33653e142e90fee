#include "matrix/read.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "matrix/lint.hpp"
#include "support/catch.hpp"

namespace {

using namespace vmatrix::matrix;
using vmatrix::base::Findings;
using vmatrix::base::Severity;
using vmatrix::model::Fact;
using vmatrix::model::Matrix;
using vmatrix::model::Value;
using Codes = std::vector<std::string>;

constexpr const char* vocabulary = R"(
sources:
  - {id: s, title: S, address: "https://example.org", trust: vendor}
  - {id: t, title: T, address: "https://example.org", trust: weak}
vendors:
  - {id: nvidia, title: NVIDIA, pci: "10de", words: [geforce]}
  - {id: amd, title: AMD, pci: "1002", words: [radeon]}
components:
  - {id: torch, title: PyTorch, scheme: pep440}
  - {id: cuda, title: CUDA, scheme: dotted}
  - {id: triton, title: triton, scheme: opaque}
architectures:
  - {id: sm_89, vendor: nvidia, source: [s]}
  - {id: sm_90, vendor: nvidia, source: [t]}
)";

struct Loaded {
    Matrix matrix;
    Codes codes;  ///< "code line:column" of findings in f.yaml, others with their file
    std::vector<std::string> messages;
};

Loaded load(const std::string& text, bool with_lint = false) {
    Findings findings;
    const std::vector<SourceText> files{{"a.yaml", vocabulary}, {"f.yaml", text}};
    Loaded loaded{read(files, findings), {}, {}};
    if (with_lint) lint(loaded.matrix, findings);
    for (const auto& finding : findings.sorted()) {
        const std::string file = finding.at.file == "f.yaml" ? "" : finding.at.file + " ";
        loaded.codes.push_back(file + finding.code + " " + std::to_string(finding.at.line) + ":" + std::to_string(finding.at.column));
        loaded.messages.push_back(finding.message + (finding.hint.empty() ? "" : " | " + finding.hint));
    }
    return loaded;
}

Loaded good(const std::string& text, bool with_lint = false) {
    Loaded loaded = load(text, with_lint);
    CHECK(loaded.codes == Codes{});
    return loaded;
}

/// Reads a text with marks: «wrong-value» stands where a finding of that code is expected. There must be no others.
Loaded check_marked(std::string_view marked, bool with_lint = false) {
    constexpr std::string_view open = "«", close = "»";
    std::string text;
    Codes expected;
    std::size_t line = 1, column = 1;
    for (std::size_t i = 0; i < marked.size();) {
        if (marked.substr(i).starts_with(open)) {
            const auto end = marked.find(close, i);
            expected.push_back(std::string(marked.substr(i + open.size(), end - i - open.size())) + " " + std::to_string(line) + ":" +
                               std::to_string(column));
            i = end + close.size();
            continue;
        }
        if (marked[i] == '\n') ++line, column = 1;
        else if ((static_cast<unsigned char>(marked[i]) & 0xC0) != 0x80) ++column;
        text += marked[i++];
    }
    INFO(text);
    Loaded loaded = load(text, with_lint);
    CHECK(loaded.codes == expected);
    return loaded;
}

/// "a, b" for a list, the text for a text, "(absent)".
std::string shown(const Fact& fact, std::string_view field) {
    const Value* value = fact.find(field);
    if (!value) return "(absent)";
    if (value->form != Value::Form::list) return value->text;
    std::string all;
    for (const Value& item : value->items) all += (all.empty() ? "" : ", ") + item.text;
    return all;
}

const Fact& fact(const Loaded& loaded, std::string_view id) {
    const Fact* found = loaded.matrix.find(id);
    INFO(id);
    REQUIRE(found != nullptr);
    return *found;
}

TEST_CASE("facts are read with their places", "[read]") {
    const auto loaded = good(
        "# comment\ngpus:\n  - id: x\n    vendor: nvidia\n    name: Größe 1\n"
        "    aliases: [a, \"1\"]\n    architecture: sm_89\n    memory-gib: [24, 1.5]\n"
        "    source: [s, \"t#p. 3\"]\n");
    const Fact& gpu = fact(loaded, "x");
    CHECK(gpu.kind->name == "gpu");
    CHECK(to_string(gpu.at) == "f.yaml:3:5");
    CHECK(gpu.parent.empty());
    CHECK(gpu.text("name") == "Größe 1");
    CHECK(gpu.find("id") == nullptr);  // the id is no field
    CHECK(shown(gpu, "aliases") == "a, 1");
    CHECK(shown(gpu, "memory-gib") == "24, 1.5");
    CHECK(to_string(gpu.position(gpu.find("aliases")->items[1])) == "f.yaml:6:18");
    CHECK(loaded.matrix.of("gpu").size() == 1);
}

TEST_CASE("empty files and files of comments say nothing", "[read]") {
    for (const char* text : {"", "\n\n", "# only\n# comments\n", "---\n", "{}\n", "gpus: []\n", "defaults: {}\n"}) {
        INFO(text);
        CHECK(load(text).codes == Codes{});
    }
}

TEST_CASE("defaults hold for their kind in their file, and a fact's own field wins", "[read]") {
    Findings findings;
    const std::vector<SourceText> files{{"a.yaml", vocabulary},
                                        {"b.yaml",
                                         "defaults:\n"
                                         "  gpus: {vendor: nvidia, architecture: sm_89, memory-gib: [8], source: [s]}\n"
                                         "gpus:\n  - {id: x, name: X}\n"
                                         "  - {id: q, name: Q, memory-gib: [16], source: [t]}\n"},
                                        {"c.yaml", "gpus:\n  - {id: z, name: Z, vendor: nvidia, architecture: sm_90, source: [s]}\n"},
                                        {"d.yaml",
                                         "gpus:\n  - {id: w, name: W, source: [s]}\ndefaults:\n"
                                         "  gpus: {vendor: amd, architecture: sm_90}\n"}};
    const Matrix matrix = read(files, findings);
    CHECK(findings.empty());
    REQUIRE(matrix.find("x"));
    CHECK(shown(*matrix.find("x"), "memory-gib") == "8");
    CHECK(matrix.find("x")->text("vendor") == "nvidia");
    CHECK(shown(*matrix.find("q"), "memory-gib") == "16");
    CHECK(shown(*matrix.find("q"), "source") == "t");
    CHECK(shown(*matrix.find("z"), "memory-gib") == "(absent)");
    CHECK(matrix.find("w")->text("vendor") == "amd");  // defaults may stand below
}

TEST_CASE("ids are made of fields", "[read]") {
    const auto loaded = good(R"(
releases:
  - component: torch
    version: "2.9.1"
    source: [s]
    builds:
      - {build: cu128, accelerator: cuda}
      - {build: cpu, accelerator: cpu}
  - {component: cuda, version: "12.8", source: [s]}
driver-branches: [{component: cuda, branch: "580", source: [s]}]
gpu-names: [{name: rtx40, gpus: [g], source: [s]}]
gpus: [{id: g, vendor: nvidia, name: G, architecture: sm_89, source: [s]}]
os-releases: [{os: ubuntu, version: "24.04", source: [s]}]
python-releases: [{version: "3.12", source: [s]}]
digests:
  - {repository: nvidia/cuda, tag: 12.8.1-base, digest: "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", points-to: index, trust: high, source: [s]}
)");
    for (const char* id : {"torch-2.9.1", "torch-2.9.1+cu128", "torch-2.9.1+cpu", "cuda-12.8", "cuda-580", "rtx40", "ubuntu-24.04", "python-3.12",
                           "nvidia/cuda:12.8.1-base@sha256:0123456789ab"}) {
        INFO(id);
        CHECK(loaded.matrix.find(id) != nullptr);
    }
    CHECK(fact(loaded, "torch-2.9.1+cpu").parent == "torch-2.9.1");
    CHECK(loaded.matrix.nested(fact(loaded, "torch-2.9.1")).size() == 2);
    CHECK(fact(loaded, "torch-2.9.1").find("builds") == nullptr);
}

TEST_CASE("a build has what its release has, unless it says otherwise", "[read]") {
    const auto loaded = good(R"(
defaults:
  releases: {component: torch, python: ["3.9"], source: [s]}
releases:
  - version: "2.9.1"
    python: ["3.10", "3.11"]
    platforms: [linux-x86_64]
    companions: {triton: "3.5.1"}
    cxx11-abi: true
    date: "2025-11-11"
    builds:
      - {build: cu128, accelerator: cuda}
      - {build: rocm6.4, accelerator: rocm, python: ["3.12"], cxx11-abi: false, companions: {triton: abc}}
      - {build: cpu, accelerator: cpu, unknown: [platforms]}
      - {build: xpu, accelerator: xpu, python: []}
  - version: "2.9.0"
    builds:
      - {build: cu126, accelerator: cuda}
)");
    const Fact& same = fact(loaded, "torch-2.9.1+cu128");
    CHECK(shown(same, "python") == "3.10, 3.11");
    CHECK(shown(same, "platforms") == "linux-x86_64");
    CHECK(shown(same, "source") == "s");
    CHECK(shown(same, "cxx11-abi") == "true");
    CHECK(same.find("companions")->find("triton")->text == "3.5.1");
    CHECK(same.find("date") == nullptr);
    CHECK(same.find("component") == nullptr);
    const Fact& own = fact(loaded, "torch-2.9.1+rocm6.4");
    CHECK(shown(own, "python") == "3.12");
    CHECK(shown(own, "cxx11-abi") == "false");
    CHECK(own.find("companions")->find("triton")->text == "abc");
    CHECK(shown(own, "platforms") == "linux-x86_64");
    const Fact& unknown = fact(loaded, "torch-2.9.1+cpu");
    CHECK(unknown.find("platforms") == nullptr);
    CHECK(shown(unknown, "python") == "3.10, 3.11");
    const Fact& none = fact(loaded, "torch-2.9.1+xpu");
    REQUIRE(none.find("python") != nullptr);
    CHECK(none.texts("python").empty());
    CHECK(shown(fact(loaded, "torch-2.9.0+cu126"), "python") == "3.9");  // by the defaults of its release
}

TEST_CASE("the sources of a build are its own and those of its release", "[read]") {
    const auto loaded = good(
        "releases:\n  - component: torch\n    version: \"2.9.1\"\n    source: [s]\n    builds:\n"
        "      - {build: cu128, accelerator: cuda, source: [t]}\n"
        "      - {build: cpu, accelerator: cpu, source: [s]}\n");
    CHECK(shown(fact(loaded, "torch-2.9.1+cu128"), "source") == "t, s");
    CHECK(shown(fact(loaded, "torch-2.9.1+cpu"), "source") == "s");
}

TEST_CASE("maps keep their order and their places", "[read]") {
    const auto loaded = good(
        "releases:\n  - component: torch\n    version: \"2.9.1\"\n    source: [s]\n"
        "    bundles: {triton: x, cuda: \"12.8\"}\n    requires:\n      cuda: \">=12\"\n");
    const Value* bundles = fact(loaded, "torch-2.9.1").find("bundles");
    REQUIRE(bundles != nullptr);
    REQUIRE(bundles->form == Value::Form::map);
    REQUIRE(bundles->members.size() == 2);
    CHECK(bundles->find("triton")->text == "x");
    CHECK(bundles->find("cuda")->column == 32);
    CHECK(bundles->find("missing") == nullptr);
    CHECK(fact(loaded, "torch-2.9.1").find("requires")->find("cuda")->line == 7);
}

TEST_CASE("claims are read as maps", "[read]") {
    const auto loaded = good(
        "releases:\n  - component: torch\n    version: \"2.9.1\"\n    date: \"2025-11-11\"\n"
        "    source: [s]\n    claims:\n"
        "      - {field: date, value: \"2025-11-12\", source: [\"t#x\"], why: a day later}\n");
    const Value* claims = fact(loaded, "torch-2.9.1").find("claims");
    REQUIRE(claims != nullptr);
    REQUIRE(claims->items.size() == 1);
    CHECK(claims->items[0].find("value")->text == "2025-11-12");
    CHECK(claims->items[0].find("source")->items[0].text == "t#x");
}

TEST_CASE("a broken fact does not hide its neighbours", "[read]") {
    const auto loaded = check_marked(R"(gpus:
  - {id: a, vendor: nvidia, name: A, architecture: sm_89, source: [s]}
  - {id: b, vendor: nvidia, name: «wrong-form»[B], architecture: sm_89, source: [s]}
  - «not-a-fact»text
  - {id: c, vendor: nvidia, name: C, architecture: sm_90, source: [s]}
)");
    CHECK(loaded.matrix.find("a") != nullptr);
    CHECK(loaded.matrix.find("c") != nullptr);
}

TEST_CASE("a field with a wrong value is not also called missing", "[read]") {
    check_marked("gpus:\n  - {id: a, vendor: «wrong-value»NVIDIA, name: «needs-quotes»5, architecture: sm_89, source: [«wrong-value»S]}\n");
}

TEST_CASE("ids are taken once, whatever the kind and the file", "[read]") {
    Findings findings;
    const std::vector<SourceText> files{
        {"a.yaml", vocabulary},
        {"b.yaml", "rules:\n  - {id: sm_89, when: {cuda: \"*\"}, requires: {torch: \"*\"}, evidence: expected, source: [s]}\n"}};
    const Matrix matrix = read(files, findings);
    REQUIRE(findings.sorted().size() == 1);
    CHECK(findings.sorted()[0].code == "duplicate-id");
    CHECK(findings.sorted()[0].message.find("a.yaml:13:5") != std::string::npos);
    CHECK(matrix.find("sm_89")->kind->name == "architecture");
}

TEST_CASE("mistakes below a fact that is not kept are reported, and nothing below it is kept", "[read]") {
    const char* builds =
        "    source: [s]\n    builds:\n      - {build: cu128, accelerator: «wrong-value»cdua}\n"
        "      - {build: cpu, accelerator: cpu}\n";
    SECTION("without an id") {
        const auto loaded = check_marked(std::string("releases:\n  - «missing-field»component: torch\n") + builds);
        CHECK(loaded.matrix.of("build").empty());
    }
    SECTION("with an id that is taken") {
        const auto loaded = check_marked(std::string("releases:\n  - {component: torch, version: \"2.9.1\", source: [s]}\n"
                                                     "  - «duplicate-id»component: torch\n    version: \"2.9.1\"\n") +
                                         builds);
        CHECK(loaded.matrix.of("build").empty());
    }
}

TEST_CASE("references, versions and citations are checked in every place they can stand", "[read]") {
    for (
        const std::string_view fields : {
            R"(bundles: {cuda: «wrong-version»"12.8u1"})",
            R"(bundles: {triton: "any,thing~"})",
            R"(requires: {cuda: «wrong-version-set»"12.8"})",
            R"(requires: {cuda: «empty-version-set»">13,<12"})",
            R"(requires: {triton: «wrong-version-set»">=1"})",
            R"(platform-tag: «unknown-reference»manylinux_2_28)",
            R"(unconfirmed: [«unknown-field»dates])",
            R"(claims: [{field: «unknown-field»x, value: v, source: [«unknown-source»u], why: z}])",
            R"(builds: [{build: b, accelerator: cuda, index: [pypi, «unknown-reference»nowhere, "https://example.org/"]}])",
            R"(builds: [{build: b, accelerator: cuda, architectures: [sm_89, «unknown-reference»sm_98], ptx: [«unknown-reference»sm_9]}])",
            R"(builds: [{build: b, accelerator: cuda, architectures-on: {linux-aarch64: [sm_89, «unknown-reference»sm_98], «wrong-value»aarch64: [sm_89]}}])",
            R"(builds: [{build: b, accelerator: cuda, pins: ["a==1", "a[b]>=1,<2", «wrong-version-set»"a=1", «empty-version-set»"a>=2,<1"]}])",
        }) {
        check_marked("releases: [{component: torch, version: \"2.9.1\", source: [s], " + std::string(fields) + "}]\n");
    }
    check_marked("releases: [{component: torch, version: «wrong-version»\"2.9.x\", source: [s, «unknown-source»u]}]\n");
    check_marked("releases: [{component: «unknown-reference»trch, version: \"2.9.x\", source: [s]}]\n");
}

TEST_CASE("an unknown component is reported at its name", "[read]") {
    const auto loaded =
        check_marked("releases: [{component: torch, version: \"2.9.1\", source: [s], bundles: {«unknown-component»cdua: \"12.8\"}}]\n");
    CHECK(loaded.messages.at(0).find("did you mean `cuda`?") != std::string::npos);
}

TEST_CASE("a component whose scheme is wrong is reported once, not with each use", "[read]") {
    check_marked(
        "components:\n  - {id: nccl, title: NCCL, scheme: «wrong-value»doted}\nreleases:\n"
        "  - {component: nccl, version: \"2\", source: [s]}\n"
        "  - {component: torch, version: \"2\", source: [s], bundles: {nccl: \"2\"}, requires: {nccl: \">=2\"}}\n");
}

TEST_CASE("a file of nothing but unknown names is read in reasonable time", "[read]") {
    constexpr int many = 5000;
    std::string text = "components:\n";
    for (int i = 0; i < many; ++i) text += "- {id: comp-" + std::to_string(i) + ", title: T, scheme: dotted}\n";
    text += "releases:\n";
    for (int i = 0; i < many; ++i)
        text += "- {component: comq-" + std::to_string(i) + ", version: \"1\", source: [s], bundles: {comr-" + std::to_string(i) + ": \"1\"}}\n";
    CHECK(load(text).codes.size() == 2 * many);
}

TEST_CASE("a default is checked once, not with each heir", "[read]") {
    check_marked(
        "defaults:\n"
        "  gpus: {vendor: «unknown-reference»nvidai, architecture: «unknown-reference»sm_98, source: [«unknown-source»u]}\n"
        "gpus:\n  - {id: a, name: A}\n  - {id: b, name: B}\n  - {id: c, name: C}\n");
}

TEST_CASE("what is no default", "[read]") {
    const auto loaded = check_marked(
        "defaults:\n  gpus: {«not-a-default»id: x, vendor: nvidia}\n  releases:\n"
        "    component: torch\n"
        "    «not-a-default»builds: [{build: cpu, accelerator: cpu}]\n"
        "  vendors: «not-a-map»[a]\n  «unknown-section»builds: {accelerator: cuda}\n"
        "gpus:\n  - {id: a, name: A, architecture: sm_89, source: [s]}\nreleases:\n"
        "  - {version: \"2.9.1\", source: [s]}\n");
    CHECK(loaded.matrix.find("a") != nullptr);
    CHECK(loaded.matrix.of("build").empty());
}

TEST_CASE("every fact has a source", "[read]") {
    check_marked(R"(gpus:
  - «no-source»{id: a, vendor: nvidia, name: A, architecture: sm_89}
  - «no-source»{id: b, vendor: nvidia, name: B, architecture: sm_89, source: []}
  - {id: c, vendor: nvidia, name: C, architecture: sm_89, source: «not-a-list»s}
  - {id: d, vendor: nvidia, name: D, architecture: sm_89, source: «not-a-list»}
)");
    check_marked("defaults:\n  gpus: {source: []}\ngpus:\n  - «no-source»{id: a, vendor: nvidia, name: A, architecture: sm_89}\n");
}

TEST_CASE("a value of the wrong form says what was expected, a list or an item of one", "[read]") {
    const auto loaded = check_marked(
        "vendors:\n"
        "  - {id: v, title: V, pci: \"abcd\", words: [«wrong-form»[a], «wrong-form»{b: c}]}\n"
        "  - {id: w, title: W, pci: \"abce\", words: «not-a-list»a}\n");
    CHECK(loaded.messages.at(0) == "every item of `words` is an id of lower-case letters, digits and . _ + / : -, found a list");
    CHECK(loaded.messages.at(2) == "`words` wants a list, found `a` | write [a]");
}

TEST_CASE("where a file cannot be read, names that it may hold are not called unknown", "[read]") {
    for (const char* broken : {"gpus: [\n", "gpuss:\n  - {id: x}\n", "gpus: {x: {name: X}}\n", "- a\n"}) {
        Findings findings;
        const std::vector<SourceText> files{
            {"a.yaml", vocabulary},
            {"b.yaml", broken},
            {"c.yaml", "gpu-names:\n  - {name: k, gpus: [x], source: [u]}\n  - {name: m, gpus: [x], sorce: [s], source: [s]}\n"}};
        const Matrix matrix = read(files, findings);
        INFO(broken);
        REQUIRE(findings.sorted().size() == 2);
        CHECK(findings.sorted()[0].at.file == "b.yaml");
        CHECK(findings.sorted()[1].code == "unknown-field");
    }
}

TEST_CASE("bounds of a whole matrix", "[read]") {
    SECTION("bytes") {
        Findings findings;
        std::vector<SourceText> files;
        const std::string filler = "#" + std::string(max_total_bytes / 20, 'x') + "\n";
        for (int i = 0; i < 21; ++i) files.push_back({"f" + std::to_string(i) + ".yaml", filler});
        (void)read(files, findings);
        REQUIRE(findings.errors() == 1);
        CHECK(findings.sorted()[0].code == "too-large");
    }
}

TEST_CASE("too many facts are one finding in each file that has them", "[read]") {
    Findings findings;
    std::vector<SourceText> files;
    std::size_t number = 0;
    for (int file = 0; file < 25; ++file) {
        std::string text = "components:\n";
        for (std::size_t i = 0; i < max_facts / 20; ++i) text += "- {id: c" + std::to_string(number++) + ", title: T, scheme: dotted}\n";
        files.push_back({"f" + std::to_string(file) + ".yaml", text});
    }
    const Matrix matrix = read(files, findings);
    CHECK(matrix.facts().size() == max_facts);
    CHECK(findings.sorted().size() == 5);
    for (const auto& finding : findings.sorted()) CHECK(finding.code == "too-many");
}

// ---- lint

TEST_CASE("sources are cited and can be looked up", "[lint]") {
    check_marked("sources:\n  - «unused-source»«no-address»{id: u, title: U, trust: weak}\n", true);
    check_marked("sources:\n  - «unused-source»{id: u, title: U, repository: a/b, trust: weak}\n", true);
    SECTION("a claim cites too") {
        good(
            "sources:\n  - {id: u, title: U, repository: a/b, trust: weak}\nreleases:\n"
            "  - {component: torch, version: \"2.9.1\", date: \"2025\", source: [s], claims: [{field: date, value: x, source: [\"u#p\"], why: z}]}\n",
            true);
    }
    SECTION("where something could not be read, nothing is called unused") {
        check_marked(
            "sources:\n  - {id: u, title: U, repository: a/b, trust: weak}\ngenerations:\n"
            "  - «no-source»{id: x, title: X, vendor: nvidia, «unknown-field»surce: [u]}\n",
            true);
    }
}

TEST_CASE("confidence speaks of fields that are stated", "[lint]") {
    for (const std::string_view fields :
         {"unconfirmed: [memory-gib]", "unconfirmed: [«not-stated»class]", "unconfirmed: [«unknown-field»clas]",
          "derived: [memory-gib], note: by hand", "derived: [memory-gib], derived-by: by hand", "derived: [«not-stated»codename], note: x"})
        check_marked("gpus: [{id: x, vendor: nvidia, name: X, architecture: sm_89, memory-gib: [8], source: [s], " + std::string(fields) + "}]\n",
                     true);
    check_marked("gpus: [«no-rule»{id: x, vendor: nvidia, name: X, architecture: sm_89, memory-gib: [8], source: [s], derived: [memory-gib]}]\n",
                 true);
    SECTION("a field that comes by defaults or from the release is stated") {
        good(
            "defaults:\n  releases: {component: torch, source: [s], date: \"2025\"}\nreleases:\n"
            "  - version: \"2.9.1\"\n    unconfirmed: [date]\n    python: [\"3.10\"]\n    builds:\n"
            "      - {build: cpu, accelerator: cpu, unconfirmed: [python]}\n",
            true);
    }
    SECTION("the message names the fact where the list comes by defaults") {
        const auto loaded = check_marked(
            "defaults:\n"
            "  gpus: {vendor: nvidia, architecture: sm_89, source: [s], unconfirmed: [«not-stated»class]}\n"
            "gpus:\n  - {id: x, name: X}\n  - {id: q, name: Q, class: apu}\n",
            true);
        CHECK(loaded.messages.at(0).find("`x`") != std::string::npos);
    }
}

TEST_CASE("PCI ids are the vendor's and mean one architecture", "[lint]") {
    const auto check_gpus = [](const std::string& first, const std::string& second) {
        check_marked("gpus:\n  - {id: x, vendor: nvidia, name: X, architecture: sm_89, source: [s], pci: [" + first +
                         "]}\n  - {id: q, vendor: nvidia, name: Q, architecture: sm_90, source: [s], pci: [" + second + "]}\n",
                     true);
    };
    check_gpus("\"10de:2684\"", "\"10de:2685\"");
    check_gpus("\"10de:2684\"", "«contradiction»\"10de:2684\"");
    check_gpus("\"10de:2684:c8\"", "\"10de:2684:c9\", \"10de:2684\"");
    check_gpus("\"10de:2684\"", "\"10de:2684/10de:0001\"");
    check_gpus("«foreign-pci-id»\"1002:2684\"", "\"10de:0001\"");
    SECTION("two names of one card may share it") {
        good(
            "gpus:\n  - {id: x, vendor: nvidia, name: X, architecture: sm_89, source: [s], pci: [\"10de:2684\"]}\n"
            "  - {id: q, vendor: nvidia, name: Q, architecture: sm_89, source: [s], pci: [\"10de:2684\"]}\n",
            true);
    }
}

TEST_CASE("a default build is one of the release", "[lint]") {
    for (const std::string_view fields :
         {"default-build: cpu, builds: [{build: cpu, accelerator: cpu}]",
          "default-build: «no-such-build»cu128, builds: [{build: cpu, accelerator: cpu}]", "default-build: «no-such-build»cpu"})
        check_marked("releases: [{component: torch, version: \"2.9.1\", source: [s], " + std::string(fields) + "}]\n", true);
    SECTION("a build of another release does not count") {
        check_marked(
            "releases:\n"
            "  - {component: torch, version: \"2.9.1\", source: [s], default-build: «no-such-build»cpu}\n"
            "  - {component: torch, version: \"2.9.0\", source: [s], builds: [{build: cpu, accelerator: cpu}]}\n",
            true);
    }
}

}  // namespace

TEST_CASE("the sources of the enclosing fact are added, each once", "[read]") {
    const auto loaded = load(R"(
releases:
  - component: torch
    version: "2.9.0"
    source: ["s#2", "s#1", "s#3", "s#4", "s#5"]
    builds:
      - {build: cu1, accelerator: cuda, source: ["s#1"]}
)");
    CHECK(loaded.codes == Codes{});
    const Fact* build = loaded.matrix.find("torch-2.9.0+cu1");
    REQUIRE(build != nullptr);
    CHECK(build->texts("source") == std::vector<std::string_view>{"s#1", "s#2", "s#3", "s#4", "s#5"});
}
