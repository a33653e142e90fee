/// A matrix that is small enough to know by heart, and requests against it. Its numbers are made up where that is clearer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compat/builds.hpp"
#include "compat/host.hpp"
#include "compat/rules/rules.hpp"
#include "matrix/read.hpp"
#include "support/catch.hpp"

namespace compat_test {

using namespace vmatrix::compat;
using vmatrix::model::Matrix;
using vmatrix::version::Scheme;
using vmatrix::version::Version;

inline constexpr const char* facts = R"(
sources:
  - {id: s, title: S, address: "https://example.org", trust: vendor}
vendors:
  - {id: nvidia, title: NVIDIA, pci: "10de", words: [geforce]}
  - {id: amd, title: AMD, pci: "1002", words: [radeon]}
components:
  - {id: torch, title: PyTorch, scheme: pep440, aliases: [pytorch]}
  - {id: torchvision, title: torchvision, scheme: pep440}
  - {id: cudnn, title: cuDNN, scheme: dotted}
  - {id: jetpack, title: JetPack, scheme: dotted}
  - {id: cuda, title: CUDA, scheme: dotted}
  - {id: rocm, title: ROCm, scheme: dotted}
  - {id: rocblas, title: rocBLAS, scheme: dotted}
  - {id: glibc, title: glibc, scheme: dotted}
  - {id: nvidia, title: NVIDIA driver, scheme: dotted}
  - {id: nvidia-windows, title: NVIDIA driver for Windows, scheme: dotted}
  - {id: amdgpu-dkms, title: amdgpu, scheme: dotted}
defaults:
  generations: {source: [s]}
  architectures: {source: [s]}
  gpus: {source: [s]}
  gpu-names: {source: [s]}
  driver-branches: {source: [s]}
  releases: {source: [s]}
  rules: {source: [s]}
  targets: {source: [s]}
  gpu-support: {source: [s]}
  overrides: {source: [s], platforms: [linux-x86_64]}
  driver-kernels: {source: [s]}
  forward-compatibility: {source: [s]}
  os-releases: {source: [s]}
  os-support: {source: [s]}
  digests: {source: [s]}
  python-releases: {source: [s]}
  platform-tags: {source: [s]}
  images: {source: [s]}
  wheel-indexes: {source: [s]}
generations:
  - {id: pascal, title: Pascal, vendor: nvidia, drivers: {nvidia: ">=367,<590"}, open-kernel-module: impossible}
  - {id: ampere, title: Ampere, vendor: nvidia, drivers: {nvidia: ">=450"}}
  - {id: blackwell, title: Blackwell, vendor: nvidia, drivers: {nvidia: ">=570", nvidia-windows: ">=571.96"}, open-kernel-module: required}
  - {id: rdna2, title: RDNA 2, vendor: amd}
  - {id: rdna3, title: RDNA 3, vendor: amd}
architectures:
  - {id: sm_61, vendor: nvidia, generation: pascal, compute-capability: "6.1"}
  - {id: sm_80, vendor: nvidia, generation: ampere, compute-capability: "8.0"}
  - {id: sm_86, vendor: nvidia, generation: ampere, compute-capability: "8.6"}
  - {id: sm_87, vendor: nvidia, generation: ampere, compute-capability: "8.7", embedded: true}
  - {id: sm_120, vendor: nvidia, generation: blackwell, compute-capability: "12.0"}
  - {id: gfx803, vendor: amd}
  - {id: gfx1030, vendor: amd, generation: rdna2}
  - {id: gfx1031, vendor: amd, generation: rdna2}
  - {id: gfx1100, vendor: amd, generation: rdna3}
  - {id: gfx1101, vendor: amd, generation: rdna3}
  - {id: gfx11-generic, vendor: amd, covers: [gfx1100, gfx1101]}
gpus:
  - {id: old, vendor: nvidia, name: Old 10, architecture: sm_61, class: consumer}
  - {id: big, vendor: nvidia, name: Big 80, architecture: sm_80, class: datacenter}
  - {id: game, vendor: nvidia, name: Game 86, architecture: sm_86, class: consumer}
  - {id: board, vendor: nvidia, name: Board 87, architecture: sm_87, class: embedded, machine: linux-aarch64}
  - {id: new, vendor: nvidia, name: New 120, architecture: sm_120, class: consumer}
  - {id: rx30, vendor: amd, name: RX 30, architecture: gfx1030, class: consumer}
  - {id: rx31, vendor: amd, name: RX 31, architecture: gfx1031, class: consumer}
  - {id: rx100, vendor: amd, name: RX 100, architecture: gfx1100, class: consumer}
  - {id: rx101, vendor: amd, name: RX 101, architecture: gfx1101, class: consumer}
gpu-names:
  - {name: any86, gpus: [game, big]}
driver-branches:
  - {component: nvidia, branch: "525", cuda: "12.0", latest: "525.147.05"}
  - {component: nvidia, branch: "550", cuda: "12.4", latest: "550.163.01"}
  - {component: nvidia, branch: "580", cuda: "13.0", latest: "580.95.05", support: long-term}
releases:
  - {component: cuda, version: "12.4.1", bundles: {nvidia: "550.54.15", nvidia-windows: "551.78"}}
  - {component: cuda, version: "13.0.0", bundles: {nvidia: "580.65.06", nvidia-windows: "580.88"}}
  - {component: rocm, version: "6.4.0"}
  - {component: rocm, version: "6.3.0"}
  - {component: rocm, version: "6.2.0"}
  - {component: jetpack, version: "6.0", bundles: {cuda: "12.4.1"}, boards: [Board]}
  - component: torch
    version: "2.9.0"
    companions: {torchvision: "0.24.0"}
    python: ["3.10", "3.12"]
    experimental-python: ["3.14"]
    platforms: [linux-x86_64]
    platform-tag: manylinux_2_28
    default-build: cu130
    builds:
      - {build: cu130, accelerator: cuda, index: [pypi], bundles: {cuda: "13.0.0", cudnn: "9.13.0"}, architectures: [sm_80, sm_86, sm_120], ptx: []}
      - build: cu124
        accelerator: cuda
        index: [pypi]
        bundles: {cuda: "12.4.1"}
        platforms: [linux-x86_64, linux-aarch64]
        architectures: [sm_61, sm_80]
        architectures-on: {linux-aarch64: [sm_80]}
        derived: [architectures-on]
        ptx: [sm_80]
      - {build: rocm6.4, accelerator: rocm, index: [pypi], bundles: {rocm: "6.4.0"}, architectures: [gfx803, gfx1030, gfx11-generic], unknown: [platform-tag]}
      - {build: cpu, accelerator: cpu, index: [pypi]}
  - component: torch
    version: "2.8.0"
    python: ["3.10"]
    platforms: [linux-x86_64]
    default-build: cu124
    builds:
      - {build: cu124, accelerator: cuda, index: [pypi], bundles: {cuda: "12.4.1"}, architectures: [sm_61, sm_80, sm_86]}
      - {build: cu130, accelerator: cuda, index: [pypi], bundles: {cuda: "13.0.0"}}
  - component: torch
    version: "2.10.0"
    python: ["3.12"]
    platforms: [linux-x86_64]
    builds:
      - {build: cu130, accelerator: cuda, stream: preview, index: [pypi], bundles: {cuda: "13.0.0"}, architectures: [sm_80, sm_86, sm_120]}
rules:
  - {id: floor-13, when: {cuda: ">=13,<14"}, requires: {nvidia: ">=580"}, evidence: expected}
  - {id: floor-12, when: {cuda: ">=12,<13"}, requires: {nvidia: ">=525.60.13"}, evidence: expected}
  - {id: floor-12-windows, when: {cuda: ">=12,<13"}, requires: {nvidia-windows: ">=528.33"}, evidence: expected}
  - {id: cudnn-9-cuda, when: {cudnn: ">=9,<10"}, requires: {cuda: ">=12,<14"}, evidence: supported}
  - {id: amdgpu-6.4, when: {rocm: ">=6.4,<7"}, requires: {amdgpu-dkms: "==6.3.* || ==6.4.*"}, evidence: supported}
targets:
  - {id: cuda-12-targets, of: {cuda: ">=12,<13"}, compute-capability: ">=5,<10", complete: true}
  - {id: cuda-13-targets, of: {cuda: ">=13,<14"}, architectures: [sm_80, sm_86, sm_87, sm_120], complete: true}
  - {id: cudnn-9-cuda-12, of: {cudnn: ">=9,<10", cuda: "<13"}, compute-capability: ">=5,<10", complete: true}
  - {id: cudnn-9-cuda-13, of: {cudnn: ">=9,<10", cuda: ">=13"}, compute-capability: ">=7.5,<13", complete: true}
  - {id: rocblas-6.4, of: {rocm: "==6.4.*", rocblas: "*"}, architectures: [gfx1030, gfx1100, gfx1101], complete: true}
  - {id: rocblas-6.2, of: {rocm: "==6.2.*", rocblas: "*"}, architectures: [gfx1030], complete: true}
  - {id: rocblas-7, of: {rocm: "==7.0.*", rocblas: "*"}, architectures: [gfx1100], complete: false}
gpu-support:
  - {id: listed, of: {rocm: "==6.4.*"}, architecture: gfx1100, gpus: ["RX 100"], status: supported, guide: Radeon}
  - {id: dropped, of: {rocm: "<6"}, architecture: gfx803, status: supported, guide: Radeon}
  - {id: later, of: {rocm: ">=7"}, architecture: gfx1101, status: supported, guide: Radeon}
os-support:
  - {id: system, of: {rocm: "==6.4.*"}, os: ["ubuntu:24.04"], kernels: ["6.8"], status: supported}
overrides:
  - {id: as-1030, architectures: [gfx1031], environment: {HSA_OVERRIDE_GFX_VERSION: "10.3.0"}, runs: gfx1030, status: reported}
  - {id: as-803, architectures: [gfx803], environment: {HSA_OVERRIDE_GFX_VERSION: "8.0.3"}, runs: gfx803, status: no-effect}
driver-kernels:
  - {component: amdgpu-dkms, driver: "6.4.1", works-to: "6.11", fails-from: "6.14", basis: reports}
forward-compatibility:
  - {id: compat-13.0, cuda: "13.0", branches: [nvidia-550], image-check: {"550": [any]}}
os-releases:
  - {os: ubuntu, version: "24.04", python: "3.12", bundles: {glibc: "2.39"}}
  - {os: centos, version: "7", bundles: {glibc: "2.17"}}
  - {os: alpine, version: "3.22", libc: musl}
python-releases:
  - {version: "3.10"}
  - {version: "3.12"}
  - {version: "3.14"}
platform-tags:
  - {id: manylinux_2_28, libc: glibc, least-libc: "2.28"}
images:
  - {id: image-cuda, repository: nvidia/cuda, tags: ["13.0.0-base"], bundles: {cuda: "13.0.0"}}
  - {id: image-plain, repository: plain, tags: ["1"]}
  - {id: image-torch-130, repository: some/torch, tags: ["2.9-cu130-devel", "2.9-cu130"], bundles: {cuda: "13.0", torch: "2.9.0"}}
  - {id: image-torch-124, repository: some/torch, tags: ["2.9-cu124"], bundles: {cuda: "12.4", torch: "2.9.0"}, os: "centos:7", python: "3.10"}
  - {id: image-torch-own, repository: maker/torch, tags: ["1"], bundles: {cuda: "12.4", torch: "2.9.0a0+abc"}}
  - {id: image-arm, repository: some/arm, tags: ["1"], bundles: {cuda: "12.4.1"}, platforms: [linux-aarch64]}
  - {id: image-rocm, repository: some/rocm, tags: ["6.4"], bundles: {rocm: "6.4.0", torch: "2.9.0"}}
digests:
  - {repository: some/torch, tag: "2.9-cu124", digest: "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", points-to: index, trust: high}
)";

/// The facts and further ones; a mistake in them fails the test.
inline Matrix matrix_with(const std::string& more) {
    vmatrix::base::Findings findings;
    std::vector<vmatrix::matrix::SourceText> files{{"facts.yaml", facts}};
    if (!more.empty()) files.push_back({"more.yaml", more});
    Matrix matrix = vmatrix::matrix::read(files, findings);
    std::string mistakes;
    for (const auto& finding : findings.sorted()) mistakes += to_string(finding.at) + ": " + finding.message + "\n";
    REQUIRE(mistakes == "");
    return matrix;
}

/// The facts, read once.
inline const Matrix& matrix() {
    static const Matrix read = matrix_with("");
    return read;
}

inline Request request(std::vector<std::string> gpus, std::vector<std::string> specs = {}) {
    Request request;
    request.gpus = std::move(gpus);
    for (const std::string& spec : specs) request.specs.push_back(*parse_spec(spec));
    return request;
}

inline Host host(const Request& request) {
    const auto hosts = read_hosts(matrix(), request);
    REQUIRE(hosts.has_value());
    REQUIRE(hosts->size() == 1);
    return hosts->front();
}
inline Host host(const std::string& gpu) { return host(request({gpu})); }

/// The build "2.9.0+cu124".
inline Build build(const std::string& version) {
    const auto builds = find_builds(matrix(), *parse_spec("torch==" + version), Host{}, false);
    REQUIRE(builds.has_value());
    REQUIRE(builds->size() == 1);
    return builds->front();
}

inline Version number(const char* text) { return *Version::parse(Scheme::dotted, text); }

inline bool cites(const Judgement& judgement, std::string_view fact) {
    for (const std::string& id : judgement.reason.facts)
        if (id == fact) return true;
    return false;
}

}  // namespace compat_test
