#include "unit/inputs/support.hpp"

namespace {

using namespace vmatrix::inputs;

TEST_CASE("conda: packages, the Python and the list for pip", "[inputs]") {
    const auto inputs = read("environment.yml",
                             "name: x\nchannels: [pytorch, nvidia]\ndependencies:\n  - python=3.11\n  - pytorch::pytorch=2.5.1=py3.11_cuda12.4_cudnn9.1.0_0\n"
                             "  - pytorch-cuda=12.4\n  - numpy 1.26.*\n  - scipy >= 1.10,<2\n  - pip\n  - pandas==2.2\n  - openssl=1.1.1w=h7f8727e_0\n"
                             "  - _libgcc_mutex=0.1=main\n  - pillow 10.0\n  - one=1.2|1.3.*\n  - pip:\n    - --extra-index-url https://example.org/whl/cu124\n    - xformers==0.0.29\n    - -r more.txt\n");
    CHECK(wishes(inputs) == Texts{"5:5 pytorch==2.5.1 (cu124)", "6:5 pytorch-cuda==12.4.*", "7:5 numpy==1.26.*", "8:5 scipy>= 1.10,<2", "9:5 pip", "10:5 pandas==2.2",
                                  "13:5 pillow==10.0", "14:5 one==1.2.* || ==1.3.*", "17:7 xformers==0.0.29 (cu124)"});
    CHECK(said(inputs.python) == "4:5 ==3.11.*");
    REQUIRE(inputs.notes.size() == 4);
    CHECK(notes(inputs)[0].starts_with("11:5 `openssl=1.1.1w=h7f8727e_0` is left out: "));
    CHECK(notes(inputs)[1] == "12:5 `_libgcc_mutex=0.1=main` is left out: `_libgcc_mutex` is no package that pip could have");
    CHECK(notes(inputs)[3] == "18:7 more.txt is not read: name it with --from too");
}

TEST_CASE("conda: the build of a package tells the CUDA", "[inputs]") {
    const auto of = [](const std::string& spec) { return wishes(read("e.yml", "dependencies:\n- " + spec + "\n"))[0]; };
    CHECK(of("pytorch=2.6.0=cuda126_mkl_py312h0000000_300") == "2:3 pytorch==2.6.0 (cu126)");
    CHECK(of("pytorch 2.4.1 py3.12_cuda11.8_cudnn9.1.0_0") == "2:3 pytorch==2.4.1 (cu118)");
    CHECK(of("pytorch=2.4.1=py3.12_cpu_0") == "2:3 pytorch==2.4.1 (cpu)");
    CHECK(of("pytorch=2.4.1=*cuda*") == "2:3 pytorch==2.4.1");
    CHECK(of("cudatoolkit = 11.8") == "2:3 cudatoolkit==11.8.*");
    CHECK(of("numpy=*") == "2:3 numpy");
}

TEST_CASE("cog: what a build asks for", "[inputs]") {
    const auto inputs = read("cog.yaml", "build:\n  gpu: true\n  cuda: \"12.4\"\n  cudnn: 9\n  python_version: \"3.11\"\n  python_requirements: requirements.txt\n"
                                         "  python_packages:\n    - torch==2.6.0\n    - \"transformers>=4.40\"\n  run:\n    - echo\npredict: predict.py:Predictor\n");
    CHECK(wishes(inputs) == Texts{"3:9 cuda==12.4", "4:10 cudnn==9", "8:7 torch==2.6.0", "9:7 transformers>=4.40"});
    CHECK(said(inputs.python) == "5:19 ==3.11");
    CHECK(notes(inputs) == Texts{"6:24 requirements.txt is not read: name it with --from too", "11:5 the commands of `run` are not read"});
    CHECK(notes(read("cog.yaml", "build:\n  gpu: false\n")) == Texts{"2:8 `gpu` is false: this asks for no card"});
}

TEST_CASE("YAML: mistakes have a place", "[inputs]") {
    CHECK(refused("e.yml", "a: 1\n") == "e.yml:1:1: expected a map with `dependencies`, as conda has it, or with `build`, as cog has it");
    CHECK(refused("e.yml", "") == "e.yml:1:1: expected a map with `dependencies`, as conda has it, or with `build`, as cog has it");
    CHECK(refused("e.yml", "dependencies: torch\n") == "e.yml:1:15: expected a list of dependencies");
    CHECK(refused("e.yml", "dependencies:\n  - [a]\n") == "e.yml:2:5: expected a package such as numpy=1.26, or a list for pip");
    CHECK(refused("e.yml", "dependencies:\n  - pip: torch\n") == "e.yml:2:10: expected a list of requirements of pip");
    CHECK(refused("e.yml", "dependencies:\n  - pip:\n    - torch=1\n") == "e.yml:3:7: expected `==`, found `=1`");
    CHECK(refused("e.yml", "dependencies: &a []\n").starts_with("e.yml:1:15: anchors are not used here"));
    CHECK(refused("cog.yaml", "build: [1]\n") == "cog.yaml:1:8: expected a map below `build`");
    CHECK(refused("cog.yaml", "build:\n  cuda: newest\n") == "cog.yaml:2:9: expected a version such as \"12.4\" for `cuda`");
    CHECK(wishes(read("e.yml", "dependencies:\n")).empty());
    CHECK(wishes(read("cog.yaml", "build:\n")).empty());
}

}  // namespace
