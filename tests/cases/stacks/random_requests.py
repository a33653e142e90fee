#!/usr/bin/env python3
"""Asks `vmatrix resolve` and `vmatrix check` at random and judges the answers by rules of its own.

    random_requests.py PROGRAM [--count N] [--seed S] [--jobs N] [--only INDEX,...]

The rules below are written from the facts alone, which `vmatrix matrix list KIND --format json` prints: nothing is shared with the
program but its data. For each offered stack they say how good it can be at best; for a stack given to `check`, what the verdict must be;
for "none", that no build would do. Beside that: exit code and answer agree, the same request gives the same bytes, a "no" has a reason
and a repair, a repair that is followed helps, and what resolve offers check does not call broken.
"""

import argparse
import concurrent.futures
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
         "gpu-support", "gpus", "driver-branches", "wheel-indexes", "python-releases")
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


# --- versions ------------------------------------------------------------------------------------

def number(text):
    return tuple(int(part) for part in re.findall(r"[0-9]+", text))


def padded(a, b):
    size = max(len(a), len(b))
    return a + (0,) * (size - len(a)), b + (0,) * (size - len(b))


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
        self.branches = sorted((b for b in facts["driver-branches"].values() if b["component"] == "nvidia"), key=lambda b: number(b["branch"]))

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

    def override(self, arch, codes, value):
        """Environments that a report gives for this card on code that the build has."""
        return [o["environment"] for o in self.facts["overrides"].values()
                if o["status"] == "reported" and arch in o["architectures"] and o.get("runs") in codes and OVERRIDE in o["environment"]
                and value in (None, o["environment"][OVERRIDE])]

    def blas_lacks(self, build, arch):
        """The BLAS library of this ROCm is known completely and has no code for the card."""
        if "selector" in build:
            return False
        for target in self.facts["targets"].values():
            if target.get("complete") and holds(target["of"].get("rocm", "<0"), self.runtime(build)):
                return arch not in target["architectures"]
        return False

    def code(self, build, host, arch):
        """(level, whether the driver has to compile PTX)"""
        vendor = self.facts["architectures"][arch]["vendor"]
        if build["accelerator"] == "cpu" and host.asks_for_processor:
            return EXPECTED, False
        if build["accelerator"] != {"nvidia": "cuda", "amd": "rocm"}[vendor]:
            return BROKEN, False
        codes, field = self.on(build, "architectures", host.platform)
        if codes is None and self.facts["architectures"][arch].get("embedded"):
            return BROKEN, False   # whatever the list says, it is that of servers
        if codes is None:
            return self.code_by_toolkit(build, arch), False
        native = any(self.runs(code, arch) for code in codes)
        level = EXPECTED if field in build.get("derived", []) else SUPPORTED
        if vendor == "nvidia":
            if native:
                return level, False
            ptx = any(self.compiles(p, arch) for p in self.on(build, "ptx", host.platform)[0] or [])
            return (EXPECTED, True) if ptx else (BROKEN, False)
        if native:
            if self.blas_lacks(build, arch):
                return BROKEN, False
            return (min(level, WORKAROUND) if OVERRIDE in host.env else level), False
        return (WORKAROUND if self.override(arch, codes, host.env.get(OVERRIDE)) else BROKEN), False

    def code_by_toolkit(self, build, arch):
        """Without a list only a firm no of the toolkit is known."""
        if build["accelerator"] == "cuda":
            for target in self.facts["targets"].values():
                if set(target["of"]) == {"cuda"} and holds(target["of"]["cuda"], self.runtime(build)):
                    cc = self.facts["architectures"][arch].get("compute-capability")
                    twins = {arch, self.facts["architectures"][arch].get("same-as", arch)}
                    inside = twins & set(target.get("architectures", [])) or ("compute-capability" in target and cc and holds(target["compute-capability"], cc))
                    return UNKNOWN if inside else BROKEN
        return UNKNOWN

    def listed(self, build, host, index):
        """Whether AMD lists the card for this ROCm: what `supported` needs there."""
        arch, names = host.archs[index], host.names[index]
        squeeze = lambda text: re.sub(r"[ -]", "", text).lower()
        for line in self.facts["gpu-support"].values():
            if line["architecture"] == arch and line["status"] == "supported" and holds(line["of"].get("rocm", "<0"), self.runtime(build)):
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
            return max(known, default=None)
        older = [b for b in self.branches if number(b["branch"]) <= driver]
        return number(older[-1]["cuda"]) if older else None

    def driver(self, build, host, jit):
        runtime = self.runtime(build)
        if build["accelerator"] == "rocm":
            if host.component != "amdgpu-dkms" and (host.vendor or host.windows_driver):
                return SUPPORTED
            for rule in self.facts["rules"].values():
                if "amdgpu-dkms" in rule["requires"] and holds(rule["when"].get("rocm", "<0"), runtime):
                    return SUPPORTED if holds(rule["requires"]["amdgpu-dkms"], host.driver) else BROKEN
            return UNKNOWN
        floor = self.floor(runtime, host.component)
        if floor and not holds(floor, host.driver):
            return BROKEN
        own = [number(r["bundles"][host.component]) for r in self.cuda
               if host.component in r.get("bundles", {}) and like(number(r["version"]), number(runtime)) == number(runtime)]
        newest = self.newest_cuda(host)
        if (own and min(own) <= number(host.driver)) or (newest and like(number(runtime), newest) <= newest):
            return SUPPORTED
        if floor:
            return BROKEN if jit else EXPECTED
        return UNKNOWN

    def served(self, host, index):
        """Rule 4; Linux numbers only."""
        if host.windows_driver or host.vendor != "nvidia":
            return SUPPORTED
        generation = self.facts["generations"].get(self.facts["architectures"][host.archs[index]].get("generation"), {})
        drivers = generation.get("drivers", {}).get("nvidia")
        return SUPPORTED if drivers is None or holds(drivers, host.driver) else BROKEN

    def python(self, build, host, python):
        if python in (self.on(build, "python", host.platform)[0] or []):
            return SUPPORTED
        return WORKAROUND if python in (self.on(build, "experimental-python", host.platform)[0] or []) else BROKEN

    def libc(self, build, host):
        glibc = self.facts["os-releases"].get(host.os_id, {}).get("bundles", {}).get("glibc")
        tag = self.facts["platform-tags"].get(build.get("platform-tag"), {})
        if not glibc or "least-libc" not in tag:
            return SUPPORTED
        return SUPPORTED if number(tag["least-libc"]) <= number(glibc) else BROKEN

    def platform(self, build, host):
        if "platforms" not in build:
            return UNKNOWN
        return SUPPORTED if host.platform in build["platforms"] else BROKEN

    def level(self, build, host, python):
        """Of a build on a host: python and driver count where they are given."""
        levels = {"platform": self.platform(build, host), "libc": self.libc(build, host)}
        jit = False
        for index, arch in enumerate(host.archs):
            levels[f"code for {arch}"], compiled = self.code(build, host, arch)
            jit = jit or compiled
            if build["accelerator"] == "rocm" and not self.listed(build, host, index):
                levels[f"AMD's list for {arch}"] = EXPECTED
            if host.driver:
                levels[f"driver for {arch}"] = self.served(host, index)
        if host.driver and self.runtime(build):
            levels["driver"] = self.driver(build, host, jit)
        if python:
            levels["python"] = self.python(build, host, python)
        return levels

    def preview(self, build):
        release = self.facts["releases"].get(f"{build['accelerator']}-{self.runtime(build)}", {})
        return "preview" in (build.get("stream"), release.get("stream"), self.facts["releases"][build["id"].split("+")[0]].get("stream"))


# --- requests ------------------------------------------------------------------------------------

class Host:
    """A request's host in the terms of the rules."""

    def __init__(self, facts, request):
        self.archs, self.names, machines, embedded = [], [], [], False
        for gpu in request["gpu"]:
            models = [g for g in facts["gpus"].values() if g["name"].lower() == gpu.lower()]
            self.archs.append(models[0]["architecture"] if models else gpu)
            self.names.append([g["name"] for g in models])
            machines.append(models and all(g.get("machine") == "linux-aarch64" for g in models))
            embedded = embedded or facts["architectures"][self.archs[-1]].get("embedded", False)
        vendors = {facts["architectures"][a]["vendor"] for a in self.archs}
        self.vendor = vendors.pop() if len(vendors) == 1 else "mixed" if vendors else ""
        os_text = request.get("os") or ""
        windows = os_text.startswith("windows")
        self.windows_driver = windows or "microsoft" in (request.get("kernel") or "")
        self.platform = ("windows-" if windows else "linux-") + ("aarch64" if embedded or any(machines) else "x86_64")
        self.component = ("adrenalin" if windows else "amdgpu-dkms") if self.vendor == "amd" else ("nvidia-windows" if self.windows_driver else "nvidia")
        self.driver, self.env = request.get("driver"), request["env"]
        self.os_id = os_text.replace(":", "-")
        self.os_name = os_text
        self.asks_for_processor = any(spec.endswith("+cpu") for spec in request["specs"])

    def is_one_of(self, systems):
        return any(self.os_name == s or self.os_name.startswith((s + ":", s + ".")) for s in systems)


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
        if self.some(0.5):
            request["os"] = pick(["windows:11"] if self.some(0.15) else sorted(f"{r['os']}:{r['version']}" for r in self.facts["os-releases"].values() if "glibc" in r.get("bundles", {})))
        windows = request.get("os", "").startswith("windows")
        if vendor == "nvidia" and not windows and self.some(0.1):
            request["kernel"] = "5.15.167.4-microsoft-standard-WSL2"
        if self.some(0.6) and not (vendor == "amd" and windows):
            drivers = self.drivers["windows" if vendor == "nvidia" and (windows or "kernel" in request) else vendor]
            request["driver"] = pick(drivers if self.some(0.4) else [d for d in drivers if number(d) >= (535,)] or drivers)
        if self.some(0.5):
            request["python"] = pick(["3.8", "3.9", "3.10", "3.11", "3.12", "3.12", "3.13", "3.14", "3.7", "3.15", "3.12.4", "3.14t", "2.7"])
        if vendor == "amd" and self.some(0.25):
            request["env"][OVERRIDE] = pick(self.overrides)
        request["specs"] = self.check_specs(vendor) if request["run"] == "check" else self.resolve_specs(vendor)
        return request

    def card(self, vendor):
        """A model or an architecture, an old one less often."""
        pick = self.random.choice
        names = self.cards[vendor] if self.some(0.4) else self.cards_by_arch[pick(self.archs_of_builds[vendor])]
        return pick(names) if names and self.some(0.7) else pick(self.archs[vendor])

    def a_build(self, vendor):
        wanted = {"nvidia": "cuda", "amd": "rocm"}[vendor]
        fitting = [b for b in self.builds if b["accelerator"] == wanted]
        return self.random.choice(fitting if self.some(0.9) else self.builds)

    def check_specs(self, vendor):
        build = self.a_build(vendor)
        specs = [f"torch=={build['id'].split('-', 1)[1]}"]
        if self.some(0.1):
            specs = [self.random.choice(["torch==9.9.9", "torch==2.6.0+cu999", "torch==2.9.0.dev20250801+cu129", "torch", "no-such-package==1", "cuda==12.4", "rocm==6.4.1",
                                         "cuda==13.0.0", "rocm==7.2", "torch=>2", "==2", "torch==2.6.0; rm -rf /"])]
        if self.some(0.1):
            specs.append("torchvision" if self.some(0.5) else "no-such-package>=2")
        return specs

    def resolve_specs(self, vendor):
        pick = self.random.choice
        version = pick(self.builds)["id"].split("-", 1)[1].split("+")[0]
        minor = ".".join(version.split(".")[:2])
        runtime = {"nvidia": ["cuda==12.4", "cuda>=12", "cuda<12", "cuda==13.*", "cuda==11.8"], "amd": ["rocm==6.4", "rocm>=7", "rocm<6", "rocm==7.2.*"]}[vendor]
        ways = [[], [], ["torch"], [f"torch>={minor}"], [f"torch=={minor}.*"], [f"torch~={version}"], [f"torch=={version}"], [f"torch<{minor}"], [f"torch!={version}"],
                [f"torch=={self.a_build(vendor)['id'].split('-', 1)[1]}"], [f"torch>={minor},<{int(minor.split('.')[0])}.{int(minor.split('.')[1]) + 2}"],
                [pick(runtime)], [f"torch>={minor}", pick(runtime)], ["torch", "torchvision", "no-such-package"], ["torch>99"], ["torch=>2"], ["torch>=2.6,<2.5"], ["torch[extra]>=2.4"]]
        return pick(ways)


def arguments(request):
    args = [request["run"]]
    for gpu in request["gpu"]:
        args += ["--gpu", gpu]
    for key in ("driver", "os", "kernel", "python"):
        if request.get(key):
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
        if code == 2 and said:
            self.count("usage errors")
            return [] if self.may_be_refused(request) else [f"refused a good request: {said.splitlines()[0]}"]
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
        host = Host(self.facts, request)
        problems += self.judge_check(request, host, code, answer) if request["run"] == "check" else self.judge_resolve(request, host, code, answer)
        return problems + self.judge_repairs(request, answer)

    def may_be_refused(self, request):
        """A spec that cannot be read, or one of several cards that has two architecture names."""
        twins = {a["id"] for a in self.facts["architectures"].values() if "same-as" in a} | {a["same-as"] for a in self.facts["architectures"].values() if "same-as" in a}
        if len(request["gpu"]) > 1 and twins & set(Host(self.facts, request).archs):
            return True
        return any("=>" in spec or spec.startswith("==") or ";" in spec for spec in request["specs"])

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
        name = request["specs"][0].split("==")
        build = self.rules.builds.get(("torch", name[-1])) if name[0] == "torch" else None
        if build is None or (len(request["specs"]) > 1 and request["specs"][1] == "torchvision" and "torchvision" not in build.get("companions", {})):
            return problems
        levels = self.rules.level(build, host, minor(request.get("python")))
        wanted = LEVELS[min(levels.values())]
        if answer["evidence"] != wanted:
            problems.append(f"evidence is {answer['evidence']}, by the facts {wanted}: {self.told(levels)}")
        if wanted == "workaround" and host.vendor == "amd" and not problems and OVERRIDE not in host.env:
            problems += self.judge_environment(build, host, answer["environment"])
        return problems

    @staticmethod
    def told(levels):
        return ", ".join(f"{name} {LEVELS[level]}" for name, level in levels.items() if level < SUPPORTED) or "everything supported"

    def judge_environment(self, build, host, given):
        """What is to be set must be what a report says for each card that needs it."""
        codes = self.rules.on(build, "architectures", host.platform)[0]
        for arch in host.archs:
            if codes is None or any(self.rules.runs(code, arch) for code in codes):
                continue
            ways = self.rules.override(arch, codes, host.env.get(OVERRIDE))
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
        if build["accelerator"] not in ("cuda", "rocm"):
            problems.append(f"{title} is a build for {build['accelerator']}")
        if self.rules.preview(build) and not any("==" in spec for spec in request["specs"]):
            problems.append(f"{title} is a preview that nobody asked for")
        if request.get("python") and parts.get("python") != minor(request["python"]):
            problems.append(f"Python {parts.get('python')} instead of {request['python']}")
        if request.get("driver") and "driver" in parts and parts["driver"] != request["driver"]:
            problems.append(f"driver {parts['driver']} instead of {request['driver']}")
        given = Host(self.facts, {**request, "driver": request.get("driver") or parts.get("driver")})
        levels = self.rules.level(build, given, parts.get("python"))
        wanted = min(levels.values())
        if LEVELS.index(stack["evidence"]) > wanted:
            problems.append(f"{title} is called {stack['evidence']}, by the facts {LEVELS[wanted]}: {self.told(levels)}")
        elif LEVELS.index(stack["evidence"]) < wanted and len(request["specs"]) <= 1:
            problems.append(f"{title} is called {stack['evidence']} only, by the facts {LEVELS[wanted]}: {self.told(levels)}")
        problems += self.judge_environment(build, host, stack["environment"])
        for field in ("bundles", "companions"):
            for name, version in build.get(field, {}).items():
                if parts.get(name, version) != version or (name not in parts):
                    problems.append(f"{title} has {name} {version}, the answer says {parts.get(name)}")
        if not self.matches(request, build):
            problems.append(f"{title} is not what was asked for")
        return problems + self.judge_command(build, host, stack)

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

    def candidates(self, request, host):
        """Builds that may be offered, each with its best level over the Pythons and drivers that the request leaves open."""
        asked = any("==" in spec for spec in request["specs"])
        pythons = [minor(request["python"])] if request.get("python") else list(self.facts["python-releases"][p]["version"] for p in self.facts["python-releases"])
        drivers = [request.get("driver")]
        if not request.get("driver") and host.component == "nvidia" and host.vendor == "nvidia":
            drivers = [b["latest"] for b in self.rules.branches if "latest" in b]
        for build in self.rules.builds.values():
            if build["accelerator"] not in ("cuda", "rocm") or (self.rules.preview(build) and not asked) or not self.matches(request, build):
                continue
            if not self.rules.on(build, "index", host.platform)[0] or min(self.rules.level(build, Host(self.facts, {**request, "driver": None}), None).values()) <= BROKEN:
                continue
            best = BROKEN
            for driver in drivers:
                there = Host(self.facts, {**request, "driver": driver})
                for python in pythons:
                    level = min(self.rules.level(build, there, python).values())
                    if not request.get("python") and self.rules.python(build, there, python) < EXPECTED:
                        continue
                    best = max(best, level)
            yield build, best

    def only_torch(self, request):
        return bool(request["gpu"]) and all(is_torch(s) or re.match(r"cuda|rocm", s) for s in request["specs"]) and (
            not request["specs"] or is_torch(request["specs"][0]))

    def judge_best(self, request, host, stack):
        """No build of a newer release is as well known."""
        if not self.only_torch(request):
            return []
        chosen, level = number(stack["components"]["torch"].split("+")[0]), LEVELS.index(stack["evidence"])
        better = [b["id"] for b, best in self.candidates(request, host)
                  if best > level or (best == level and number(b["id"].split("-", 1)[1].split("+")[0]) > chosen)]
        return [f"{better[0]} is newer or better known than {stack['components']['torch']} ({stack['evidence']})"] if better else []

    def judge_none(self, request, host):
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
        problems = []
        for repair in answer["repairs"]:
            changes = repair["changes"]
            if not set(changes) & {"torch", "python", "driver"}:
                continue
            self.count("repairs followed")
            changed = {**request, "env": dict(request["env"]), "specs": list(request["specs"])}
            for name, value in changes.items():
                if name == "torch":
                    changed["specs"] = ["torch==" + value] + [s for s in changed["specs"] if not is_torch(s)]
                elif name in ("python", "driver"):
                    changed[name] = value
                elif name != "gpu":
                    changed["env"].pop(name, None)
                    if value:
                        changed["env"][name] = value
            if changes.get("torch", "").endswith("+cpu"):
                changed["gpu"], changed["run"], changed["specs"] = [], "check", ["torch==" + changes["torch"]]
            code, after, said, _ = self.ask(changed)
            verdict = after and (after.get("verdict") or after.get("status"))
            if verdict in (None, "broken", "none"):
                problems.append(f"the repair `{repair['text']}` gives {verdict or f'exit code {code}, {said[:100]}'}: {shlex.join(arguments(changed))}")
        return problems


def main():
    parser = argparse.ArgumentParser(description="Judge the answers to random requests.")
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", help="only the requests with these numbers")
    options = parser.parse_args()
    facts = read_facts(options.program)
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
