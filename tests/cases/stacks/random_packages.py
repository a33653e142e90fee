#!/usr/bin/env python3
"""Asks `vmatrix resolve` and `vmatrix explain` at random for several packages at once and judges the answers by rules of its own.

    random_packages.py PROGRAM [--count N] [--seed S] [--jobs N] [--only INDEX,...]

What random_requests.py does for torch alone, this does for packages that need one another: `requires` of the releases and builds, known
issues, `explain`, and the options --policy, --min-evidence, --prefer and --exclude. The rules for torch on a card, a driver and a system
come from random_requests.py; those for packages are written here, from the YAML facts and the design, without a look into the program.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys

try:
    import yaml
    from packaging.specifiers import SpecifierSet
    from packaging.version import InvalidVersion, Version
except ImportError:
    print("skipped: needs python3-packaging and python3-yaml")
    sys.exit(77)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import random_requests as rr
from random_requests import BROKEN, EXPECTED, LEVELS, SUPPORTED, UNKNOWN, WORKAROUND, number

rr.KINDS = rr.KINDS + ("issues", "components")
WSL_KERNEL = "5.15.167.4-microsoft-standard-WSL2"
PACKAGES = ["torch", "torch", "vllm", "vllm", "vllm", "sglang", "flash-attn", "flash-attn", "flash-attn", "xformers", "xformers", "bitsandbytes", "bitsandbytes",
            "deepspeed", "deepspeed", "jax", "jax", "tensorflow", "tensorflow", "onnxruntime-gpu", "onnxruntime-gpu", "triton", "transformer-engine", "tensorrt-llm",
            "ollama", "comfyui", "llama-cpp"]
KNOWN_CARDS = ["GeForce RTX 4090", "GeForce RTX 3090", "GeForce RTX 5090", "GeForce RTX 2080 Ti", "GeForce GTX 1080 Ti", "GeForce RTX 3060", "H100 PCIe", "B200", "L4",
               "Tesla T4", "GB10", "Tesla P100-PCIE-16GB", "sm_70", "sm_80", "sm_90", "sm_100", "sm_61", "sm_120", "sm_121", "sm_86", "sm_75", "sm_103",
               "Radeon RX 7900 XTX", "Radeon RX 6800 XT", "Radeon RX 9070 XT", "Instinct MI300X", "Instinct MI210", "gfx90a", "gfx1151", "gfx1100", "gfx1030", "gfx950", "gfx906"]


# --- places of facts -----------------------------------------------------------------------------

class Places:
    """Id of each fact to the files and lines where it begins, read from the YAML itself."""

    def __init__(self, folder):
        self.folder, self.lines = pathlib.Path(folder), {}
        for file in sorted(self.folder.rglob("*.yaml")):
            with open(file, encoding="utf-8") as stream:
                root = yaml.compose(stream, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
            sections = {key.value: value for key, value in root.value}
            defaults = self.fields(sections.pop("defaults", None))
            for section, facts in sections.items():
                of = {k: v.value for k, v in self.fields(defaults.get(section)).items() if isinstance(v.value, str)}
                for fact in facts.value:
                    self.fact(section, fact, of, file)

    @staticmethod
    def fields(node):
        return {key.value: value for key, value in node.value} if node is not None else {}

    def fact(self, section, node, of, file):
        fields = self.fields(node)
        text = lambda name: fields[name].value if name in fields else of.get(name)
        name = {"releases": lambda: f"{text('component')}-{text('version')}", "driver-branches": lambda: f"{text('component')}-{text('branch')}",
                "os-releases": lambda: f"{text('os')}-{text('version')}", "python-releases": lambda: f"python-{text('version')}", "gpu-names": lambda: text("name"),
                "driver-kernels": lambda: f"{text('component')}-{text('driver')}-kernels",
                "digests": lambda: f"{text('repository')}:{text('tag')}@{text('digest')}"}.get(section, lambda: text("id"))()
        self.note(name, file, node)
        for build in fields["builds"].value if "builds" in fields and section == "releases" else []:
            label = self.fields(build)["build"].value
            self.note(f"{name}+{label}", file, build)
            if label == "any":
                self.note(name, file, build)

    def note(self, name, file, node):
        self.lines.setdefault(name, set()).add(f"{file.relative_to(self.folder)}:{node.start_mark.line + 1}")

    def relative(self, at):
        return at.split(f"/{self.folder.name}/", 1)[-1]


# --- versions ------------------------------------------------------------------------------------

def inside(scheme, expression, version):
    """Whether a version set holds a version, by the scheme of its component."""
    if expression.strip() == "*":
        return True
    if scheme == "pep440":
        try:
            return any(SpecifierSet(way).contains(Version(version), prereleases=True) for way in expression.split("||"))
        except InvalidVersion:
            return False
    return rr.holds(expression, version)


def public(version):
    return version.split("+")[0]


def order(version):
    try:
        return Version(public(version))
    except InvalidVersion:
        return Version("0")


def agree(a, b):
    return rr.agree(public(a), public(b))


def agree_minor(a, b):
    """Whether two versions are equal in the first two numbers, as far as both are given."""
    a, b = number(a)[:2], number(b)[:2]
    size = min(len(a), len(b))
    return a[:size] == b[:size]


def parse(spec):
    found = re.fullmatch(r"\s*([a-z0-9-]+)\s*(.*)", spec)
    return (found[1], found[2].strip()) if found else (spec, "")


# --- rules ---------------------------------------------------------------------------------------

class PackageRules(rr.Rules):
    def __init__(self, facts):
        super().__init__(facts)
        self.packages, self.schemes = {}, {c["id"]: c["scheme"] for c in facts["components"].values()}
        for build in facts["builds"].values():
            release = facts["releases"][build["id"].split("+")[0]]
            label = build["id"][len(release["id"]):]
            self.packages[(release["component"], release["version"] + ("" if label == "+any" else label))] = build
        self.package_names = {name for name, _ in self.packages}

    def release_of(self, build):
        return self.facts["releases"][build["id"].split("+")[0]]

    def requires(self, build):
        return build["requires"] if "requires" in build else self.release_of(build).get("requires", {})

    def holds_for(self, component, expression, version):
        return inside(self.schemes.get(component, "dotted"), expression, version)

    @staticmethod
    def vague(expression, version):
        """A version such as "8.9" that a bound with more numbers neither holds nor excludes."""
        return any(len(number(bound)) > len(number(version)) and rr.agree(bound, version) for bound in re.findall(r"[0-9][0-9.]*", expression))

    def root(self, build, parts):
        """The build whose runtime a package runs on: its own, or that of the package that it needs; None if that is no build of the matrix."""
        needed = [name for name in self.requires(build) if name in self.package_names and self.release_of(build)["component"] != name]
        if not needed:
            return build
        name = "torch" if "torch" in needed else needed[0]
        other = self.packages.get((name, parts.get(name)))
        return self.root(other, parts) if other else None

    def roots(self, parts):
        """The builds of a stack that need no other package."""
        builds = [self.packages.get(item) for item in parts.items()]
        return [build for build in builds if build and build["accelerator"] in ("cuda", "rocm") and self.root(build, parts) is build and not build.get("compiled")]

    def runtimes(self, component, parts, names=()):
        """The versions of a runtime or of a library in it: of the packages that are named, else of all roots."""
        builds = [self.packages[item] for item in parts.items() if item in self.packages and item[0] in names]
        roots = [self.root(build, parts) for build in builds] or self.roots(parts)
        return {root["bundles"][component] for root in roots if root and component in root.get("bundles", {})}

    def wanted(self, component, build, parts, host):
        """The version in a stack that a requirement of a build is about, or None where nothing tells."""
        if component in ("cuda", "rocm"):
            return (self.root(build, parts) or {}).get("bundles", {}).get(component)
        if component in ("nvidia", "nvidia-windows", "amdgpu-dkms", "adrenalin"):
            return parts.get("driver") if component == host.component else None
        if component in ("glibc", "libstdcxx"):
            system = self.facts["os-releases"].get(host.user_space.replace(":", "-"), {}) if host.user_space else {}
            return system.get("bundles", {}).get(component)
        if component == "kernel":
            return host.kernel
        return parts.get(component)

    def of_package(self, name, build, parts, host):
        """Each question about one package of a stack, with the best level that the facts allow."""
        levels, needed = {}, self.requires(build)
        for component, expression in needed.items():
            version = self.wanted(component, build, parts, host)
            if version is None:
                if component in self.package_names:
                    levels[f"{name} needs {component} {expression}, the stack has none"] = BROKEN
                continue
            if not self.holds_for(component, expression, version) and not self.vague(expression, version):
                levels[f"{name} needs {component} {expression}, the stack has {version}"] = BROKEN
        bound = build["accelerator"] in ("cuda", "rocm")
        wheels = bool(build.get("compiled")) and self.wheels(name, build, host)
        if wheels:
            pass   # what has wheels there can be compiled there
        elif "platforms" in build:
            levels[f"{name}: platform"] = self.platform(build, host)
        elif bound:
            levels[f"{name}: platforms unknown"] = UNKNOWN
        listed = self.on(build, "python", host.platform)[0]
        if parts.get("python") and listed:
            levels[f"{name}: Python {parts['python']}"] = self.python(build, host, parts["python"])
        elif "python" not in needed and build.get("index") and not listed and self.facts["components"].get(name, {}).get("installed-by") != "itself":
            levels[f"{name}: Pythons unknown"] = UNKNOWN
        if build.get("index"):
            levels[f"{name}: C library"] = self.libc(build, host)
        for arch in host.archs:
            levels[f"{name}: code for {arch}"] = self.package_code(build, host, arch)
            levels[f"{name}: targets for {arch}"] = self.package_targets(name, build, parts, arch)
        root = self.root(build, parts)
        if root is build and bound and parts.get("driver") and self.runtime(build):
            levels[f"{name}: driver"] = self.driver(build["accelerator"], self.runtime(build), host, False)
        levels.update(self.built_with(name, build, root))
        if build.get("compiled"):
            levels[f"{name}: compiled on the host"] = WORKAROUND
        levels.update(self.carried(name, build, parts, host))
        return levels

    def built_with(self, name, build, root):
        """A compiled package on the runtime of the package that it needs: another minor CUDA is expected at best, another major broken."""
        if root is None or root is build or build["accelerator"] != "cuda" or build.get("compiled"):
            return {}
        made = build.get("bundles", {}).get("cuda") or build.get("built-with", {}).get("cuda")
        runs = root.get("bundles", {}).get("cuda")
        if not made or not runs or agree_minor(made, runs):
            return {}
        return {f"{name} was compiled on CUDA {made}, what it needs is on {runs}": EXPECTED if number(made)[0] == number(runs)[0] else BROKEN}

    def wheels(self, name, build, host):
        """Whether other builds of the same release serve the platform."""
        release = build["id"].rsplit("+", 1)[0]
        return any(b["id"].rsplit("+", 1)[0] == release and b is not build and host.platform in b.get("platforms", []) for b in self.facts["builds"].values())

    def carried(self, name, build, parts, host):
        """Another package in a version that this one does not carry or pin."""
        levels = {}
        for other, version in self.brings(build).items() if host.platform.startswith("linux") else []:
            if other in self.package_names and other in parts and not agree(parts[other], version):
                levels[f"{name} brings {other} {version}, the stack has {parts[other]}"] = BROKEN
        return levels

    def brings(self, build):
        """Components that a build brings or pins, and their versions."""
        return {**build.get("bundles", {}), **build.get("companions", {})} if build else {}

    def package_code(self, build, host, arch):
        vendor = self.facts["architectures"][arch]["vendor"]
        if build["accelerator"] == "any":
            return SUPPORTED
        if build["accelerator"] != {"nvidia": "cuda", "amd": "rocm"}[vendor]:
            return BROKEN
        codes, field = self.on(build, "architectures", host.platform)
        if codes is None:
            return EXPECTED   # a list of targets may tell; without one it is unknown, see package_targets
        level = EXPECTED if field in build.get("derived", []) else SUPPORTED
        if any(self.runs(code, arch) for code in codes):
            return level
        if vendor == "amd":
            return WORKAROUND if host.override or any(arch in o["architectures"] for o in self.facts["overrides"].values()) else BROKEN
        ptx = self.on(build, "ptx", host.platform)[0]
        return EXPECTED if any(self.compiles(p, arch) for p in ptx or []) else BROKEN if ptx is not None or codes else UNKNOWN

    def package_targets(self, name, build, parts, arch):
        """Lines of `targets` about the package itself; a build without a list rests on them."""
        version = self.release_of(build)["version"]
        lines = [t for t in self.facts["targets"].values() if name in t["of"] and self.holds_for(name, t["of"][name], version)
                 and all(k == name or k not in parts or self.holds_for(k, v, parts[k]) for k, v in t["of"].items())]
        nvidia = self.facts["architectures"][arch]["vendor"] == "nvidia"
        if nvidia and any(t.get("complete") and not self.inside(t, arch) for t in lines):
            return BROKEN
        if build["accelerator"] == "any":
            speaks = [t for t in lines if self.inside(t, arch) or t.get("complete")]
            return UNKNOWN if any(name in t["of"] for t in self.facts["targets"].values()) and not speaks else SUPPORTED
        if build["accelerator"] != "any" and "architectures" not in build and "architectures-on" not in build and not any(self.inside(t, arch) for t in lines):
            return UNKNOWN
        return SUPPORTED

    # Known issues: True, False, or None where the request does not tell.

    def issue(self, issue, request, host, parts, environment):
        """(whether all conditions hold, the first that does not or is not told)"""
        open_condition = None
        for name, value in self.conditions(issue, request, host, parts, environment):
            if value is False:
                return False, name
            if value is None:
                open_condition = open_condition or name
        return (None, open_condition) if open_condition else (True, None)

    def conditions(self, issue, request, host, parts, environment):
        names = [component for component in issue.get("when", {}) if component in self.package_names]
        for component, expression in issue.get("when", {}).items():
            if component in ("cudnn", "nccl") and not host.platform.startswith("linux"):
                yield f"when {component} {expression}", None   # what other wheels carry was not read
                continue
            found = self.runtimes(component, parts, names) if component in ("cuda", "rocm", "cudnn", "nccl") else ()
            if found:   # each package has its own; those of an issue that names packages count
                holds = {self.holds_for(component, expression, version) for version in found}
                yield f"when {component} {expression}", None if len(holds) > 1 else holds.pop()
                continue
            yield f"when {component} {expression}", self.present(component, expression, request, host, parts)
        for component, expression in issue.get("fixed-in", {}).items():
            found = self.runtimes(component, parts, names)   # fixed where all of them are
            fixed = all(self.holds_for(component, expression, v) for v in found) if found else self.present(component, expression, request, host, parts)
            if fixed and component in issue.get("when", {}):
                yield f"fixed in {component} {expression}", False
        cards = [self.models(gpu) for gpu in request["gpu"]]
        for field, told in (("vendors", "vendor"), ("gpus", "id"), ("classes", "class"), ("architectures", "architecture")):
            if field in issue:
                yield field, self.some_card(cards, lambda model: self.value_in(model.get(told), issue[field], field))
        if "cards" in issue:
            yield "cards", rr.holds(issue["cards"], str(len(cards))) if cards else None
        if "os" in issue:
            yield "os", host.is_one_of(issue["os"]) if host.os_name else None
        if "platforms" in issue:
            yield "platforms", host.platform in issue["platforms"] or (None if not host.os_name and host.platform.startswith("linux") and not host.embedded else False)
        if "wsl" in issue:
            wsl = host.windows_driver and host.platform.startswith("linux")
            yield "wsl", (wsl == issue["wsl"]) if host.os_name or wsl or host.kernel else (None if not issue["wsl"] else False)
        if "images" in issue:
            yield "images", False if not host.image else None
        for wanted in issue.get("environment", []):
            yield "environment", self.set_in(wanted, request["env"]) or self.set_in(wanted, environment)
        for unwanted in issue.get("not-environment", []):
            yield "not-environment", not (self.set_in(unwanted, request["env"]) or self.set_in(unwanted, environment))

    @staticmethod
    def set_in(text, environment):
        name, equals, value = text.partition("=")
        return name in environment and (not equals or environment[name] == value)

    def value_in(self, value, wanted, field):
        if value is None:
            return None
        twins = {self.facts["architectures"].get(w, {}).get("same-as") for w in wanted} if field == "architectures" else set()
        return value in wanted or value in twins or (field == "architectures" and self.facts["architectures"].get(value, {}).get("same-as") in wanted)

    def some_card(self, cards, holds):
        """True if a card is sure to, None if one may, False if none can."""
        if not cards:
            return None
        best = False
        for models in cards:
            values = [holds(m) for m in models]
            if values and all(values):
                return True
            if any(v or v is None for v in values):
                best = None
        return best

    def models(self, gpu):
        """All models that a name may mean; of an architecture all its models."""
        models = [g for g in self.facts["gpus"].values() if g["name"].lower() == gpu.lower()]
        if models:
            return models
        arch = self.facts["architectures"][gpu]
        real = arch["covers"][0] if len(arch.get("covers", [])) == 1 else gpu
        return [g for g in self.facts["gpus"].values() if g["architecture"] in (real, arch.get("same-as"))] or [{"vendor": arch["vendor"], "architecture": real}]

    def present(self, component, expression, request, host, parts):
        """Whether a component is there in such a version."""
        if component in ("nvidia", "nvidia-windows", "amdgpu-dkms", "adrenalin"):
            if component != host.component or host.embedded:   # there the driver is that of JetPack
                return False
            version = parts.get("driver") or request.get("driver")
            return self.holds_for(component, expression, version) if version else None
        if component == "kernel":
            return self.holds_for(component, expression, host.kernel) if host.kernel else None
        if component in ("glibc", "libstdcxx", "gcc"):
            version = self.facts["os-releases"].get(host.user_space.replace(":", "-"), {}).get("bundles", {}).get(component) if host.user_space else None
            return self.holds_for(component, expression, version) if version else None
        if component in parts:
            return self.holds_for(component, expression, parts[component])
        if component in ("nvcc", "numpy", "jaxlib", "cublas", "jetpack", "l4t", "cudnn", "nccl", "triton", "cuda", "rocm"):
            return None   # may be there
        return False


# --- requests ------------------------------------------------------------------------------------

class PackageRequests(rr.Requests):
    def __init__(self, facts, seed):
        super().__init__(facts, seed)
        self.versions = {}
        for release in facts["releases"].values():
            self.versions.setdefault(release["component"], []).append(release["version"])
        self.known = [c for c in KNOWN_CARDS if c in facts["architectures"] or any(g["name"] == c for g in facts["gpus"].values())]

    def one(self):
        pick = self.random.choice
        vendor = pick(["nvidia", "nvidia", "nvidia", "amd"])
        known = [c for c in self.known if c.startswith(("gfx", "Radeon", "Instinct")) == (vendor == "amd")]
        request = {"run": "resolve", "gpu": [pick(known) if self.some(0.8) else self.card(vendor) for _ in range(pick([1] * 9 + [2]))], "env": {}}
        if self.some(0.5):
            request["os"] = pick(["ubuntu:24.04", "ubuntu:22.04", "ubuntu:20.04", "debian:12", "rhel:9.4", "rocky:8.10", "windows:11", "wsl2:ubuntu:24.04", "wsl2:ubuntu:22.04", "ubuntu:26.04",
                                  "fedora:42", "amzn:2", "centos:7"])
        windows = request.get("os", "").startswith(("windows", "wsl2"))
        if self.some(0.5) and not (vendor == "amd" and windows):
            drivers = self.drivers["windows" if vendor == "nvidia" and windows else vendor]
            request["driver"] = pick([d for d in drivers if (525,) <= number(d) < (900,)] or drivers)
        if self.some(0.4):
            request["python"] = pick(["3.9", "3.10", "3.11", "3.12", "3.12", "3.13", "3.14", "3.8"])
        if vendor == "amd" and self.some(0.15):
            request["env"]["HSA_OVERRIDE_GFX_VERSION"] = pick(["10.3.0", "11.0.0", "11.0.1"])
        if not windows and self.some(0.1):
            request["kernel"] = pick(["5.15.0-91-generic", "6.8.0-41-generic", "6.14.0-27-generic", "6.17.0-5-generic"])
        names = [pick(PACKAGES) for _ in range(pick([1, 1, 1, 2, 2, 2, 3]))]
        request["specs"] = [self.spec(name) for name in dict.fromkeys(names)]
        if self.some(0.1):
            request["cuda" if vendor == "nvidia" else "rocm"] = pick(["12.8", "12.6", ">=13", "<13", "11.8", "12.4"]) if vendor == "nvidia" else pick(["7.2", "6.4", ">=7", "<7"])
        if self.some(0.3):
            request["policy"] = pick(["newest", "oldest-supported", "best-evidence", "smallest-change"])
        if self.some(0.12):
            request["min-evidence"] = pick(["supported", "expected", "workaround"])
        request["exclude"] = [self.barred(vendor) for _ in range(1)] if self.some(0.2) else []
        request["prefer"] = [self.preferred()] if self.some(0.15) or request.get("policy") == "smallest-change" else []
        return request

    def spec(self, name):
        versions = self.versions.get(name, [])
        if not versions or self.some(0.6):
            return name
        version = public(self.random.choice(versions[:max(4, len(versions) // 2)] if self.some(0.7) else versions))   # newest first
        minor = ".".join(version.split(".")[:2])
        return name + self.random.choice([f"=={version}", f">={version}", f"<={version}", f"<{version}", f"=={minor}.*", f"!={version}"])

    def barred(self, vendor):
        pick = self.random.choice
        return pick(["cuda>=13", "cuda<12.8", "torch==2.9.*", "torch>=2.10", "torch", "vllm>=0.20", "triton", "python>=3.13", "flash-attn", "driver>=590"] if vendor == "nvidia"
                    else ["rocm>=7", "rocm>=10", "rocm==7.2.*", "torch>=2.10", "python>=3.13"])

    def preferred(self):
        return self.random.choice(["torch=2.8", "torch=2.10", "python=3.11", "python=3.12", "driver=570", "cuda=12.8", "vllm=0.11"])


def arguments(request, run=None, shape=()):
    run = run or request["run"]
    args = [run]
    for gpu in request["gpu"]:
        args += ["--gpu", gpu]
    for key in ("driver", "os", "kernel", "python", "image", "cuda", "rocm") + (("policy", "min-evidence") if run != "check" else ()):
        if request.get(key) is not None:
            args += ["--" + key, request[key]]
    for name, value in request["env"].items():
        args += ["--env", f"{name}={value}"]
    for key in ("exclude", "prefer") if run != "check" else ():
        for spec in request.get(key, []):
            args += ["--" + key, spec]
    for spec in request["specs"]:
        args += ["--with", spec] if run == "resolve" else [spec]
    return [*args, *shape, "--format", "json"]


def host_of(facts, request):
    os_text = request.get("os") or ""
    wsl = os_text.startswith("wsl2:")
    kernel = request.get("kernel") or (WSL_KERNEL if wsl else None)
    host = rr.Host(facts, {**request, "os": os_text[5:] if wsl else os_text or None, "kernel": kernel, "image": None})
    if wsl and not request.get("kernel"):
        host.kernel = None
    for arch in request["gpu"]:   # all cards of an architecture may be built into Arm machines
        models = [g for g in facts["gpus"].values() if g["architecture"] == arch]
        if models and all(g.get("machine") == "linux-aarch64" for g in models) and host.platform == "linux-x86_64":
            host.platform = "linux-aarch64"
    return host


# --- judging -------------------------------------------------------------------------------------

class PackageJudge:
    def __init__(self, program, facts, rules, places):
        self.program, self.facts, self.rules, self.places, self.counts = program, facts, rules, places, {}

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def ask(self, request, run=None, shape=()):
        code, out, said = rr.call(self.program, arguments(request, run, shape))
        try:
            return code, json.loads(out) if code in (0, 1) else None, said
        except ValueError:
            return code, None, "standard output is not JSON"

    def judge(self, index, request):
        code, answer, said = self.ask(request)
        if code == 2 and said:
            self.count("usage errors")
            return self.judge_refusal(request, said)
        if answer is None:
            return [f"exit code {code}: {said[:200]}"]
        if "each" in answer:
            self.count("several architectures")
            return []
        self.count(answer["status"])
        host, problems = host_of(self.facts, request), []
        if (answer["status"] == "found") != bool(answer["stacks"]) or code != (0 if answer["stacks"] else 1):
            problems.append(f"status {answer['status']}, {len(answer['stacks'])} stacks, exit code {code}")
        problems += self.judge_facts(answer)
        for stack in answer["stacks"]:
            problems += self.judge_stack(request, host, stack)
        if answer["stacks"]:
            problems += self.judge_check(request, answer["stacks"][0])
            problems += self.judge_order(index, request, answer["stacks"][0])
        else:
            problems += self.judge_none(request, answer)
        problems += self.judge_explain(request, answer)
        return problems

    @staticmethod
    def judge_refusal(request, said):
        words = {parse(spec)[0] for spec in request["specs"]}
        if any(rr.empty(parse(spec)[1]) for spec in request["specs"]) or any(parse(spec)[0] in words for spec in request["exclude"]):
            return []
        return [f"refused a good request: {said.splitlines()[0]}"]

    # facts that an answer names

    def reasons(self, answer):
        for lines in (answer["conflict"]["reasons"], answer["limits"], *(stack["reasons"] for stack in answer["stacks"])):
            yield from lines
        for line in answer["conflict"]["story"] + answer.get("why_nothing_better", []):
            if line["reason"]:
                yield line["reason"]

    def judge_facts(self, answer):
        problems = []
        for reason in self.reasons(answer):
            unknown = [fact for fact in reason["facts"] if fact not in self.places.lines]
            if unknown:
                problems.append(f"no fact named {unknown[0]}: {reason['text']}")
                continue
            told = [self.places.relative(at) for at in reason["at"]]
            places = [self.places.lines[fact] for fact in reason["facts"]]
            if len(told) == len(places):
                problems += [f"{fact} is at {sorted(true)}, the answer says {at}" for fact, true, at in zip(reason["facts"], places, told) if at not in true]
            else:
                problems += [f"no fact begins at {at}: {reason['text'][:80]}" for at in told if not any(at in true for true in places)]
            if len(problems) > 3:
                break
        return problems

    # a stack

    def judge_stack(self, request, host, stack):
        parts, problems = stack["components"], []
        given = host_of(self.facts, {**request, "driver": request.get("driver") or parts.get("driver")})
        for spec in request["specs"]:
            name, expression = parse(spec)
            if name not in parts:
                problems.append(f"{name} is not in the stack")
            elif expression and not self.rules.holds_for(name, expression, parts[name]):
                problems.append(f"{name} {parts[name]} is not {spec}")
        for key in ("python", "driver"):
            if request.get(key) and parts.get(key) and not rr.agree(parts[key], request[key]):
                problems.append(f"{key} {parts[key]} instead of {request[key]}")
        for runtime in ("cuda", "rocm"):
            wish = request.get(runtime)
            for version in self.rules.runtimes(runtime, parts, self.wished_of(request, parts)) if wish else ():
                if not (rr.holds(wish, version) if wish[0] in "<>=" else rr.agree(wish, version)):
                    problems.append(f"{runtime} {version} instead of {wish}")
        for spec in request["exclude"]:
            name, expression = parse(spec)
            if name in parts and (not expression or self.rules.holds_for(name, expression, parts[name])):
                problems.append(f"{name} {parts[name]} in the stack, though {spec} is excluded")
        if request.get("min-evidence") and LEVELS.index(stack["evidence"]) < LEVELS.index(request["min-evidence"]):
            problems.append(f"{stack['evidence']} though at least {request['min-evidence']} is asked for")
        problems += [f"{name} {parts[name]} is no build of the matrix" for name in self.chosen(request, parts) if name in parts and (name, parts[name]) not in self.rules.packages]
        levels = self.levels(request, given, parts)
        if stack["image"]:
            problems += self.judge_image(stack["image"]["name"], given)
        problems_of_issues, worst = self.judge_issues(request, given, stack)
        levels.update(worst)
        bound = min(levels.values(), default=SUPPORTED)
        if LEVELS.index(stack["evidence"]) > bound:
            low = ", ".join(f"{what} {LEVELS[level]}" for what, level in levels.items() if level < LEVELS.index(stack["evidence"]))
            problems.append(f"{self.title(request, parts)} is called {stack['evidence']}, by the facts at best {LEVELS[bound]}: {low}")
        return problems + problems_of_issues + self.judge_commands(request, given, stack)

    def wished_of(self, request, parts):
        """The first package that is named and runs on a runtime: a wish for one is about its own."""
        roots = {name: self.rules.root(self.rules.packages[name, parts[name]], parts) for name in (parse(s)[0] for s in request["specs"]) if (name, parts.get(name)) in self.rules.packages}
        return [name for name, root in roots.items() if root and root["accelerator"] in ("cuda", "rocm")][:1]

    def chosen(self, request, parts):
        """The packages that are asked for, and what they need; others in a stack are only carried."""
        names = [parse(spec)[0] for spec in request["specs"] if parse(spec)[0] in self.rules.package_names]
        for name in names:
            build = self.rules.packages.get((name, parts.get(name)))
            names += [other for other in self.rules.requires(build) if other in self.rules.package_names and other not in names] if build else []
        return names

    def levels(self, request, host, parts):
        """Each question about the packages of a stack, with the best level that the facts allow."""
        levels = {}
        chosen = {name: self.rules.packages.get((name, parts.get(name))) for name in self.chosen(request, parts)}
        for name, build in chosen.items():
            if name == "torch" and build:
                levels.update({f"torch: {what}": level for what, level in self.rules.level(build, host, parts.get("python")).items()})
                levels.update(self.rules.carried(name, build, parts, host))
            elif build:   # of what another one brings in this very version, nothing that is not known counts
                brought = any(self.rules.brings(other).get(name) == parts[name] for other in chosen.values())
                levels.update({what: level for what, level in self.rules.of_package(name, build, parts, host).items() if level != UNKNOWN or not brought})
        return levels

    def judge_image(self, name, host):
        """What an image has code for: its own list, else that of the only wheel of the release on its runtime."""
        image = rr.image_of(self.facts, name)
        if image is None:
            return []
        problems, held = [], image.get("bundles", {})
        maker = "nvidia" if "cuda" in held else "amd" if "rocm" in held else None
        codes, ptx = self.rules.on(image, "architectures", host.platform)[0], self.rules.on(image, "ptx", host.platform)[0]
        for arch in host.archs:
            if maker and self.facts["architectures"][arch]["vendor"] != maker:
                problems.append(f"the image {name} is for {maker}, the card is {arch}")
            elif codes is not None and not any(self.rules.runs(c, arch) for c in codes) and not any(self.rules.compiles(p, arch) for p in ptx or []) and not host.override:
                problems.append(f"the image {name} is offered, which has code for {' '.join(codes)} and none for {arch}")
        if "platforms" in image and host.platform.replace("windows", "linux") not in image["platforms"]:
            problems.append(f"the image {name} is not made for {host.platform}")
        return problems

    @staticmethod
    def title(request, parts):
        return " ".join(f"{name} {parts[name]}" for name in [*dict.fromkeys([parse(s)[0] for s in request["specs"]] + ["torch"])] if name in parts)

    def judge_issues(self, request, host, stack):
        """The issues are those whose conditions hold; and what they say of the level."""
        problems, worst, parts = [], {}, stack["components"]
        sure, possible = {i["id"] for i in stack["issues"]}, {i["id"] for i in stack["possible_issues"]}
        for issue in self.facts["issues"].values():
            holds, which = self.rules.issue(issue, request, host, parts, stack["environment"])
            if holds and "state" not in issue:
                if issue["id"] not in sure:
                    problems.append(f"the issue {issue['id']} holds and is not told" + (", only as possible" if issue["id"] in possible else ""))
                if issue["severity"] == "blocks":
                    worst[f"issue {issue['id']}"] = BROKEN
                elif issue["severity"] == "warns":
                    worst[f"issue {issue['id']}"] = EXPECTED
            elif issue["id"] in sure:
                why = f"{which} {'is not told' if holds is None else 'does not hold'}" if which else "it has a state"
                problems.append(f"the issue {issue['id']} is told as sure, but {why}")
            if holds and "state" in issue and issue["id"] not in possible:
                problems.append(f"the possible issue {issue['id']} is not told")
            if holds is False and issue["id"] in possible:
                problems.append(f"the issue {issue['id']} is told as possible, but {which} does not hold")
        return problems, worst

    def judge_commands(self, request, host, stack):
        """What pip is told to install is in the index that it is told to use."""
        problems, pip = [], [c for c in stack["commands"] if " install" in c]
        text = " ".join(pip)
        for name, version in stack["components"].items():
            build = self.rules.packages.get((name, version))
            if build is None or name not in {parse(spec)[0] for spec in request["specs"]} | {"torch"}:
                continue
            indexes = self.rules.on(build, "index", host.platform)[0] or []
            itself = self.facts["components"].get(name, {}).get("installed-by") == "itself"
            if itself and any(re.search(rf"(^|\s){re.escape(name)}(==|\s|$)", c) for c in pip):
                problems.append(f"{name} installs itself, the commands give it to pip: {text}")
            if not indexes or itself:
                continue
            file = next((c for c in pip if re.match(rf"# get the (wheel|source archive) of (.*, )?{re.escape(name)}==", c)), None)
            if file and build.get("compiled", False) == ("source archive" in file):
                continue   # a page of files, which pip cannot search
            line = next((c for c in pip if re.search(rf"(^|[\s\"'])({re.escape(name)}(\[[^\]]*\])?==|{re.escape(name)}\s*@|\S*{re.escape(name.replace('-', '_'))}-)", c)), None)
            if line is None:
                problems.append(f"no command installs {name} {version}: {text}")
                continue
            only = re.search(r"--index-url (\S+)", line) if "--extra-index-url" not in line else None
            addresses = [self.facts["wheel-indexes"].get(i, {}).get("address", i) for i in indexes]
            if only and only[1].strip("'\"") not in addresses:
                problems.append(f"{name} {version} is on {indexes}, the command takes it from {only[1]} alone: {line}")
            if not only and "http" not in line and "pypi" not in indexes:
                problems.append(f"{name} {version} is on {indexes}, the command names none: {line}")
        named = {parse(spec)[0] for spec in request["specs"]}
        if named and all(self.facts["components"].get(n, {}).get("installed-by") == "itself" and not self.needs_python(n, stack) for n in named) and "python" in stack["components"]:
            if not request.get("python"):
                problems.append("a Python, though nothing in the stack needs one")
        return problems

    def needs_python(self, name, stack):
        build = self.rules.packages.get((name, stack["components"].get(name)))
        return build is None or bool({"torch", "python"} & set(self.rules.requires(build))) or bool(build.get("python"))

    # against other answers of the program

    def pinned(self, request, parts):
        """The stack as what is given to check."""
        names = [parse(s)[0] for s in request["specs"]]
        names += [c for n in names for c in (self.rules.packages.get((n, parts.get(n))) or {}).get("companions", {}) if n == "jax"]
        specs = [f"{n}=={parts[n]}" for n in dict.fromkeys(names + ["torch"]) if n in parts]
        return {**request, "specs": specs, "python": request.get("python") or parts.get("python"), "driver": request.get("driver") or parts.get("driver"), "cuda": None, "rocm": None}

    def judge_check(self, request, stack):
        given = self.pinned(request, stack["components"])
        given["env"] = {**request["env"], **stack["environment"]}
        code, answer, said = self.ask(given, "check")
        if answer is None:
            return [f"check refuses what resolve offers: exit code {code}, {said[:160]}: {shlex.join(arguments(given, 'check'))}"]
        problems = []
        if answer["evidence"] != stack["evidence"]:
            problems.append(f"resolve says {stack['evidence']}, check {answer['evidence']}: {answer['reasons'][0]['text'] if answer['reasons'] else ''}: "
                            f"{shlex.join(arguments(given, 'check'))}")
        for key in ("issues", "possible_issues"):
            a, b = {i["id"] for i in stack[key]}, {i["id"] for i in answer[key]}
            if a != b:
                problems.append(f"{key} of resolve and check differ: only resolve {sorted(a - b)}, only check {sorted(b - a)}: {shlex.join(arguments(given, 'check'))}")
        return problems

    def judge_order(self, index, request, stack):
        """No newer release of the first package that is named can be had at the same level (or older, by the policy)."""
        policy, parts = request.get("policy", "best-evidence"), stack["components"]
        name, expression = parse(request["specs"][0])
        if request["prefer"]:
            return self.judge_prefer(request, stack)
        if policy == "smallest-change" or name not in parts:
            return []
        versions = {v for (component, v), build in self.rules.packages.items() if component == name and build["accelerator"] != "cpu"}   # nobody gets the processor unasked
        preview = lambda v: "preview" in (self.rules.packages[(name, v)].get("stream"), self.rules.release_of(self.rules.packages[(name, v)]).get("stream"))
        fits = [v for v in versions if (not expression or self.rules.holds_for(name, expression, v)) and not order(v).is_prerelease and not preview(v)]
        older = policy == "oldest-supported"
        better = [v for v in fits if (order(v) < order(parts[name]) if older else order(v) > order(parts[name]))]
        generator, level = random.Random(index), LEVELS.index(stack["evidence"])
        needed = min(level, EXPECTED) if policy == "newest" else level
        for version in generator.sample(sorted(better), min(2, len(better))):
            asked = {**request, "specs": [f"{name}=={version}", *request["specs"][1:]]}
            _, answer, _ = self.ask(asked)
            self.count("others tried")
            if answer and answer["stacks"] and "each" not in answer and LEVELS.index(answer["stacks"][0]["evidence"]) >= needed:
                if level < SUPPORTED and self.is_surpassed(request, answer["stacks"][0]["components"], parts):
                    continue
                return [f"{name} {parts[name]} ({stack['evidence']}) is chosen, though {version} is {answer['stacks'][0]['evidence']}, policy {policy}: {shlex.join(arguments(asked))}"]
        if policy == "best-evidence" and level < SUPPORTED and index % 2 == 0:
            asked = {**request, "min-evidence": LEVELS[level + 1]}
            _, answer, _ = self.ask(asked)
            if answer and answer["stacks"] and "each" not in answer and LEVELS.index(answer["stacks"][0]["evidence"]) <= level:
                return [f"--min-evidence {LEVELS[level + 1]} gives {answer['stacks'][0]['evidence']}: {shlex.join(arguments(asked))}"]
            if answer and answer["stacks"] and "each" not in answer:
                return [f"the best is {stack['evidence']}, though --min-evidence {LEVELS[level + 1]} finds {self.title(request, answer['stacks'][0]['components'])}"]
        return []

    def is_surpassed(self, request, parts, others):
        """Whether other parts do better in some question and worse in none: what nobody knows of any of them does not make them equal."""
        own, better = (self.levels(request, host_of(self.facts, {**request, "driver": request.get("driver") or p.get("driver")}), p) for p in (parts, others))
        pairs = [(own.get(what, SUPPORTED), better.get(what, SUPPORTED)) for what in {**own, **better}]
        least = min(b for _, b in pairs)
        return any(a < b for a, b in pairs) and (least == UNKNOWN or all(a <= b for a, b in pairs))   # among unknowns none is better than another

    def judge_prefer(self, request, stack):
        """What is preferred is in the stack where one at its level can have it."""
        parts, (name, version) = stack["components"], request["prefer"][0].split("=", 1)
        if name not in parts or rr.agree(public(parts[name]), version) or request.get("policy", "best-evidence") not in ("best-evidence", "smallest-change"):
            return []
        if name in ("python", "driver", "cuda"):
            if request.get(name):
                return []
            asked = {**request, "prefer": [], "policy": None, name: version}
        else:
            own = [s for s in request["specs"] if parse(s)[0] == name and parse(s)[1]]
            asked = {**request, "prefer": [], "policy": None, "specs": [s for s in request["specs"] if parse(s)[0] != name] + [f"{own[0]},=={version}.*" if own else f"{name}=={version}.*"]}
        if name == "driver":   # a branch: any release of it
            asked["driver"] = next((b["latest"] for b in self.facts["driver-branches"].values() if b["component"] == host_of(self.facts, request).component
                                    and b["branch"] == version and b.get("latest")), version)
        _, answer, _ = self.ask(asked)
        self.count("preferences tried")
        if answer and answer["stacks"] and "each" not in answer and LEVELS.index(answer["stacks"][0]["evidence"]) >= LEVELS.index(stack["evidence"]):
            if LEVELS.index(stack["evidence"]) < SUPPORTED and self.is_surpassed(request, answer["stacks"][0]["components"], parts):
                return []
            return [f"{name} {parts[name]} ({stack['evidence']}) though {version} is preferred and {answer['stacks'][0]['evidence']}: {shlex.join(arguments(asked))}"]
        return []

    def judge_explain(self, request, answer):
        code, told, said = self.ask(request, "explain")
        if told is None:
            return [f"explain: exit code {code}, {said[:160]}"]
        problems = [f"explain: {problem}" for problem in self.judge_facts({**told, "limits": []})]
        key = lambda a: json.dumps(a["stacks"][0] if a["stacks"] else None, sort_keys=True)
        if told["status"] != answer["status"] or (key(told) != key(answer) and told["stacks"][0]["components"] != answer["stacks"][0]["components"]):
            problems.append("explain has another stack than resolve")
        elif key(told) != key(answer):
            problems.append("explain tells the same stack otherwise: " + ", ".join(k for k in told["stacks"][0] if told["stacks"][0][k] != answer["stacks"][0].get(k)))
        if len(told["stacks"]) > 1:
            problems.append(f"explain has {len(told['stacks'])} stacks")
        return problems

    # none

    def wish(self, request, text):
        """The request without the part that a wish of a conflict names, or None if it is not known what that is."""
        low = text.lower()
        without = {**request, "specs": list(request["specs"]), "exclude": list(request["exclude"]), "env": dict(request["env"])}
        if low.startswith("without "):
            spec = low[8:]
            match = [s for s in request["exclude"] if s.replace(" ", "") == spec.replace(" ", "")]
            if not match:
                return None
            without["exclude"].remove(match[0])
            return without
        for spec in request["specs"]:
            if spec.replace(" ", "") == low.replace(" ", "") or low == parse(spec)[0]:
                without["specs"].remove(spec)
                return without
        for key in ("python", "driver", "os", "kernel", "cuda", "rocm"):
            if request.get(key) and (low.startswith(key) or (key == "os" and request["os"].split(":")[0] in low)):
                without[key] = None
                return without
        for name in request["env"]:
            if name.lower() in low:
                del without["env"][name]
                return without
        if "evidence" in low and request.get("min-evidence"):
            without["min-evidence"] = None
            return without
        return None

    def judge_none(self, request, answer):
        problems, conflict = [], answer["conflict"]
        if not conflict["story"]:
            problems.append("no stack and no story")
        if not conflict["reasons"] and not conflict["wishes"]:
            problems.append("no stack and no reason")
        if not answer["repairs"]:
            problems.append("no stack and no repair")
        kept = self.only(request, conflict["wishes"])
        if kept:
            for text in conflict["wishes"]:
                left = self.wish(kept, text)
                if left is None:
                    problems.append(f"the wish `{text}` is no part of the request")
                    continue
                if not left["specs"] or ((kept.get("cuda") or kept.get("rocm")) and parse(left["specs"][0])[0] != parse(kept["specs"][0])[0]):
                    continue   # a wish for CUDA would be about another package then
                _, less, _ = self.ask(left)
                self.count("wishes left out")
                if less and not less["stacks"] and "each" not in less:
                    problems.append(f"not minimal: without `{text}` there is none either: {shlex.join(arguments(left))}")
            if kept["specs"]:
                _, alone, _ = self.ask(kept)
                if alone and alone["stacks"]:
                    problems.append(f"the wishes {conflict['wishes']} alone give a stack: {shlex.join(arguments(kept))}")
        return problems + self.judge_repairs(request, answer)

    def only(self, request, wishes):
        """The request with only the wishes of a conflict; cards and what is no wish stay."""
        kept = {**request, "specs": list(request["specs"]), "exclude": list(request["exclude"])}
        named = []
        for text in wishes:
            less = self.wish(request, text)
            if less is None:
                return None if not text else {**kept}
            named.append(less)
        if not named:
            return None
        gone = lambda key, item: any(item not in less[key] for less in named)
        kept["specs"] = [parse(s)[0] if parse(s)[0] in wishes else s for s in request["specs"] if gone("specs", s)]   # a name means whatever version
        kept["exclude"] = [s for s in request["exclude"] if gone("exclude", s)]
        for key in ("python", "driver", "cuda", "rocm"):   # wishes too: what a conflict does not name takes no part in it
            if request.get(key) and not any(less[key] is None for less in named):
                kept[key] = None
        return kept

    def judge_repairs(self, request, answer):
        problems = []
        for repair in answer["repairs"]:
            if not repair["changes"]:
                continue
            self.count("repairs followed")
            if repair["changes"].get("image"):
                problems += self.judge_image(repair["changes"]["image"], host_of(self.facts, {**request, "env": {}}))
            changed = self.changed(request, repair["changes"], repair["text"])
            if not changed["specs"]:
                continue
            if repair["changes"].get("image"):   # the package is what the image holds
                held = rr.image_of(self.facts, repair["changes"]["image"]) or {}
                names = {parse(spec)[0] for spec in changed["specs"]}
                if not names & set(held.get("bundles", {})):
                    problems.append(f"the repair `{repair['text']}` holds nothing of {sorted(names)}")
                if not self.serves(held, request):
                    problems.append(f"the repair `{repair['text']}` does not hold what is asked for: {' '.join(request['specs'])}")
                code, verdict, said = self.ask({**changed, "specs": [], "cuda": None, "rocm": None}, "check")
                if verdict is None or verdict.get("evidence") == "broken":
                    problems.append(f"check calls the image of the repair `{repair['text']}` {verdict['evidence'] if verdict else said[:80]}")
                continue
            _, after, said = self.ask(changed)
            if after is None or not after["stacks"]:
                problems.append(f"the repair `{repair['text']}` gives {after['status'] if after else said[:100]}: {shlex.join(arguments(changed))}")
        return problems

    def serves(self, image, request):
        """Whether an image holds the versions that are asked for, as far as it tells."""
        held = image.get("bundles", {})
        for spec in request["specs"]:
            name, expression = parse(spec)
            if name in held and expression and not self.rules.holds_for(name, expression, held[name]) and not self.rules.vague(expression, held[name]):
                return False
        return True

    @staticmethod
    def changed(request, changes, text=""):
        """The request after a repair; that less is asked for stands in its text alone."""
        changed = {**request, "env": dict(request["env"]), "specs": list(request["specs"]), "exclude": list(request["exclude"])}
        if text.startswith("begin anew"):
            changed = {**{k: v for k, v in changed.items() if k in ("run", "gpu", "os", "kernel", "env")}, "specs": [], "exclude": [], "prefer": []}
        elif text.startswith("accept what is known less well"):
            changed["min-evidence"] = None
        elif text.startswith("allow "):
            changed["exclude"] = [s for s in changed["exclude"] if not text[6:].replace(" ", "").startswith(s.replace(" ", ""))]
        for name, value in changes.items():
            if name == "gpu":
                changed["gpu"] = [value]
            elif name in ("python", "driver", "image", "os", "kernel", "cuda", "rocm", "min-evidence"):
                changed[name] = value or None
            elif name == "exclude":
                changed["exclude"] = [value] if value else []
            elif name.isupper():
                changed["env"].pop(name, None)
                if value:
                    changed["env"][name] = value
            else:
                rest = [s for s in changed["specs"] if parse(s)[0] != name]
                changed["specs"] = rest + ([f"{name}=={value}"] if value else [])
                changed["exclude"] = [s for s in changed["exclude"] if not value or parse(s)[0] != name]
        return changed


def main():
    parser = argparse.ArgumentParser(description="Judge the answers to random requests with several packages.")
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", help="only the requests with these numbers")
    parser.add_argument("--matrix", default=str(pathlib.Path(__file__).resolve().parents[3] / "matrix"), help="the YAML files that the program reads")
    options = parser.parse_args()
    facts = rr.read_facts(options.program)
    judge = PackageJudge(options.program, facts, PackageRules(facts), Places(options.matrix))
    generator = PackageRequests(facts, options.seed)
    requests = list(enumerate(generator.one() for _ in range(options.count)))
    if options.only:
        requests = [requests[int(i)] for i in options.only.split(",")]

    def one(numbered):
        try:
            return judge.judge(*numbered)
        except subprocess.TimeoutExpired:
            return [f"no answer within {rr.TIMEOUT_S} s"]

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
        for (index, request), problems in zip(requests, pool.map(one, requests)):
            for problem in problems:
                print(f"FAIL {index} vmatrix {shlex.join(arguments(request))}: {problem}", flush=True)
            failed += bool(problems)
    print("; ".join(f"{what} {count}" for what, count in sorted(judge.counts.items())))
    print(f"{len(requests) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
