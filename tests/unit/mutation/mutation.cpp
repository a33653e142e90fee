// The tool that changes the matrix and asks it: what a mutant is, and how requests and survivors are read.
#include <algorithm>

#include "matrix/mutation/ask.hpp"
#include "matrix/mutation/known_versions.hpp"
#include "matrix/mutation/mutants.hpp"
#include "matrix/mutation/survivors.hpp"
#include "matrix/read.hpp"
#include "support/catch.hpp"

using namespace mutation;
namespace model = vmatrix::model;

namespace {

const char* const facts = R"(
sources:
  - {id: s, title: A source, trust: vendor}
components:
  - {id: cuda, title: CUDA, scheme: dotted}
  - {id: nvidia, title: driver, scheme: dotted}
  - {id: torch, title: PyTorch, scheme: pep440}
  - {id: vllm, title: vLLM, scheme: pep440}
  - {id: python, title: Python, scheme: pep440}
vendors:
  - {id: nvidia, title: NVIDIA, pci: "10de"}
architectures:
  - {id: sm_80, vendor: nvidia, compute-capability: "8.0", source: [s]}
  - {id: sm_86, vendor: nvidia, compute-capability: "8.6", source: [s]}
  - {id: sm_90, vendor: nvidia, compute-capability: "9.0", source: [s]}
releases:
  - {component: cuda, version: "11.8.0", source: [s]}
  - {component: cuda, version: "12.0.0", source: [s]}
  - {component: cuda, version: "12.0.1", source: [s]}
  - {component: cuda, version: "12.4.0", source: [s]}
  - component: torch
    version: "2.0.0"
    python: ["3.10", "3.11"]
    source: [s]
    builds:
      - {build: cu118, accelerator: cuda, architectures: [sm_80, sm_86, sm_90]}
      - {build: cu121, accelerator: cuda}
  - component: torch
    version: "2.1.0"
    python: ["3.11", "3.12"]
    source: [s]
    builds:
      - {build: cu118, accelerator: cuda, bundles: {cuda: "11.8.0"}}
      - {build: cu124, accelerator: cuda, bundles: {cuda: "12.4.0"}}
  - component: vllm
    version: "0.2.0"
    source: [s]
    builds:
      - {build: cu124, accelerator: cuda, bundles: {cuda: "12.4.0"}, requires: {torch: "==2.1.0", cuda: ">=12,<13", python: ">=3.9"}}
rules:
  - {id: floor, when: {cuda: ">=12,<13"}, requires: {nvidia: ">=525"}, evidence: expected, source: [s]}
)";

const model::Matrix& matrix() {
    static const model::Matrix read = [] {
        vmatrix::base::Findings findings;
        const vmatrix::matrix::SourceText file{"facts.yaml", facts};
        auto result = vmatrix::matrix::read({&file, 1}, findings);
        REQUIRE(findings.errors() == 0);
        return result;
    }();
    return read;
}

const Mutant* mutant(const std::vector<Mutant>& all, const std::string& name) {
    const auto found = std::ranges::find(all, name, &Mutant::name);
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a bound moves to the next release either way", "[mutation]") {
    const KnownVersions versions(matrix());
    CHECK(versions.neighbours("cuda", "12.0.0") == std::vector<std::string>{"11.8.0", "12.0.1"});
    CHECK(versions.neighbours("cuda", "12.0", KnownVersions::Exactness::as_written) == std::vector<std::string>{"11.8", "12.4"});
    CHECK(versions.neighbours("cuda", "12.4.0") == std::vector<std::string>{"12.0.1"});
    CHECK(versions.moved_sets("cuda", ">=12.0.1,<13") == std::vector<std::string>{">=12.0.0,<13", ">=12.4.0,<13", ">=12.0.1,<12.4.0"});
    CHECK(versions.moved_sets("cuda", "==12.0.*") == std::vector<std::string>{"==11.8.*", "==12.4.*"});
    CHECK(versions.moved_sets("cuda", "*").empty());
}

TEST_CASE("what a build needs moves to what can stand beside it", "[mutation]") {
    const auto all = all_mutants(matrix());
    std::vector<std::string> moved;
    for (const Mutant& mutant : all)
        if (mutant.kind == "build" && (mutant.field == "requires" || mutant.field == "bundles") && mutant.name.starts_with("vllm")) moved.push_back(mutant.name.substr(mutant.name.find(':') + 2));
    CHECK(moved == std::vector<std::string>{"bundles.cuda 12.4.0 is 12.0.1", "requires.torch ==2.1.0 is ==2.0.0", "requires.cuda >=12,<13 is >=12,<12.4.0",
                                            "requires.python >=3.9 is >=3.12"});
}

TEST_CASE("what builds inherit changes in all of them", "[mutation]") {
    const auto all = all_mutants(matrix());
    const Mutant* python = mutant(all, "torch-2.0.0+cu118: python without 3.11");
    REQUIRE(python);
    CHECK(python->facts.size() == 2);
    CHECK_FALSE(mutant(all, "torch-2.0.0+cu121: python without 3.11"));
    CHECK(changed(*python->facts.back(), *python)->texts("python") == std::vector<std::string_view>{"3.10"});
}

TEST_CASE("a release goes with its builds", "[mutation]") {
    const auto all = all_mutants(matrix());
    const Mutant* gone = mutant(all, "torch-2.0.0: gone");
    REQUIRE(gone);
    CHECK(gone->facts.size() == 3);
    CHECK_FALSE(changed(*gone->facts.front(), *gone));
}

TEST_CASE("only code that other code of the list covers is argued away", "[mutation]") {
    const auto all = all_mutants(matrix());
    CHECK_FALSE(mutant(all, "torch-2.0.0+cu118: architectures without sm_86")->argued.empty());
    CHECK(mutant(all, "torch-2.0.0+cu118: architectures without sm_80")->argued.empty());
    CHECK(mutant(all, "torch-2.0.0+cu118: architectures without sm_90")->argued.empty());
}

TEST_CASE("words become the other words", "[mutation]") {
    const auto all = all_mutants(matrix());
    const Mutant* evidence = mutant(all, "floor: evidence expected is supported");
    REQUIRE(evidence);
    CHECK(changed(*evidence->facts.front(), *evidence)->text("evidence") == "supported");
    CHECK(mutant(all, "floor: evidence expected is reported"));
    CHECK(mutant(all, "floor: requires.nvidia >=525 is >=525") == nullptr);
}

TEST_CASE("values in braces are one request each", "[mutation]") {
    const auto all = variants("check --driver {450,525} cuda==12.4");
    REQUIRE(all.size() == 2);
    CHECK(all[1].value == "525");
    CHECK(all[1].text == "check --driver 525 cuda==12.4");
    CHECK(variants("check cuda==12.4").size() == 1);
    CHECK(merged(all, {{"broken", {}}, {"supported", {}}}) == "broken: 450; supported: 525");
    CHECK(merged(all, {{"broken", {}}, {"broken", {}}}) == "broken: 450, 525");
    const auto builds = variants("check {vllm==0.2.0+cu118,vllm==0.2.0+cu124}");
    CHECK(merged(builds, {{"broken by vllm-0.2.0+cu118", {}}, {"broken by vllm-0.2.0+cu124", {}}}) == "broken by it: vllm==0.2.0+cu118, vllm==0.2.0+cu124");
}

TEST_CASE("a request is read as the command line reads it", "[mutation]") {
    const Ask ask = read_ask(R"(check --gpu "RTX 4090" --env A=1 torch==2.0.0 cuda==12.4)");
    CHECK(ask.command == "check");
    CHECK(ask.request.gpus == std::vector<std::string>{"RTX 4090"});
    CHECK(ask.request.specs.size() == 2);
    CHECK_THROWS(read_ask("check --grafics x"));
    CHECK_THROWS(read_ask("check torch==2.0 torch==2.1"));
}

TEST_CASE("a star in the name of a survivor stands for anything", "[mutation]") {
    CHECK(matches("*: evidence * is reported", "floor: evidence expected is reported"));
    CHECK(matches("floor: gone", "floor: gone"));
    CHECK_FALSE(matches("floor: gone", "floor: gone again"));
    CHECK_FALSE(matches("*: gone", "floor: evidence expected is reported"));
}
