#!/usr/bin/env python3
"""Asks `vmatrix resolve` and `vmatrix check` at random and judges the answers by rules of its own.

    random_requests.py PROGRAM [--count N] [--seed S] [--jobs N] [--only INDEX,...]

The rules below are written from the facts, which `vmatrix matrix list KIND --format json` prints, and from the design: nothing is shared
with the program but its data. For each offered stack they say how good it can be at best; for what is given to `check`, what the verdict
must be or between which two it lies; for "none", that no build would do; for a request that makes no sense, that it is refused. Beside
that: exit code and answer agree, the same request gives the same bytes, a "no" has a reason and a repair, a repair that is followed gives
something better, an image that is offered runs there, and what resolve offers check does not call broken.
"""

import argparse
import concurrent.futures
import functools
import json
import os
import random
import re
import shlex
import subprocess
import sys

try:
    from packaging.specifiers import SpecifierSet
except ImportError:
    print("skipped: needs python3-packaging")
    sys.exit(77)

LEVELS = ("broken", "unknown", "workaround", "expected", "supported")
BROKEN, UNKNOWN, WORKAROUND, EXPECTED, SUPPORTED = range(5)
OVERRIDE = "HSA_OVERRIDE_GFX_VERSION"
KINDS = ("builds", "releases", "generations", "architectures", "rules", "targets", "overrides", "platform-tags", "os-releases",
         "os-support", "digests", "gpu-support", "gpus", "driver-branches", "wheel-indexes", "python-releases", "images", "forward-compatibility", "driver-kernels")
TIMEOUT_S = 60
# Mistakes of the program that are known and open: shown, but they break no test. Empty is what it should be.
OPEN = ("the command brings no code for",)


# --- calling the program -------------------------------------------------------------------------

def environment():
    kept = {name: value for name, value in os.environ.items() if not name.startswith("VMATRIX_")}
    return {**kept, "LC_ALL": "C.UTF-8"}


def call(program, args):
    done = subprocess.run([program, *args], env=environment(), stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S, check=False)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "backslashreplace").strip()


def read_facts(program):
    facts = {}
    for kind in KINDS:
        code, out, said = call(program, ["matrix", "list", kind, "--format", "json"])
        if code != 0:
            sys.exit(f"matrix list {kind}: {said}")
        facts[kind] = {fact["id"]: fact for fact in json.loads(out)["facts"]}
    return facts


def only_torch(facts):
    """Requests with other packages are another checker's."""
    component = {fact["id"]: fact["component"] for fact in facts["releases"].values()}
    others = {component[build["id"].rsplit("+", 1)[0]] for build in facts["builds"].values()} - {"torch"}
    facts["builds"] = {name: build for name, build in facts["builds"].items() if component[build["id"].rsplit("+", 1)[0]] == "torch"}
    for kind, fields in (("targets", ("of",)), ("rules", ("when", "requires"))):
        facts[kind] = {name: fact for name, fact in facts[kind].items() if not any(others & set(fact.get(field, {})) for field in fields)}
    return facts


# --- versions ------------------------------------------------------------------------------------

@functools.cache
def number(text):
    return tuple(int(part) for part in re.findall(r"[0-9]+", text))


def padded(a, b):
    size = max(len(a), len(b))
    return a + (0,) * (size - len(a)), b + (0,) * (size - len(b))


@functools.cache
def holds(expression, text):
    """Whether a set of dotted versions, ">=12,<13 || ==14.*", holds one."""
    if expression.strip() == "*":
        return True
    return any(all(compare(part.strip(), number(text)) for part in way.split(",")) for way in expression.split("||"))


def compare(part, version):
    operator, wanted = re.fullmatch(r"(==|!=|>=|<=|~=|>|<)\s*(.+)", part).groups()
    if wanted.endswith(".*"):
        prefix = number(wanted)
        same = padded(version, prefix)[0][:len(prefix)] == prefix
        return same if operator == "==" else not same
    a, b = padded(version, number(wanted))
    return {"==": a == b, "!=": a != b, ">=": a >= b, "<=": a <= b, ">": a > b, "<": a < b}[operator]


def like(version, other):
    """The version cut to as many numbers as the other has."""
    return version[:len(other)]


def agree(a, b):
    """Whether two versions are equal as far as both are given."""
    a, b = number(a), number(b)
    return like(a, b) == like(b, a)


def empty(expression):
    """Whether no version can be all of that, ">=2.6,<2.5"; `!=` is left out."""
    low, high = ((), True), ((999999,), False)
    for operator, text in re.findall(r"(==|>=|<=|>|<)\s*([0-9.]+)", expression):
        version = number(text)
        if operator in ("==", ">=", ">"):
            low = max(low, (version, operator != ">"), key=lambda bound: (bound[0], not bound[1]))
        if operator in ("==", "<=", "<"):
            high = min(high, (version, operator != "<"))
    a, b = padded(low[0], high[0])
    return a > b or (a == b and not (low[1] and high[1]))


# --- what is asked for ---------------------------------------------------------------------------

def wishes(request):
    """Name to the version that is exactly asked for, or to None."""
    parts = [re.fullmatch(r"([a-z0-9-]+)(?:\[.*\])?(?:\s*==\s*([^*,;]+))?.*", spec) for spec in request["specs"]]
    return {part[1]: part[2] for part in parts if part}


def plain(request):
    """The request with the driver and Python that stand among the specs of check as options."""
    named = {}
    if request["run"] == "check":
        named = {name: version for name, version in wishes(request).items() if name in ("python", "driver")}
    specs = [spec for spec in request["specs"] if re.match(r"[a-z-]*", spec)[0] not in named]
    return {**named, **{k: v for k, v in request.items() if v is not None}, "specs": specs}


# --- rules ---------------------------------------------------------------------------------------

class Rules:
    """How good a build is on a host, by the facts: a level for each question, the worst of them counts."""

    def __init__(self, facts):
        self.facts = facts
        self.builds = {}
        for build in facts["builds"].values():
            release = build["id"].split("+")[0]
            self.builds[(facts["releases"][release]["component"], build["id"].split("-", 1)[1])] = build
        self.cuda = [r for r in facts["releases"].values() if r["component"] == "cuda"]
        of = lambda component: sorted((b for b in facts["driver-branches"].values() if b["component"] == component), key=lambda b: number(b["branch"]))
        self.branches, self.windows_branches = of("nvidia"), of("nvidia-windows")

    @staticmethod
    def on(build, field, platform):
        """A list that may differ by platform, and the field that it stands in."""
        own = build.get(field + "-on", {})
        return (own[platform], field + "-on") if platform in own else (build.get(field), field)

    def runtime(self, build):
        return build.get("bundles", {}).get(build["accelerator"])

    def runs(self, code, arch):
        """Whether machine code for one architecture runs on another: rules 1 and 6."""
        made, card = self.facts["architectures"].get(code), self.facts["architectures"][arch]
        if code == arch:
            return True
        if not made:
            return False
        if made.get("same-as") == arch or card.get("same-as") == code or arch in made.get("covers", []):
            return True
        if made.get("covers") or "compute-capability" not in made or "compute-capability" not in card or made.get("embedded") or card.get("embedded"):
            return False
        a, b = number(made["compute-capability"]), number(card["compute-capability"])
        return a[0] == b[0] and a <= b

    def compiles(self, ptx, arch):
        made, card = self.facts["architectures"].get(ptx, {}), self.facts["architectures"][arch]
        return "compute-capability" in made and "compute-capability" in card and number(made["compute-capability"]) <= number(card["compute-capability"])

    def override(self, build, host, arch, codes, value):
        """Environments that a report gives for this card on code that the build has, or those with this value."""
        return [o["environment"] for o in self.facts["overrides"].values()
                if o["status"] == "reported" and arch in o["architectures"] and OVERRIDE in o["environment"] and host.platform in o.get("platforms", [host.platform])
                and self.has(build, codes, o.get("runs")) and value in (None, o["environment"][OVERRIDE])]

    def blas_list(self, rocm):
        """The complete list of what the BLAS library of this ROCm has code for, or None."""
        return next((t["architectures"] for t in self.facts["targets"].values() if t.get("complete") and holds(t["of"].get("rocm", "<0"), rocm)), None)

    @functools.cached_property
    def blas_lists(self):
        """Version of each release that is no preview and has a complete list, to the list."""
        releases = [r["version"] for r in self.facts["releases"].values() if r["component"] == "rocm" and r.get("stream") != "preview"]
        return {number(version): self.blas_list(version) for version in releases if self.blas_list(version) is not None}

    def blas_lacks(self, rocm, arch):
        """The BLAS library of this ROCm has firmly no code for the card: by its own list, or by both of its neighbours'."""
        own = self.blas_list(rocm)
        if own is not None:
            return arch not in own
        if any(arch in t["architectures"] for t in self.facts["targets"].values() if holds(t["of"].get("rocm", "<0"), rocm)):
            return False
        below = max((v for v in self.blas_lists if v < number(rocm)), default=None)
        above = min((v for v in self.blas_lists if v > number(rocm)), default=None)
        return below is not None and above is not None and arch not in self.blas_lists[below] and arch not in self.blas_lists[above]

    def has(self, build, codes, arch):
        """Whether an AMD build has code for a target, in itself and in its BLAS library."""
        return arch in self.facts["architectures"] and any(self.runs(code, arch) for code in codes) and (
            "selector" in build or not self.blas_lacks(self.runtime(build), arch))

    def same(self, arch, other):
        """Whether two names mean one target; an unknown one is None."""
        twin = lambda name: self.facts["architectures"].get(name, {}).get("same-as")
        return other is not None and (arch == other or arch == twin(other) or other == twin(arch))

    def overridden(self, build, host, arch, codes, value):
        """How good an override that names another target is on this card."""
        if target(value) is None:
            return BROKEN   # the runtime refuses to start
        if self.override(build, host, arch, codes, value):
            return WORKAROUND
        if not self.has(build, codes, arch) or not self.has(build, codes, target(value)):
            return BROKEN
        generation = lambda a: self.facts["architectures"][a].get("generation")
        return WORKAROUND if generation(arch) == generation(target(value)) else BROKEN

    def overrides(self, build, host):
        """What the override may be set to: what the host has, or what a report says for one of its cards."""
        if host.vendor != "amd" or build["accelerator"] != "rocm" or (host.override and not all(self.same(arch, target(host.override)) for arch in host.archs)):
            return [host.override]
        codes = self.on(build, "architectures", host.platform)[0] or []
        return [host.override] + sorted({way[OVERRIDE] for arch in host.archs for way in self.override(build, host, arch, codes, None)})

    def codes(self, build, host):
        """(level, whether the driver has to compile PTX) of each card with the best value of the override."""
        return max(([self.code(build, host, arch, value) for arch in host.archs] for value in self.overrides(build, host)),
                   key=lambda levels: min([level for level, _ in levels], default=SUPPORTED))

    def code(self, build, host, arch, override):
        """(level, whether the driver has to compile PTX)"""
        vendor = self.facts["architectures"][arch]["vendor"]
        if build["accelerator"] == "cpu" and host.asks_for_processor:
            return EXPECTED, False
        if build["accelerator"] != {"nvidia": "cuda", "amd": "rocm"}[vendor]:
            return BROKEN, False
        codes, field = self.on(build, "architectures", host.platform)
        if codes is None and self.facts["architectures"][arch].get("embedded"):
            return BROKEN, False   # whatever the list says, it is that of servers
        if vendor == "amd" and override and not self.same(arch, target(override)):
            return self.overridden(build, host, arch, codes or [], override), False
        if codes is None:
            return self.code_by_toolkit(build, arch), False
        native = any(self.runs(code, arch) for code in codes)
        level = EXPECTED if field in build.get("derived", []) else SUPPORTED
        if vendor == "nvidia":
            if native:
                return level, False
            ptx = any(self.compiles(p, arch) for p in self.on(build, "ptx", host.platform)[0] or [])
            return (EXPECTED, True) if ptx else (BROKEN, False)
        return (level if self.has(build, codes, arch) else BROKEN), False

    def code_by_toolkit(self, build, arch):
        """Without a list only a firm no of the toolkit is known."""
        return BROKEN if build["accelerator"] == "cuda" and self.compiles_nothing(self.runtime(build), arch) else UNKNOWN

    def compiles_nothing(self, cuda, arch):
        """Whether a CUDA compiles for nothing that the card runs."""
        return all(self.toolkit(cuda, code) == BROKEN for code in self.facts["architectures"] if self.runs(code, arch))

    def toolkit(self, cuda, arch):
        """Whether a CUDA release compiles for the card."""
        for line in self.facts["targets"].values():
            if set(line["of"]) == {"cuda"} and holds(line["of"]["cuda"], cuda):
                return SUPPORTED if self.inside(line, arch) else BROKEN
        return UNKNOWN

    def inside(self, line, arch):
        """Whether a line of targets has the card."""
        fact = self.facts["architectures"][arch]
        return bool({arch, fact.get("same-as", arch)} & set(line.get("architectures", []))) or (
            "compute-capability" in line and "compute-capability" in fact and holds(line["compute-capability"], fact["compute-capability"]))

    def listed(self, rocm, host, index):
        """Whether AMD lists the card for this ROCm: what `supported` needs there."""
        arch, names = host.archs[index], host.names[index]
        squeeze = lambda text: re.sub(r"[ -]", "", text).lower()
        for line in self.facts["gpu-support"].values():
            if line["architecture"] == arch and line["status"] == "supported" and holds(line["of"].get("rocm", "<0"), rocm):
                if self.limited(line, host):
                    continue
                if "gpus" not in line or not names or any(squeeze(n).endswith(squeeze(p)) for n in names for p in line["gpus"]):
                    return True
        return False

    @staticmethod
    def limited(line, host):
        """Whether a line of the list is about other systems."""
        return bool(host.os_name) and (("os" in line and not host.is_one_of(line["os"])) or host.is_one_of(line.get("not-os", [])))

    def floor(self, cuda, component):
        for rule in self.facts["rules"].values():
            if set(rule["when"]) == {"cuda"} and component in rule["requires"] and holds(rule["when"]["cuda"], cuda):
                return rule["requires"][component]
        return None

    def newest_cuda(self, host):
        """What the driver serves by its branch, or on Windows by the toolkits that are older than it."""
        driver = number(host.driver)
        if host.windows_driver:
            known = [number(r["version"]) for r in self.cuda if number(r.get("bundles", {}).get("nvidia-windows", "999999")) <= driver]
            known += [number(b["cuda"]) for b in self.windows_branches if number(b["branch"]) <= driver]
            return max(known, default=None)
        older = [b for b in self.branches if number(b["branch"]) <= driver]
        return number(older[-1]["cuda"]) if older else None

    def driver(self, runtime, version, host, jit):
        """Rules 3 and 7: of a CUDA or ROCm on the host's driver."""
        if runtime == "rocm":
            if host.component != "amdgpu-dkms" and (host.vendor or host.windows_driver):
                return SUPPORTED
            for rule in self.facts["rules"].values():
                if "amdgpu-dkms" in rule["requires"] and holds(rule["when"].get("rocm", "<0"), version):
                    return SUPPORTED if holds(rule["requires"]["amdgpu-dkms"], host.driver) else BROKEN
            return UNKNOWN
        if host.embedded:
            return UNKNOWN   # the driver is that of JetPack
        floor = self.floor(version, host.component)
        if floor and not holds(floor, host.driver):
            return BROKEN
        own = [number(r["bundles"][host.component]) for r in self.cuda
               if host.component in r.get("bundles", {}) and like(number(r["version"]), number(version)) == number(version)]
        newest = self.newest_cuda(host)
        if (own and min(own) <= number(host.driver)) or (newest and like(number(version), newest) <= newest):
            return SUPPORTED
        if floor:
            return BROKEN if jit else EXPECTED
        return UNKNOWN

    def served(self, host, index):
        """Rule 4; of Windows the first driver may be known, and where a Linux driver of that number would not do, nothing is."""
        if host.vendor != "nvidia":
            return SUPPORTED
        if host.embedded:
            return UNKNOWN
        limits = self.generation(host.archs[index]).get("drivers", {})
        drivers, own = limits.get("nvidia", "*"), limits.get("nvidia-windows")
        if host.windows_driver:
            if own and not holds(own, host.driver):
                return BROKEN
            if not holds(drivers, host.driver) or not (own or holds(drivers, "0")):
                return UNKNOWN
            return SUPPORTED if own else EXPECTED
        return SUPPORTED if holds(drivers, host.driver) else BROKEN

    def generation(self, arch):
        return self.facts["generations"].get(self.facts["architectures"][arch].get("generation"), {})

    def modules(self, host):
        """Rule 4: one Linux host loads the open kernel modules or the proprietary ones."""
        asked = {self.generation(arch).get("open-kernel-module") for arch in host.archs}
        return BROKEN if {"required", "impossible"} <= asked and not host.windows_driver else SUPPORTED

    def system(self, rocm, host):
        """Rule 8: AMD's list of systems for a ROCm; it never forbids."""
        if not host.platform.startswith("linux"):
            return SUPPORTED
        if host.windows_driver:
            return EXPECTED
        if not host.os_name:
            return SUPPORTED
        lines = [line for line in self.facts["os-support"].values() if line["status"] == "supported" and holds(line["of"]["rocm"], rocm) and host.is_one_of(line["os"])]
        return SUPPORTED if any(self.kernel_named(line, host) for line in lines) else EXPECTED

    @staticmethod
    def kernel_named(line, host):
        """Whether a line of the list is about the host's kernel, by its minor."""
        return not host.kernel or "kernels" not in line or any(number(k)[:2] == number(host.kernel)[:2] for k in line["kernels"])

    def python(self, build, host, python):
        if python in (self.on(build, "python", host.platform)[0] or []):
            return SUPPORTED
        return WORKAROUND if python in (self.on(build, "experimental-python", host.platform)[0] or []) else BROKEN

    def libc(self, build, host):
        """Rule 9; of a wheel without a tag of its own that of its release tells what is likely."""
        if not host.user_space or not host.platform.startswith("linux"):
            return SUPPORTED
        release = self.facts["os-releases"].get(host.user_space.replace(":", "-"), {})
        if release.get("libc") == "musl":
            return BROKEN
        own = self.facts["platform-tags"].get(build.get("platform-tag"))
        tag = own or self.facts["platform-tags"].get(self.release(build).get("platform-tag"), {})
        glibc = release.get("bundles", {}).get("glibc")
        if not glibc:
            return UNKNOWN
        if "least-libc" not in tag:
            return SUPPORTED
        enough = number(tag["least-libc"]) <= number(glibc)
        return (SUPPORTED if enough else BROKEN) if own else (EXPECTED if enough else UNKNOWN)

    def release(self, build):
        return self.facts["releases"][build["id"].split("+")[0]]

    def platform(self, build, host):
        if "platforms" not in build:
            return UNKNOWN
        return SUPPORTED if host.platform in build["platforms"] else BROKEN

    def level(self, build, host, python):
        """Of a build on a host: python and driver count where they are given."""
        levels = {"platform": self.platform(build, host), "libc": self.libc(build, host)}
        if build["accelerator"] == "cuda":
            levels["kernel modules"] = self.modules(host)
        if build["accelerator"] == "rocm":
            levels["AMD's list of systems"] = self.system(self.runtime(build), host)
        jit = False
        for index, (arch, (level, compiled)) in enumerate(zip(host.archs, self.codes(build, host))):
            levels[f"code for {arch}"] = min(level, levels.get(f"code for {arch}", level))
            jit = jit or compiled
            if build["accelerator"] == "rocm":
                listed = SUPPORTED if self.listed(self.runtime(build), host, index) else EXPECTED
                levels[f"AMD's list for {arch}"] = min(listed, levels.get(f"AMD's list for {arch}", listed))
            if build["accelerator"] == "cuda":
                levels[f"cuDNN for {arch}"] = self.cudnn_of(build, host, arch)
            if host.driver:
                levels[f"driver for {arch}"] = self.served(host, index)
        if host.driver and self.runtime(build):
            levels["driver"] = self.driver(build["accelerator"], self.runtime(build), host, jit)
        if python:
            levels["python"] = self.python(build, host, python)
        return levels

    def cudnn_of(self, build, host, arch):
        """Rule 2: torch runs without its cuDNN, in part."""
        version, cuda = build.get("bundles", {}).get("cudnn"), self.runtime(build)
        if not version:
            return SUPPORTED
        lines = [t for t in self.facts["targets"].values() if holds(t["of"].get("cudnn", "<0"), version) and holds(t["of"].get("cuda", "*"), cuda)]
        excluded = lines and all(line.get("complete") and not self.inside(line, arch) for line in lines)
        return WORKAROUND if excluded else SUPPORTED

    def preview(self, build):
        release = self.facts["releases"].get(f"{build['accelerator']}-{self.runtime(build)}", {})
        return "preview" in (build.get("stream"), release.get("stream"), self.release(build).get("stream"))

    # Images. What is not told exactly is a range: (at least, at best).

    def held_build(self, image):
        """The CUDA build of the matrix that an image holds."""
        held = image.get("bundles", {})
        if "torch" in held and "cuda" in held:
            for (package, version), build in self.builds.items():
                if package == "torch" and version.split("+")[0] == held["torch"] and build["accelerator"] == "cuda" and agree(self.runtime(build), held["cuda"]):
                    return build
        return None

    @staticmethod
    def fits(image, build):
        """Whether a build is the torch that an image holds, if it holds one."""
        held = image.get("bundles", {})
        if "torch" not in held:
            return True
        return build["id"].split("-", 1)[1].split("+")[0] == held["torch"] and all(
            agree(held[runtime], build.get("bundles", {}).get(runtime, "0")) for runtime in ("cuda", "rocm") if runtime in held)

    def image_host(self, image, host, build_given=True):
        """The levels of an image that a build in it does not change: the maker, the start, the driver of its CUDA."""
        held, levels = image.get("bundles", {}), {}
        runtime = "cuda" if "cuda" in held else "rocm" if "rocm" in held else None
        maker = {"cuda": "nvidia", "rocm": "amd", None: None}[runtime]
        if "platforms" in image and host.archs and host.platform.replace("windows", "linux") not in image["platforms"]:
            levels["platform of the image"] = (BROKEN, BROKEN)
        for arch in host.archs:
            if maker and maker != self.facts["architectures"][arch]["vendor"]:
                levels[f"image for {maker}, {arch}"] = (BROKEN, BROKEN)
        if not held:
            levels["contents of the image"] = (BROKEN, UNKNOWN)
        elif maker == "amd" and host.windows_driver:
            levels["no /dev/kfd"] = (UNKNOWN, UNKNOWN) if host.platform.startswith("linux") else (BROKEN, BROKEN)
        if host.embedded:
            levels["image on a Jetson"] = (UNKNOWN, UNKNOWN)
        levels["kernel modules"] = (self.modules(host),) * 2
        if runtime == "cuda" and not host.driver:
            levels["a driver that nobody named"] = (EXPECTED, SUPPORTED)
        if host.driver and runtime and host.vendor in ("", maker):
            levels.update(self.image_driver(image, runtime, host, build_given))
        return levels

    def image_driver(self, image, runtime, host, build_given):
        """Rule 5: the start of an nvidia/cuda image, the driver that any other one needs."""
        held = image["bundles"]
        if image["repository"] == "nvidia/cuda":
            return {"start": (BROKEN, UNKNOWN) if host.embedded else self.start(image, host)}
        if runtime == "rocm" and host.windows_driver:   # WSL has no amdgpu of that number
            return {}
        if "torch" not in held and build_given and runtime == "cuda":   # a build that is installed into it brings its own runtime
            return {}
        build = self.held_build(image)
        jit = bool(build) and any(compiled for _, compiled in self.codes(build, host))
        level = self.driver(runtime, held[runtime], host, jit)
        # A page of the maker may ask for more than the CUDA does.
        asks = image.get("requires", {}).get(host.component)
        return {"driver of the image": (BROKEN if asks and not holds(asks, host.driver) else level, level)}

    def start(self, image, host):
        """Rule 5: an nvidia/cuda image asks for the driver's maximum CUDA."""
        newest, cuda = self.newest_cuda(host), number(image["bundles"]["cuda"])[:2]
        if newest is None:
            return BROKEN, UNKNOWN
        if newest[:2] >= cuda:
            return SUPPORTED, SUPPORTED
        if host.windows_driver or not host.classes <= {"datacenter"}:
            return BROKEN, BROKEN
        branch = host.driver.split(".")[0]
        if "centos8" in host.image or None in host.classes or not host.classes:
            return BROKEN, SUPPORTED
        for way in self.facts["forward-compatibility"].values():
            brands = way.get("image-check", {})
            let_through = "tesla" in brands.get(branch, []) or any("any" in of and int(since) <= int(branch) for since, of in brands.items())
            if number(way["cuda"]) == cuda and let_through:
                return (UNKNOWN if f"nvidia-{branch}" in way.get("branches", []) else BROKEN), SUPPORTED
        return BROKEN, BROKEN

    def image_code(self, image, host, index):
        """Of what an image holds on one card."""
        held, arch = image.get("bundles", {}), host.archs[index]
        if self.facts["architectures"][arch].get("embedded"):
            return UNKNOWN, UNKNOWN
        build = self.held_build(image)
        if build:
            level = self.codes(build, host)[index][0]
            level = min(level, self.platform(build, host)) if host.platform.startswith("linux") else level
            return min(level, EXPECTED), level
        if "cuda" in held:
            level = self.toolkit(held["cuda"], arch)
            if "architectures" in image:
                return BROKEN, SUPPORTED
            if "torch" in held:   # of the maker's own making: nobody read its list
                return (BROKEN if self.compiles_nothing(held["cuda"], arch) else UNKNOWN,) * 2
            return min(level, EXPECTED), level
        if "rocm" in held:
            low, high = self.rocm(held["rocm"], host, index)
            return low, min(high, EXPECTED if "torch" in held else SUPPORTED)
        return UNKNOWN, UNKNOWN

    def rocm(self, rocm, host, index):
        """Of a ROCm without a build on one card: AMD's list and the libraries."""
        arch = host.archs[index]
        if host.override and not self.same(arch, target(host.override)):
            known = target(host.override) is not None and not self.blas_lacks(rocm, target(host.override))
            return BROKEN, WORKAROUND if known else BROKEN
        if self.listed(rocm, host, index):
            return EXPECTED, SUPPORTED
        if self.blas_lacks(rocm, arch):
            helped = any(o["status"] == "reported" and arch in o["architectures"] and not self.blas_lacks(rocm, o.get("runs")) for o in self.facts["overrides"].values())
            return BROKEN, WORKAROUND if helped else BROKEN
        return BROKEN, EXPECTED

    def jetpack(self, cuda, host, arch):
        """Whether a JetPack for the board of an embedded card brings this CUDA."""
        named = {name for names in host.names for name in names}
        models = [g for g in self.facts["gpus"].values() if g["architecture"] == arch and (not named or g["name"] in named)]
        names = " ".join(name for g in models for name in [g["name"], *g.get("aliases", [])]).lower()
        boards = {board for r in self.facts["releases"].values() for board in r.get("boards", []) if board.lower() in names}
        boards -= {"Nano"} if len(boards) > 1 and arch != "sm_53" else set()   # Orin Nano is an Orin
        packs = [r for r in self.facts["releases"].values() if r["component"] == "jetpack" and boards & set(r.get("boards", []))]
        return SUPPORTED if any(agree(r.get("bundles", {}).get("cuda", "0"), cuda) for r in packs) else UNKNOWN

    def image(self, image, host):
        levels = self.image_host(image, host, build_given=False)
        if "rocm" in image.get("bundles", {}) and host.vendor == "amd":
            levels["AMD's list of systems"] = (EXPECTED, SUPPORTED)
        for index, arch in enumerate(host.archs):
            levels[f"image on {arch}"] = self.image_code(image, host, index)
            if host.driver:
                levels[f"driver for {arch}"] = (self.served(host, index),) * 2
        return levels

    # Runtimes and libraries without a build

    def one_library(self, name, version, cuda, host):
        """cuDNN and NCCL beside a CUDA or without: rules 2 and 10."""
        levels = {}
        for rule in self.facts["rules"].values():
            if cuda and set(rule["when"]) == {name} and holds(rule["when"][name], version) and "cuda" in rule["requires"]:
                fine = holds(rule["requires"]["cuda"], cuda)
                levels[f"{name} with CUDA: {rule['id']}"] = (UNKNOWN, SUPPORTED) if fine else (BROKEN, BROKEN)
        if cuda and not levels:
            levels[f"{name} with CUDA, of which no rule is known"] = (UNKNOWN, SUPPORTED)
        for arch in host.archs:
            if self.facts["architectures"][arch]["vendor"] != "nvidia":
                levels[f"{name} on {arch}"] = (BROKEN, UNKNOWN)
            elif name == "cudnn":
                lines = [t for t in self.facts["targets"].values() if holds(t["of"].get(name, "<0"), version) and (not cuda or holds(t["of"].get("cuda", "*"), cuda))]
                found = [self.line(line, arch) for line in lines]
                levels[f"{name} on {arch}"] = max(found, default=(UNKNOWN, UNKNOWN))
        return levels

    def line(self, line, arch):
        if self.inside(line, arch):
            return (EXPECTED, SUPPORTED) if line.get("complete") else (UNKNOWN, EXPECTED)
        return (BROKEN, BROKEN) if line.get("complete") else (BROKEN, UNKNOWN)

    def bundled(self, build, name, version, host):
        """A library beside torch: the build's own, or another at one's own risk; companions are built for one torch."""
        if name in build.get("companions", {}):
            return SUPPORTED if agree(build["companions"][name], version) and len(number(version)) <= len(number(build["companions"][name])) else BROKEN
        if name in build.get("bundles", {}) and host.platform.startswith("linux"):
            return SUPPORTED if agree(build["bundles"][name], version) and len(number(version)) <= len(number(build["bundles"][name])) else WORKAROUND
        return None


def target(override):
    """The target that a value of the override names, "10.3.0" gfx1030; None for one that the runtime refuses."""
    parts = re.fullmatch(r"([0-9]+)\.([0-9]+)\.([0-9]+)", override or "")
    return f"gfx{int(parts[1])}{int(parts[2]):x}{int(parts[3]):x}" if parts else None


# --- requests ------------------------------------------------------------------------------------

class Host:
    """A request's host in the terms of the rules."""

    def __init__(self, facts, request):
        self.archs, self.names, self.classes, machines, self.embedded = [], [], set(), [], False
        for gpu in request["gpu"]:
            models = [g for g in facts["gpus"].values() if g["name"].lower() == gpu.lower()]
            arch = models[0]["architecture"] if models else gpu
            covers = facts["architectures"].get(arch, {}).get("covers", [])
            self.archs.append(covers[0] if len(covers) == 1 else arch)   # sm_90a is a target for sm_90, the card
            self.names.append([g["name"] for g in models])
            self.classes |= {g.get("class") for g in models} or {None}
            machines.append(models and all(g.get("machine") == "linux-aarch64" for g in models))
            self.embedded = self.embedded or facts["architectures"][self.archs[-1]].get("embedded", False)
        vendors = {facts["architectures"][a]["vendor"] for a in self.archs}
        self.vendor = vendors.pop() if len(vendors) == 1 else "mixed" if vendors else ""
        os_text = request.get("os") or ""
        windows = os_text.startswith("windows")
        self.kernel = request.get("kernel")
        self.windows_driver = windows or "microsoft" in (self.kernel or "")
        self.platform = ("windows-" if windows else "linux-") + ("aarch64" if self.embedded or any(machines) else "x86_64")
        self.component = ("adrenalin" if windows else "amdgpu-dkms") if self.vendor == "amd" else ("nvidia-windows" if self.windows_driver else "nvidia")
        self.driver, self.env = request.get("driver"), request["env"]
        self.os_id = os_text.replace(":", "-")
        self.os_name = os_text
        self.override = self.env.get(OVERRIDE) if not windows else None   # nothing reads it there
        self.image, self.known_image = request.get("image"), image_of(facts, request.get("image"))
        self.user_space = self.os_name if not self.image else system_of(facts, self.known_image, self.image)
        self.asks_for_processor = any(spec.endswith("+cpu") for spec in request["specs"])

    def is_one_of(self, systems):
        return any(self.os_name == s or self.os_name.startswith((s + ":", s + ".")) for s in systems)


def image_name(name):
    """(repository, tag, digest), each empty where it is not given."""
    name, _, digest = name.partition("@")
    repository, _, tag = name.partition(":")
    return repository, tag, digest


def image_of(facts, name):
    """The fact of an image; with a digest that of the tag that had the digest."""
    repository, tag, digest = image_name(name or "")
    if not digest:
        return next((i for i in facts["images"].values() if i["repository"] == repository and tag in i["tags"]), None)
    seen = [d for d in facts["digests"].values() if d["digest"] == digest and d["repository"] == repository]
    held = [(i, d) for d in seen for i in facts["images"].values() if i["repository"] == repository and d["tag"] in i["tags"] and not i.get("moving")]
    if not held:
        return None
    image, fact = held[0]
    return {**image, "tags": [fact["tag"]], **({"platforms": [fact["platform"]]} if "platform" in fact else {})}


def system_of(facts, image, name):
    """The system in an image, "ubuntu:22.04": its fact tells it, or the end of its tag."""
    if not image or image.get("os"):
        return (image or {}).get("os")
    end = re.fullmatch(r".*-([a-z]+)([0-9.]+)", image["tags"][0] if "@" in name else name) if image["repository"] == "nvidia/cuda" else None
    names = {"rockylinux": "rocky", "ubi": "rhel", "oraclelinux": "ol", "azl": "azurelinux", "opensuse": "opensuse-leap"}
    if not end:
        return None
    system, version = names.get(end[1], end[1]), end[2]
    minors = [r["version"] for r in facts["os-releases"].values() if r["os"] == system and r["version"].startswith(version + ".")]
    return f"{system}:{version if f'{system}-{version}' in facts['os-releases'] else max(minors, key=number, default=version)}"


class Requests:
    """Random requests; the more usual ones more often."""

    def __init__(self, facts, seed):
        self.facts, self.random = facts, random.Random(seed)
        names = {}
        for gpu in facts["gpus"].values():
            names.setdefault(gpu["name"].lower(), []).append(gpu)
        self.cards = {"nvidia": [], "amd": []}
        for models in names.values():
            if len({g["architecture"] for g in models}) == 1:
                self.cards[models[0]["vendor"]].append(models[0]["name"])
        self.archs = {v: [a["id"] for a in facts["architectures"].values() if a["vendor"] == v and "generation" in a] for v in self.cards}
        self.builds = list(facts["builds"].values())
        built = {code for b in self.builds for code in b.get("architectures", [])}
        self.archs_of_builds = {v: [a for a in self.archs[v] if a in built or v == "nvidia"] for v in self.cards}
        self.cards_by_arch = {a: [m[0]["name"] for m in names.values() if m[0]["architecture"] == a and len({g["architecture"] for g in m}) == 1]
                              for v in self.cards for a in self.archs[v]}
        self.drivers = {"nvidia": sorted({d for b in facts["driver-branches"].values() for d in (b.get("latest"), b.get("first")) if d} |
                                         {r["bundles"]["nvidia"] for r in facts["releases"].values() if "nvidia" in r.get("bundles", {})} |
                                         {"525.60.12", "525.60.13", "450.80.02", "579.99", "580", "352.10", "1.0", "999.0"}),
                        "windows": sorted({r["bundles"]["nvidia-windows"] for r in facts["releases"].values() if "nvidia-windows" in r.get("bundles", {})} |
                                          {"528.32", "528.33", "537.13", "581.29"}),
                        "amd": ["5.3", "5.7.1", "6.0.2", "6.1.3", "6.2.4", "6.3.3", "6.4.1", "30.10", "30.10.2", "30.20.1", "30.30.3", "31.20.0"]}
        self.overrides = sorted({o["environment"][OVERRIDE] for o in facts["overrides"].values() if OVERRIDE in o["environment"]})
        self.images = {}
        others = {r["component"] for r in facts["releases"].values()} & {"vllm", "sglang", "llama-cpp", "tensorflow"}   # whose own lists count
        for image in facts["images"].values():
            if others & set(image.get("bundles", {})) or image["repository"].startswith("ghcr.io/"):
                continue
            self.images.setdefault(image["repository"].split("/dev-")[0], []).extend(f"{image['repository']}:{tag}" for tag in image["tags"])
        self.releases = {name: sorted(r["version"] for r in facts["releases"].values() if r["component"] == name) for name in ("cudnn", "nccl", "cuda", "rocm")}

    def some(self, chance):
        return self.random.random() < chance

    def one(self):
        pick = self.random.choice
        vendor = pick(["nvidia", "nvidia", "amd"])
        request = {"run": pick(["check", "resolve", "resolve"]), "gpu": [], "env": {}, "specs": []}
        for _ in range(pick([0, 1, 1, 1, 1, 1, 1, 1, 2, 3])):
            if self.some(0.02):
                vendor_of_card = "amd" if vendor == "nvidia" else "nvidia"
            else:
                vendor_of_card = vendor
            request["gpu"].append(self.card(vendor_of_card))
        if self.some(0.05):
            request["os"] = pick(["alpine:3.22", "alpine:2.0", "ubuntu:99.04", "no-such-system:1", "ubuntu:26.10"])
        elif self.some(0.5):
            request["os"] = pick(["windows:11"] if self.some(0.15) else sorted(f"{r['os']}:{r['version']}" for r in self.facts["os-releases"].values() if "glibc" in r.get("bundles", {})))
        windows = request.get("os", "").startswith("windows")
        if not windows and self.some(0.1):
            request["kernel"] = "5.15.167.4-microsoft-standard-WSL2"
        if self.some(0.6) and not (vendor == "amd" and windows):
            drivers = self.drivers["windows" if vendor == "nvidia" and (windows or "kernel" in request) else vendor]
            request["driver"] = pick(drivers if self.some(0.4) else [d for d in drivers if number(d) >= (535,)] or drivers)
        if self.some(0.5):
            request["python"] = pick(["3.8", "3.9", "3.10", "3.11", "3.12", "3.12", "3.13", "3.14", "3.7", "3.15", "3.12.4", "3.14t", "2.7"])
        if self.some(0.25 if vendor == "amd" else 0.02):
            request["env"][OVERRIDE] = self.an_override(request)
        if self.some(0.05 if windows else 0.2):
            request["image"] = self.an_image(vendor)
        if vendor == "amd" and not windows and "driver" not in request and "kernel" not in request and self.some(0.2):
            request["kernel"] = pick(["5.15.0-91-generic", "6.8.0-41-generic", "6.14.0-27-generic", "4.18.0-553.el8_10.x86_64", "5.14.0-427.el9.x86_64", "6.17.0-5-generic"])
        request["specs"] = self.check_specs(vendor, request) if request["run"] == "check" else self.resolve_specs(vendor)
        if self.some(0.01):
            request[pick(["os", "driver", "python", "image"])] = ""
        return request

    def an_override(self, request):
        """A value of a report, the own target of a card, one that nobody reports, or nonsense."""
        pick = self.random.choice
        parts = [re.fullmatch(r"gfx(\d+)([0-9a-f])([0-9a-f])", arch) for arch in Host(self.facts, request).archs]
        own = [f"{part[1]}.{int(part[2], 16)}.{int(part[3], 16)}" for part in parts if part] or self.overrides
        unreported = ["9.0.8", "9.0.10", "9.4.2", "10.3.1", "11.0.1", "11.0.2", "11.5.1", "12.0.1", "99.0.0"]
        nonsense = ["banana", "10.3", "gfx1030", "10.3.0.0", "1030", "10,3,0", "-1.0.0"]
        return pick(pick([self.overrides, self.overrides, self.overrides, own, unreported, nonsense]))

    def an_image(self, vendor):
        pick = self.random.choice
        if self.some(0.1):
            return pick(["foo/bar:1", "nvidia/cuda:99.9.9-base-ubuntu22.04", "pytorch/pytorch:latest", "ubuntu", "rocm/pytorch:rocm99_none"])
        fitting = [name for name in self.images if name.startswith("rocm") == (vendor == "amd")]
        if self.some(0.12):
            return self.a_digest(vendor)
        return pick(self.images[pick(fitting if self.some(0.95) else sorted(self.images))])

    def a_digest(self, vendor):
        """An image by its digest, with its tag or alone; now and then one that nobody saw."""
        fact = self.random.choice([d for d in self.facts["digests"].values() if d["repository"].startswith("rocm") == (vendor == "amd")])
        digest = fact["digest"] if self.some(0.85) else "sha256:" + "0" * 64
        return f"{fact['repository']}:{fact['tag']}@{digest}" if self.some(0.7) else f"{fact['repository']}@{digest}"

    def card(self, vendor):
        """A model or an architecture, an old one less often."""
        pick = self.random.choice
        names = self.cards[vendor] if self.some(0.4) else self.cards_by_arch[pick(self.archs_of_builds[vendor])]
        return pick(names) if names and self.some(0.7) else pick(self.archs[vendor])

    def a_build(self, vendor):
        wanted = {"nvidia": "cuda", "amd": "rocm"}[vendor]
        fitting = [b for b in self.builds if b["accelerator"] == wanted]
        return self.random.choice(fitting if self.some(0.9) else self.builds)

    def check_specs(self, vendor, request):
        if self.some(0.6 if "image" in request else 0.02):
            return ["torch"] if self.some(0.2) else []
        if self.some(0.15):
            return self.specs_of_libraries(vendor)
        build = self.a_build(vendor)
        specs = [f"torch=={build['id'].split('-', 1)[1]}"]
        if self.some(0.15):
            specs.append(self.part_of(build))
        if self.some(0.04):
            specs.append(self.random.choice(["python==3.12", "python==3.10", f"driver=={self.random.choice(self.drivers[vendor])}"]))
        if self.some(0.1):
            specs = [self.random.choice(["torch==9.9.9", "torch==2.6.0+cu999", "torch==2.9.0.dev20250801+cu129", "torch", "no-such-package==1", "cuda==12.4", "rocm==6.4.1",
                                         "cuda==13.0.0", "rocm==7.2", "torch=>2", "==2", "torch==2.6.0; rm -rf /"])]
        if len(specs) == 1 and self.some(0.1):
            specs.append("torchvision" if self.some(0.5) else "no-such-package>=2")
        return specs

    def specs_of_libraries(self, vendor):
        """A runtime, a library, or both."""
        pick = self.random.choice
        if vendor == "amd" and self.some(0.8):
            return [f"rocm=={pick(self.releases['rocm'])}"]
        library = pick(["cudnn", "cudnn", "nccl"])
        version = pick(self.releases[library])
        short = ".".join(version.split(".")[:3])
        alone, runtime = [f"{library}=={pick([short, version])}"], [f"cuda=={pick(self.releases['cuda'])}"]
        return pick([alone, alone + runtime, runtime])

    def part_of(self, build):
        """A library or companion of a build, its own or another one."""
        pick = self.random.choice
        own = {**build.get("companions", {}), **{n: v for n, v in build.get("bundles", {}).items() if n in ("cudnn", "nccl")}}
        if not own or self.some(0.3):
            return pick(["torchvision==0.20.0", "torchaudio==2.5.0", "cudnn==9.1.0", "nccl==2.21.5", "torchvision==9.9"])
        name = pick(sorted(own))
        return f"{name}=={own[name] if self.some(0.5) else '.'.join(own[name].split('.')[:3])}"

    def resolve_specs(self, vendor):
        pick = self.random.choice
        version = pick(self.builds)["id"].split("-", 1)[1].split("+")[0]
        minor = ".".join(version.split(".")[:2])
        runtime = {"nvidia": ["cuda==12.4", "cuda>=12", "cuda<12", "cuda==13.*", "cuda==11.8"], "amd": ["rocm==6.4", "rocm>=7", "rocm<6", "rocm==7.2.*"]}[vendor]
        ways = [[], [], ["torch"], [f"torch>={minor}"], [f"torch=={minor}.*"], [f"torch~={version}"], [f"torch=={version}"], [f"torch<{minor}"], [f"torch!={version}"],
                [f"torch=={self.a_build(vendor)['id'].split('-', 1)[1]}"], [f"torch>={minor},<{int(minor.split('.')[0])}.{int(minor.split('.')[1]) + 2}"],
                [pick(runtime)], [f"torch>={minor}", pick(runtime)], ["torch", "torchvision", "no-such-package"], ["torch>99"], ["torch=>2"], ["torch>=2.6,<2.5"],
                ["torch[extra]>=2.4"], ["pytorch"], ["cuda>=13,<12"]]
        return pick(ways)


def arguments(request):
    args = [request["run"]]
    for gpu in request["gpu"]:
        args += ["--gpu", gpu]
    for key in ("driver", "os", "kernel", "python", "image"):
        if request.get(key) is not None:
            args += ["--" + key, request[key]]
    for name, value in request["env"].items():
        args += ["--env", f"{name}={value}"]
    for spec in request["specs"]:
        args += [spec] if request["run"] == "check" else ["--with", spec]
    return args + (["--alternatives", "3"] if request["run"] == "resolve" else []) + ["--format", "json"]


# --- judging -------------------------------------------------------------------------------------

def minor(python):
    return ".".join(python.split(".")[:2]) if python else None


def is_torch(spec):
    return re.match(r"torch(\[|[=<>!~]|$)", spec) is not None


class Judge:
    def __init__(self, program, facts, rules):
        self.program, self.facts, self.rules = program, facts, rules
        self.counts = {}

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def ask(self, request):
        """(exit code, answer or None, what stands on stderr, bytes)"""
        code, out, said = call(self.program, arguments(request))
        try:
            return code, json.loads(out) if code in (0, 1) else None, said, out
        except ValueError:
            return code, None, "standard output is not JSON", out

    def judge(self, index, request):
        """Everything that is wrong with the answer to one request."""
        code, answer, said, out = self.ask(request)
        mistake = self.mistake(request)
        if code == 2 and said:
            self.count("usage errors")
            return [] if mistake or self.may_be_refused(request) else [f"refused a good request: {said.splitlines()[0]}"]
        if mistake:
            return [f"not refused, exit code {code}, {answer and (answer.get('verdict') or answer.get('status'))}: {mistake}"]
        if answer is None:
            return [f"exit code {code}: {said[:200]}"]
        if answer.get("schema_version") != 1:
            return ["no schema_version 1"]
        problems = []
        if index % 5 == 0 and self.ask(request)[3] != out:
            problems.append("the same request gave other bytes the second time")
        if "each" in answer:
            self.count("several architectures")
            return problems
        request = plain(request)
        host = Host(self.facts, request)
        problems += self.judge_check(request, host, code, answer) if request["run"] == "check" else self.judge_resolve(request, host, code, answer)
        return problems + self.judge_repairs(request, answer)

    def mistake(self, request):
        """What in a request must be refused as a usage error, or None."""
        if any(request.get(key) == "" for key in ("driver", "os", "kernel", "python", "image")):
            return "an empty value"
        for spec in request["specs"]:
            if re.match(r"pytorch\b", spec):
                return "pytorch is no package"
            if "=>" in spec or spec.startswith("==") or ";" in spec:
                return f"{spec} cannot be read"
            if empty(spec):
                return f"{spec} holds no version"
        for name in ("python", "driver"):
            named = wishes(request).get(name) if request["run"] == "check" else None
            if named and request.get(name) and not agree(named, request[name]):
                return f"{name}=={named} beside --{name} {request[name]}"
        return self.other_makers_driver(Host(self.facts, plain(request)))

    def other_makers_driver(self, host):
        if not host.driver or host.vendor not in ("nvidia", "amd"):
            return None
        lowest = number(self.rules.branches[0]["branch"])
        if host.vendor == "amd" and number(host.driver) >= lowest:
            return f"driver {host.driver} is NVIDIA's"
        amd = any(holds("==" + module["driver"], host.driver) for module in self.facts["driver-kernels"].values())
        return f"driver {host.driver} is AMD's" if host.vendor == "nvidia" and amd and number(host.driver) < lowest else None

    def may_be_refused(self, request):
        """One of several cards has two architecture names, or a spec is less exact than the option that it repeats."""
        twins = {a["id"] for a in self.facts["architectures"].values() if "same-as" in a} | {a["same-as"] for a in self.facts["architectures"].values() if "same-as" in a}
        if len(request["gpu"]) > 1 and twins & set(Host(self.facts, request).archs):
            return True
        return any(version and version != request.get(name, version) for name, version in wishes(request).items() if name in ("python", "driver"))

    def cap(self, request, answer):
        """What known issues, which another checker reads, and the state of an image leave at best."""
        severities = {issue["severity"] for issue in answer["issues"]}
        repository, tag, _ = image_name(request.get("image") or "")
        image = image_of(self.facts, request.get("image"))
        unlisted = repository == "nvidia/cuda" and not image and any(
            other["repository"] == repository and tag.startswith(other.get("bundles", {}).get("cuda", "-") + "-") for other in self.facts["images"].values())
        if "blocks" in severities:
            return BROKEN
        if unlisted or (image and image.get("status")):
            return UNKNOWN
        return EXPECTED if "warns" in severities else SUPPORTED

    # check

    def judge_check(self, request, host, code, answer):
        verdict, problems = answer["verdict"], []
        self.count("check: " + verdict)
        if code != (1 if verdict == "broken" else 0):
            problems.append(f"verdict {verdict} with exit code {code}")
        if not answer["reasons"]:
            problems.append("no reason")
        if verdict == "broken" and not answer["repairs"]:
            problems.append("broken without a repair")
        levels = self.check_levels(request, host)
        if levels is None:
            return problems
        low, high = (min(side) for side in zip(*levels.values()))
        low = min(low, self.cap(request, answer))
        if not low <= LEVELS.index(answer["evidence"]) <= high:
            wanted = LEVELS[high] if low == high else f"{LEVELS[low]} to {LEVELS[high]}"
            problems.append(f"evidence is {answer['evidence']}, by the facts {wanted}: {self.told({name: side[1] for name, side in levels.items()})}")
        build = self.named_build(request)
        if build and low == high == WORKAROUND and host.vendor == "amd" and not problems and not host.override and "image" not in request:
            problems += self.judge_environment(build, host, answer["environment"])
        return problems

    def named_build(self, request):
        return self.rules.builds.get(("torch", wishes(request).get("torch")))

    def check_levels(self, request, host):
        """Each question with the range that the facts leave, or None for what is not judged here."""
        wished, build = wishes(request), self.named_build(request)
        libraries = {name: version for name, version in wished.items() if name not in ("torch", "cuda", "rocm")}
        if any(name not in ("cudnn", "nccl", "torchvision", "torchaudio", "torch", "cuda", "rocm") for name in wished) or len(wished) < len(request["specs"]):
            return None
        levels = {}
        if "image" in request:
            levels.update(self.image_levels(request, host, build))
        if build:
            levels.update({name: (level, level) for name, level in self.rules.level(build, host, minor(request.get("python"))).items()})
            for name, version in libraries.items():
                beside = self.rules.bundled(build, name, version, host) if version else None
                levels[f"{name} {version}"] = (BROKEN, SUPPORTED) if beside is None else (beside, beside)
        elif "torch" in wished:
            images_own = request["specs"] == ["torch"] and host.known_image and "torch" in host.known_image.get("bundles", {})
            return levels if images_own else None
        else:
            levels.update(self.runtime_levels(wished, libraries, host))
        return levels or None

    def known_repository(self, host):
        """An unknown tag of a known repository still tells the maker."""
        return any(image["repository"] == image_name(host.image)[0] for image in self.facts["images"].values())

    def image_levels(self, request, host, build):
        if not host.known_image:
            return {"unknown image": (BROKEN if self.known_repository(host) or host.driver else UNKNOWN, UNKNOWN)}
        if build and not self.rules.fits(host.known_image, build):
            return {"another torch than the image holds": (BROKEN, SUPPORTED)}
        if not build:
            levels = {} if host.archs else {"no card": (UNKNOWN, SUPPORTED)}
            levels.update(self.rules.image(host.known_image, host))
            # Beside other packages only what the image forbids counts.
            return levels if not request["specs"] else {name: (BROKEN, high) for name, (_, high) in levels.items()}
        return self.rules.image_host(host.known_image, host)

    def runtime_levels(self, wished, libraries, host):
        """A toolkit, ROCm and libraries without a framework."""
        levels = {}
        if not set(wished) <= {"cuda", "rocm", "cudnn", "nccl"} or None in wished.values():
            return {"not judged": (BROKEN, SUPPORTED)}
        for index, arch in enumerate(host.archs):
            maker = self.facts["architectures"][arch]["vendor"]
            if "cuda" in wished:
                level = self.rules.toolkit(wished["cuda"], arch) if maker == "nvidia" else BROKEN
                levels[f"cuda on {arch}"] = min(level, EXPECTED), level
                if self.facts["architectures"][arch].get("embedded"):
                    levels[f"JetPack for {arch}"] = (self.rules.jetpack(wished["cuda"], host, arch),) * 2
            if "rocm" in wished:
                levels[f"rocm on {arch}"] = self.rules.rocm(wished["rocm"], host, index) if maker == "amd" else (BROKEN, BROKEN)
            if host.driver and wished:
                levels[f"driver for {arch}"] = (self.rules.served(host, index),) * 2
        if host.archs and (wished or libraries):
            levels["kernel modules"] = (self.rules.modules(host),) * 2
        if "rocm" in wished and host.vendor == "amd":
            levels["AMD's list of systems"] = (self.rules.system(wished["rocm"], host),) * 2
        for runtime in set(wished) & {"cuda", "rocm"}:
            if host.driver and (host.vendor in ("nvidia", "amd") or (not host.vendor and runtime == "cuda")):
                levels["driver"] = (self.rules.driver(runtime, wished[runtime], host, False),) * 2
        for name, version in libraries.items():
            levels.update(self.rules.one_library(name, version, wished.get("cuda"), host))
        if "nccl" in wished and len(wished) == 1:
            levels["nccl alone"] = (BROKEN, UNKNOWN)
        return levels

    @staticmethod
    def told(levels):
        return ", ".join(f"{name} {LEVELS[level]}" for name, level in levels.items() if level < SUPPORTED) or "everything supported"

    def judge_environment(self, build, host, given):
        """What is to be set must be what a report says for each card that needs it."""
        codes = self.rules.on(build, "architectures", host.platform)[0]
        value = given.get(OVERRIDE, host.override)
        for arch in host.archs:
            if value and self.rules.code(build, host, arch, value)[0] == BROKEN:
                return [f"{OVERRIDE}={value} breaks {arch}"]
            if codes is None or self.rules.has(build, codes, arch):
                continue
            ways = self.rules.override(build, host, arch, codes, None)
            if not any(way.items() <= {**host.env, **given}.items() for way in ways):
                return [f"{arch} needs one of {ways}, the answer sets {given}"]
        return []

    # resolve

    def judge_resolve(self, request, host, code, answer):
        status, stacks, problems = answer["status"], answer["stacks"], []
        self.count("resolve: " + status)
        if (status == "found") != bool(stacks) or code != (0 if stacks else 1):
            problems.append(f"status {status}, {len(stacks)} stacks, exit code {code}")
        seen = set()
        for stack in stacks:
            key = json.dumps(stack["components"], sort_keys=True)
            if key in seen:
                problems.append("the same stack twice")
            seen.add(key)
            if "torch" in stack["components"]:
                problems += self.judge_stack(request, host, stack)
        if stacks and "torch" in stacks[0]["components"]:
            problems += self.judge_best(request, host, stacks[0])
            problems += self.judge_by_check(request, stacks[0])
        if not stacks:
            if not answer["conflict"]["reasons"]:
                problems.append("no stack and no reason")
            if not answer["repairs"] and request["gpu"]:   # without a card two contradictions may need two changes
                problems.append("no stack and no repair")
            problems += self.judge_none(request, host)
        return problems

    def judge_stack(self, request, host, stack):
        parts, problems = stack["components"], []
        title = "torch " + parts["torch"]
        build = self.rules.builds.get(("torch", parts["torch"]))
        if build is None:
            return [f"{title} is no build of the matrix"]
        if build["accelerator"] not in ("cuda", "rocm") and not (build["accelerator"] == "cpu" and host.asks_for_processor):
            problems.append(f"{title} is a build for {build['accelerator']}")
        if self.rules.preview(build) and not any("==" in spec for spec in request["specs"]):
            problems.append(f"{title} is a preview that nobody asked for")
        if request.get("python") and parts.get("python") != minor(request["python"]):
            problems.append(f"Python {parts.get('python')} instead of {request['python']}")
        if request.get("driver") and "driver" in parts and parts["driver"] != request["driver"]:
            problems.append(f"driver {parts['driver']} instead of {request['driver']}")
        if host.embedded and "driver" in parts and not request.get("driver"):
            problems.append(f"driver {parts['driver']} for a Jetson, whose driver is that of JetPack")
        given = Host(self.facts, {**request, "driver": request.get("driver") or parts.get("driver")})
        levels = self.stack_levels(build, given, parts.get("python"))
        wanted = min(levels.values())
        if host.known_image and not self.rules.fits(host.known_image, build):
            problems.append(f"{title} is not the torch that {host.image} holds")
        if LEVELS.index(stack["evidence"]) > wanted:
            problems.append(f"{title} is called {stack['evidence']}, by the facts {LEVELS[wanted]}: {self.told(levels)}")
        elif LEVELS.index(stack["evidence"]) < min(wanted, self.cap(request, stack)) and len(request["specs"]) <= 1 and not host.known_image:
            problems.append(f"{title} is called {stack['evidence']} only, by the facts {LEVELS[wanted]}: {self.told(levels)}")
        problems += self.judge_environment(build, host, stack["environment"])
        for name, version in self.contents(build, host).items():
            if parts.get(name) != version:
                problems.append(f"{title} has {name} {version}, the answer says {parts.get(name)}")
        if not host.platform.startswith("linux"):
            unread = [name for name in build.get("bundles", {}) if name in parts and name not in self.contents(build, host)]
            problems += [f"{title} for Windows lists {name}, which was not read" for name in unread]
        problems += self.judge_stack_image(request, host, build, stack)
        if not self.matches(request, build):
            problems.append(f"{title} is not what was asked for")
        return problems + self.judge_command(build, host, stack)

    @staticmethod
    def contents(build, host):
        """What comes with a build; of a Windows wheel only the runtime is known."""
        bundles = build.get("bundles", {})
        if not host.platform.startswith("linux"):
            bundles = {name: version for name, version in bundles.items() if name == build["accelerator"]}
        return {**bundles, **build.get("companions", {})}

    def judge_stack_image(self, request, host, build, stack):
        """An image that is offered with a stack could stand in for it."""
        offered = stack.get("image")
        if not offered:
            return []
        image = image_of(self.facts, offered["name"])
        if image is None and offered["name"] == request.get("image"):
            return []
        if image is None or image["id"] != offered["fact"] or image.get("bundles", {}) != offered["components"]:
            return [f"the image {offered['name']} is not that of the matrix"]
        if request.get("image"):
            return [f"the image {offered['name']} instead of {request['image']}"] if host.known_image and request["image"] != offered["name"] else []
        held, version = image["bundles"], build["id"].split("-", 1)[1]
        if "torch" not in held or build["accelerator"] not in held:
            return [f"the image {offered['name']} has no torch for {build['accelerator']}"]
        if number(held["torch"].split("+")[0]) > number(version.split("+")[0]):
            return [f"the image {offered['name']} is newer than torch {version}"]
        levels = self.rules.image(image, host)
        bad = [name for name, (_, high) in levels.items() if high == BROKEN]
        return [f"the image {offered['name']} does not run there: {', '.join(bad)}"] if bad else []

    def judge_command(self, build, host, stack):
        """The index that the command names has the build for this platform."""
        indexes = self.rules.on(build, "index", host.platform)[0] or []
        command = " ".join(stack["commands"])
        found = re.search(r"--(?:extra-)?index-url (\S+)", command)
        if not indexes or not command:
            return [f"no command, or no index known: {stack['commands']}, {indexes}"]
        if "selector" in build:
            lacking = [arch for arch in host.archs if build["selector"].replace("<gfx>", arch) not in command and not stack["environment"]]
            if lacking:
                return [f"the command brings no code for {lacking}: {command}"]
        if found is None:
            return [] if "pypi" in indexes else [f"the command names no index, the build is on {indexes}"]
        addresses = [self.facts["wheel-indexes"].get(i, {}).get("address", i) for i in indexes]
        return [] if found[1].strip("'\"") in addresses else [f"the command names {found[1]}, the build is on {indexes}"]

    def matches(self, request, build):
        for spec in request["specs"]:
            found = re.fullmatch(r"(torch|cuda|rocm)(?:\[.*\])?([=<>!~].*)?", spec)
            if not found or not found[2]:
                continue
            if found[1] == "torch":
                if not SpecifierSet(found[2]).contains(build["id"].split("-", 1)[1], prereleases=True):
                    return False
            else:
                bundled = build.get("bundles", {}).get(found[1])
                exact = re.fullmatch(r"==([0-9.]+)", found[2])
                if not bundled or not (holds(found[2], bundled) or (exact and padded(number(bundled), number(exact[1]))[0][:len(number(exact[1]))] == number(exact[1]))):
                    return False
        return True

    def drivers(self, request, host):
        """The host with each driver that may be chosen for it."""
        drivers = [request.get("driver")]
        if not request.get("driver") and host.component == "nvidia" and host.vendor == "nvidia" and not host.embedded:
            drivers = [b["latest"] for b in self.rules.branches if "latest" in b]
        return [Host(self.facts, {**request, "driver": driver}) for driver in drivers]

    def offered(self, request, host):
        """Builds for the card's maker that may be offered whatever versions are asked for."""
        asked = any("==" in spec for spec in request["specs"])
        for build in self.rules.builds.values():
            if build["accelerator"] in ("cuda", "rocm") and (asked or not self.rules.preview(build)) and self.rules.on(build, "index", host.platform)[0]:
                yield build

    def candidates(self, request, host, free=None):
        """Builds that may be offered, each with its best level over the Pythons and drivers that the request leaves open; free relations do not count."""
        pythons = [minor(request["python"])] if request.get("python") else list(self.facts["python-releases"][p]["version"] for p in self.facts["python-releases"])
        hosts = self.drivers(request, host)
        for build in self.offered(request, host):
            if not self.matches(request, build) or (host.known_image and not self.rules.fits(host.known_image, build)):
                continue
            if min(self.stack_levels(build, Host(self.facts, {**request, "driver": None}), None).values()) <= BROKEN:
                continue
            known = [self.rules.python(build, host, python) for python in pythons]
            python = max(known if request.get("python") else [level for level in known if level >= EXPECTED], default=BROKEN)
            yield build, min(python, max(self.least(build, there, None, free or {}) for there in hosts))

    def least(self, build, host, python, free):
        """The worst level of a build; one that no build can better does not count."""
        return min((level for name, level in self.stack_levels(build, host, python).items() if level != free.get(name)), default=SUPPORTED)

    def free(self, request, host):
        """Relations in which no build for the card's maker does better than expected or unknown, with that level: it decides nothing."""
        best = {}
        for there in self.drivers(request, host):
            for build in self.offered(request, host):
                if build["accelerator"] == {"nvidia": "cuda", "amd": "rocm"}.get(host.vendor):
                    for name, level in self.stack_levels(build, there, None).items():
                        best[name] = max(level, best.get(name, BROKEN))
        return {name: level for name, level in best.items() if level in (UNKNOWN, EXPECTED)}

    def only_torch(self, request):
        return bool(request["gpu"]) and all(is_torch(s) or re.match(r"cuda|rocm", s) for s in request["specs"]) and (
            not request["specs"] or is_torch(request["specs"][0]))

    def stack_levels(self, build, host, python):
        """Of a build on a host, or in the image that is asked for."""
        levels = self.rules.level(build, host, python)
        if host.known_image:
            levels.update({name: high for name, (_, high) in self.rules.image_host(host.known_image, host).items()})
        elif host.image:
            levels["unknown image"] = UNKNOWN
        return levels

    def judge_best(self, request, host, stack):
        """No build of a newer release is as well known."""
        if not self.only_torch(request) or host.known_image:   # there the levels are upper bounds
            return []
        parts, free = stack["components"], self.free(request, host)
        there = Host(self.facts, {**request, "driver": request.get("driver") or parts.get("driver")})
        chosen, level = number(parts["torch"].split("+")[0]), self.least(self.rules.builds[("torch", parts["torch"])], there, parts.get("python"), free)
        better = [b["id"] for b, best in self.candidates(request, host, free)
                  if best > level or (best == level and number(b["id"].split("-", 1)[1].split("+")[0]) > chosen)]
        return [f"{better[0]} is newer or better known than {parts['torch']} ({stack['evidence']})"] if better else []

    def judge_none(self, request, host):
        if host.image and not host.known_image and self.known_repository(host):
            return []
        if not self.only_torch(request):
            return []
        good = [f"{b['id']} {LEVELS[best]}" for b, best in self.candidates(request, host) if best > BROKEN]
        return [f"no stack, but {good[0]}" + (f" and {len(good) - 1} more" if len(good) > 1 else "")] if good else []

    def judge_by_check(self, request, stack):
        """What resolve offers, check must not call worse."""
        parts = stack["components"]
        given = {**request, "run": "check", "specs": ["torch==" + parts["torch"]] + [s for s in request["specs"] if not is_torch(s)], "python": parts.get("python"),
                 "driver": request.get("driver") or parts.get("driver"), "env": {**request["env"], **stack["environment"]}}
        code, answer, said, _ = self.ask(given)
        if answer is None:
            return [f"check refuses what resolve offers: exit code {code}, {said[:200]}"]
        if answer["evidence"] != stack["evidence"]:
            return [f"resolve calls torch {parts['torch']} {stack['evidence']}, check {answer['evidence']}: {answer['reasons'][0]['text']}"]
        return []

    # repairs

    def judge_repairs(self, request, answer):
        problems, before = [], self.rank(answer)
        for repair in answer["repairs"]:
            changes = repair["changes"]
            if not changes:
                continue
            self.count("repairs followed")
            changed = self.changed(request, changes)
            if repair["text"].startswith("begin anew") and changes.get("image"):
                changed.update(run="check", specs=[])   # the image alone
            code, after, said, _ = self.ask(changed)
            if after is None or self.rank(after) <= min(before, EXPECTED):
                verdict = after and (after.get("verdict") or after.get("status"))
                problems.append(f"the repair `{repair['text']}` gives {verdict or f'exit code {code}, {said[:100]}'}: {shlex.join(arguments(changed))}")
        return problems

    @staticmethod
    def rank(answer):
        """The better, the higher; several architectures count by the worst."""
        if "each" in answer:
            return min((Judge.rank(one) for one in answer["each"]), default=UNKNOWN)
        if "status" in answer:
            return LEVELS.index(answer["stacks"][0]["evidence"]) if answer["stacks"] else BROKEN
        return LEVELS.index(answer["evidence"]) if answer["evidence"] in LEVELS else EXPECTED

    @staticmethod
    def changed(request, changes):
        """The request after a repair."""
        changed = {**request, "env": dict(request["env"]), "specs": list(request["specs"])}
        for name, value in changes.items():
            if name == "gpu":
                changed["gpu"] = [value]
            elif name in ("python", "driver", "image", "os", "kernel"):
                changed[name] = value or None
            elif name.isupper():
                changed["env"].pop(name, None)
                if value:
                    changed["env"][name] = value
            else:
                changed["specs"] = ([f"{name}=={value}"] if value else []) + [s for s in changed["specs"] if re.match(r"[a-z0-9-]*", s)[0] != name]
        if changes.get("torch", "").endswith("+cpu"):
            changed.update(gpu=[], run="check", specs=["torch==" + changes["torch"]], driver=None)
        return changed


def main():
    parser = argparse.ArgumentParser(description="Judge the answers to random requests.")
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", help="only the requests with these numbers")
    options = parser.parse_args()
    facts = only_torch(read_facts(options.program))
    judge = Judge(options.program, facts, Rules(facts))
    generator = Requests(facts, options.seed)
    requests = list(enumerate(generator.one() for _ in range(options.count)))
    if options.only:
        requests = [requests[int(i)] for i in options.only.split(",")]

    def one(numbered):
        try:
            return judge.judge(*numbered)
        except subprocess.TimeoutExpired:
            return [f"no answer within {TIMEOUT_S} s"]

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
        for (index, request), problems in zip(requests, pool.map(one, requests)):
            for problem in problems:
                print(f"{'OPEN' if problem.startswith(OPEN) else 'FAIL'} {index} vmatrix {shlex.join(arguments(request))}: {problem}", flush=True)
            failed += any(not problem.startswith(OPEN) for problem in problems)
    print("; ".join(f"{what} {count}" for what, count in sorted(judge.counts.items())))
    print(f"{len(requests) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
