#!/usr/bin/python3 -B
"""Proposes golden requests for the shipped matrix: for each fact that decides, requests whose answer rests on it, with versions on both
sides of each of its bounds.

    make_golden.py VMATRIX FOLDER

Writes one file for each kind into FOLDER, without answers. `matrix_mutation trim` then keeps those that tell some mutant from the matrix
and fills in the answers of now, which a person has to look at.
"""

import bisect
import collections
import functools
import itertools
import json
import pathlib
import re
import subprocess
import sys

from packaging.version import InvalidVersion, Version

KINDS = """architectures builds components driver-branches driver-kernels forward-compatibility generations gpu-support gpus images issues
    os-releases os-support overrides platform-tags python-releases releases rules targets""".split()
CLAUSE = re.compile(r"\s*(>=|<=|==|!=|~=|<|>|)\s*(.+?)\s*$")


# ---- versions

def dotted(text):
    return tuple(int(part) for part in re.split(r"[.\-_]", re.match(r"[\d.\-_]+", text).group().strip(".-_")) if part)


@functools.cache
def key(scheme, text):
    if scheme != "pep440":
        return without_zeros(dotted(text))
    version = Version(text)
    return Version(str(version).split("+")[0])


def without_zeros(numbers):
    while numbers and numbers[-1] == 0:
        numbers = numbers[:-1]
    return numbers


def begins(scheme, version, prefix):
    numbers = Version(version).release if scheme == "pep440" else dotted(version)
    wanted = Version(prefix).release if scheme == "pep440" else dotted(prefix)
    return (numbers + (0,) * len(wanted))[:len(wanted)] == wanted


def clause_holds(scheme, clause, version):
    operator, bound = CLAUSE.match(clause).groups()
    if bound == "*":
        return True
    if bound.endswith(".*"):
        return begins(scheme, version, bound[:-2]) == (operator == "==")
    own, other = key(scheme, version), key(scheme, bound)
    if operator == "~=":
        return own >= other and begins(scheme, version, bound.rsplit(".", 1)[0])
    return {">=": own >= other, "<=": own <= other, "==": own == other, "!=": own != other, "<": own < other, ">": own > other}[operator]


def holds(scheme, versions, version):
    return any(all(clause_holds(scheme, clause, version) for clause in part.split(",")) for part in versions.split("||"))


def bounds(versions):
    found = [CLAUSE.match(clause).group(2) for part in versions.split("||") for clause in part.split(",")]
    return [bound for bound in found if bound != "*"]


# ---- the matrix

class Matrix:
    def __init__(self, program):
        self.facts = {kind: listed(program, kind) for kind in KINDS}
        self.scheme = {fact["id"]: fact["scheme"] for fact in self.facts["components"]}
        self.scheme.update({"compute-capability": "dotted", "kernel": "dotted"})
        self.builds = collections.defaultdict(list)
        parents = {f"{release['component']}-{release['version']}": release for release in self.facts["releases"]}
        for build in self.facts["builds"]:
            release = parents[build["id"][:-len("+" + build["build"])]]
            build["package"], build["version"] = release["component"], release["version"]
            self.builds[release["component"]].append(build)
        self.known = self.known_versions()
        self.architecture = {fact["id"]: fact for fact in self.facts["architectures"]}

    def known_versions(self):
        released, mentioned = collections.defaultdict(set), collections.defaultdict(set)
        for release in self.facts["releases"]:
            released[release["component"]].add(release["version"])
        for branch in self.facts["driver-branches"]:
            mentioned[branch["component"]].update(branch[field] for field in ("branch", "first", "latest") if field in branch)
        for line in self.facts["driver-kernels"]:
            mentioned[line["component"]].add(line["driver"])
            mentioned["kernel"].update(line[field] for field in ("works-to", "fails-from") if field in line)
        for fact in itertools.chain.from_iterable(self.facts.values()):
            for field in ("bundles", "companions"):
                for component, version in fact.get(field, {}).items():
                    mentioned[component].add(version)
            for field in ("when", "requires", "of", "drivers"):
                for component, versions in fact.get(field, {}).items():
                    mentioned[component].update(bound.removesuffix(".*") for bound in bounds(versions))
        released["python"] = {fact["version"] for fact in self.facts["python-releases"]}
        mentioned["glibc"].update(tag["least-libc"] for tag in self.facts["platform-tags"] if tag.get("libc") == "glibc" and "least-libc" in tag)
        return {name: self.sorted(name, released[name] or mentioned[name]) for name in set(released) | set(mentioned) if self.scheme.get(name) != "opaque"}

    def sorted(self, component, versions):
        readable = []
        for version in versions:
            try:
                readable.append((key(self.scheme.get(component), version), version))
            except (InvalidVersion, AttributeError):
                continue
        return [version for _, version in sorted(readable)]

    def neighbours(self, component, version):
        """The known versions before and after, with the version itself between them."""
        own = key(self.scheme.get(component), version)
        known = self.known.get(component, [])
        keys = [key(self.scheme.get(component), other) for other in known]
        before, after = known[:bisect.bisect_left(keys, own)][-1:], known[bisect.bisect_right(keys, own):][:1]
        return before + [version] + after

    def minors(self, component, version):
        """12.3, 12.4 and 12.5 of 12.4."""
        known = list(dict.fromkeys(".".join(other.split(".")[:2]) for other in self.known[component]))
        return known[max(known.index(version) - 1, 0):known.index(version) + 2] if version in known else [version]

    def around(self, component, versions):
        """Versions just inside and just outside of each bound."""
        found = set()
        for bound in bounds(versions):
            if bound.endswith(".*"):
                inside = [version for version in self.known[component] if begins(self.scheme[component], version, bound[:-2])]
                found.update([bound[:-2]] if not inside else self.neighbours(component, inside[0]) + self.neighbours(component, inside[-1]))
            else:
                found.update(self.neighbours(component, bound))
        return self.sorted(component, found) or self.known.get(component, [])[-1:]

    def inside(self, component, versions):
        """Known versions of a set, oldest first; its own bounds where none is known."""
        found = [version for version in self.known.get(component, []) if holds(self.scheme[component], versions, version)]
        return found or [bound.removesuffix(".*") for bound in bounds(versions) if holds(self.scheme[component], versions, bound.removesuffix(".*"))]

    def holds(self, component, versions, version):
        return holds(self.scheme[component], versions, version)

    def discrete(self, vendor="nvidia"):
        return [id for id, fact in self.architecture.items() if fact["vendor"] == vendor and fact.get("embedded") is not True and "covers" not in fact]


def listed(program, kind):
    text = subprocess.run([program, "matrix", "list", kind, "--format", "json"], check=True, capture_output=True, text=True).stdout
    return json.loads(text)["facts"]


# ---- words of a request

def some(values):
    """{a,b,c}: one request for each; the plain value where there is one only."""
    values = list(dict.fromkeys(values))
    return values[0] if len(values) == 1 else "{" + ",".join(values) + "}"


def quoted(name):
    return f'"{name}"' if " " in name else name


def ends(values):
    return values[:1] + (values[-1:] if len(values) > 1 else [])


def spec(build):
    return f"{build['package']}=={build['version']}" + ("" if build["accelerator"] == "any" else f"+{build['build']}")


def with_needs(matrix, build):
    """The build together with one of each package that it needs, so that nothing is left to choose."""
    words, needs = [spec(build)], build.get("requires", {})
    for package, versions in needs.items():
        fitting = [other for other in matrix.builds.get(package, []) if matrix.holds(package, versions, other["version"]) and fits(matrix, needs, build, other)]
        if fitting:
            words.append(spec(min(fitting, key=lambda other: unlike(build, other))))
    return " ".join(words)


def unlike(build, other):
    """0 where both are of one runtime, 1 where of one line of it."""
    one, two = (dotted(which.get("bundles", {}).get(which["accelerator"], "0")) for which in (build, other))
    return 0 if one == two else 1 if one[:2] == two[:2] else 2


def fits(matrix, needs, build, other):
    runtimes = [name for name in ("cuda", "rocm") if name in needs]
    if build["accelerator"] not in ("any", other["accelerator"]):
        return False
    return other["accelerator"] in ("cuda", "rocm") and all(matrix.holds(name, needs[name], other.get("bundles", {}).get(name, "0")) for name in runtimes if name == other["accelerator"])


# ---- proposals: pairs of a fact and a request about it

def rules(matrix):
    for rule in matrix.facts["rules"]:
        (when, cause), (needs, least) = next(iter(rule["when"].items())), next(iter(rule["requires"].items()))
        outside, inside = matrix.around(needs, least), matrix.inside(needs, least)
        if when not in matrix.known or cause == "*":
            yield from rules_about_plugins(matrix, rule, when, needs, least)
            continue
        given = matrix.inside(when, cause) or ["1"]
        for version in ends(given):
            yield rule["id"], about_rule(when, version, needs, some(outside))
        for version in list(dict.fromkeys(ends(inside) + outside)):
            yield rule["id"], about_rule(when, some(matrix.around(when, cause)), needs, version)


def rules_about_plugins(matrix, rule, plugin, needs, versions):
    """A package that comes with builds of another one, which bring the runtime."""
    owners = [build for builds in matrix.builds.values() for build in builds if plugin in build.get("companions", {})]
    for package in {owner["package"] for owner in owners}:
        if needs in ("cuda", "rocm"):
            by_runtime = {build["bundles"][needs]: build for build in matrix.builds[package] if needs in build.get("bundles", {})}
            for owner in ends(owners):
                yield rule["id"], f"check {plugin}=={owner['companions'][plugin]} " + some(spec(by_runtime[version]) for version in sides(matrix, needs, versions, list(by_runtime)))
        else:
            yield rule["id"], f"check {spec(owners[0])} {plugin}=={owners[0]['companions'][plugin]} {needs}=={some(matrix.around(needs, versions))}"


def about_rule(when, cause, needs, version):
    if needs in ("nvidia", "amdgpu-dkms"):
        return f"check --driver {version} {when}=={cause}"
    if needs == "nvidia-windows":
        return f"check --os windows:11 --driver {version} {when}=={cause}"
    return f"check {when}=={cause} {needs}=={version}"


def generations(matrix):
    for generation in matrix.facts["generations"]:
        members = [id for id in matrix.discrete() if matrix.architecture[id].get("generation") == generation["id"]]
        if not members:
            continue
        if "drivers" in generation:
            yield generation["id"], f"check --gpu {members[0]} --driver {some(matrix.around('nvidia', generation['drivers']['nvidia']))}"
        yield generation["id"], f"check --gpu {members[0]} --gpu {{sm_52,sm_80,sm_100}}"


def driver_branches(matrix):
    for branch in matrix.facts["driver-branches"]:
        system = "--os windows:11 " if branch["component"] == "nvidia-windows" else ""
        if "cuda" in branch:
            cudas = matrix.minors("cuda", branch["cuda"])
            yield branch["id"], f"check {system}--driver {branch['branch']} cuda=={some(cudas)}"
            if images_there := cuda_images(matrix, cudas):
                yield branch["id"], f"check {system}--driver {branch['branch']} --image {some(images_there)}"
        if "latest" in branch and not system:
            yield branch["id"], f"resolve --gpu {{sm_52,sm_80}} --with cuda=={branch['cuda']}.* --prefer driver={branch['branch']}"


def cuda_images(matrix, cudas):
    """NVIDIA's own image of each CUDA, by major and minor, where the matrix has one."""
    mine = {}
    for image in matrix.facts["images"]:
        if image["repository"] == "nvidia/cuda" and "cuda" in image.get("bundles", {}):
            mine.setdefault(dotted(image["bundles"]["cuda"])[:2], f"nvidia/cuda:{image['tags'][-1]}")
    return [mine[dotted(cuda)[:2]] for cuda in cudas if dotted(cuda)[:2] in mine]


def cuda_releases(matrix):
    for release in matrix.facts["releases"]:
        name, version = release["component"], release["version"]
        for driver, system in (("nvidia", ""), ("nvidia-windows", "--os windows:11 ")):
            if name == "cuda" and driver in release.get("bundles", {}):
                yield release["id"], f"check {system}--driver {some(matrix.neighbours(driver, release['bundles'][driver]))} cuda=={version}"


def jetpacks(matrix):
    for release in matrix.facts["releases"]:
        if release["component"] != "jetpack" or "cuda" not in release.get("bundles", {}):
            continue
        boards = [gpu["name"] for board in release["boards"] for gpu in matrix.facts["gpus"] if board in gpu["name"]]
        for board in dict.fromkeys(boards):
            yield release["id"], f"check --gpu {quoted(board)} cuda=={some(matrix.neighbours('cuda', release['bundles']['cuda']))}"


def targets(matrix):
    for target in matrix.facts["targets"]:
        names = list(target["of"])
        vendor = "amd" if "rocm" in names else "nvidia"
        cards = list(matrix.architecture) if vendor == "nvidia" else matrix.discrete("amd")
        cards = [card for card in cards if matrix.architecture[card]["vendor"] == vendor and "covers" not in matrix.architecture[card]]
        fixed = {name: matrix.inside(name, versions)[-1:] or ["1"] for name, versions in target["of"].items()}
        if "rocblas" in target["of"]:
            for build in matrix.builds["torch"]:
                if build["accelerator"] == "rocm" and "architectures" in build and matrix.holds("rocm", target["of"]["rocm"], build["bundles"]["rocm"]):
                    yield target["id"], f"check --gpu {some(card for card in build['architectures'] if 'covers' not in matrix.architecture[card])} {spec(build)}"
        for request in target_requests(matrix, fixed):
            yield target["id"], f"check --gpu {some(cards)} {request}"
        for name, versions in target["of"].items():
            for card in cards:
                for request in target_requests(matrix, {**fixed, name: matrix.around(name, versions)}):
                    yield target["id"], f"check --gpu {card} {request}"


def target_requests(matrix, versions):
    """"cudnn==9.10.2 cuda==12.8", or the builds of a package."""
    package = next((name for name in versions if matrix.builds.get(name)), None)
    if not package:
        yield " ".join(f"{name}=={some(values)}" for name, values in versions.items() if name not in ("rocblas",))
        return
    runtime = next((name for name in versions if name in ("cuda", "rocm")), None)
    builds = [build for build in matrix.builds[package] if build["version"] in versions[package]]
    if runtime:
        builds = [build for build in builds if build["accelerator"] in (runtime, "any")]
    if builds:
        yield f"{package}{some('==' + build['version'] + ('' if build['accelerator'] == 'any' else '+' + build['build']) for build in builds)}"


def gpu_support(matrix):
    names = collections.defaultdict(list)
    for gpu in matrix.facts["gpus"]:
        names[gpu["architecture"]].append(gpu["name"])
    for line in matrix.facts["gpu-support"]:
        versions = matrix.around("rocm", line["of"]["rocm"])
        mine = names[line["architecture"]]
        cards = [next((name for name in mine if fits_product(name, product)), None) for product in line.get("gpus", [])]
        cards = [card for card in dict.fromkeys(cards) if card] or [line["architecture"]]
        unnamed = [name for name in mine if not any(fits_product(name, product) for product in line.get("gpus", []))][:1]
        for card in cards + unnamed:
            yield line["id"], f"check --gpu {quoted(card)} rocm=={some(versions)}"
        for system in [""] + [f"--os {a_release(matrix, os)} " for os in line.get("os", []) + line.get("not-os", [])]:
            yield line["id"], f"check --gpu {quoted(cards[0])} {system}rocm=={some(versions)}"


def fits_product(name, product):
    return plain(name).endswith(plain(product))


def plain(name):
    return name.replace(" ", "").replace("-", "").lower()


def a_release(matrix, os):
    if os.startswith("wsl2:"):
        return "wsl2:ubuntu:" + os.removeprefix("wsl2:")
    if os.startswith(("windows", "wsl")):
        return os
    return os if ":" in os and "." in os else next((f"{one['os']}:{one['version']}" for one in matrix.facts["os-releases"] if f"{one['os']}:{one['version']}".startswith(os)), os + ":1")


def os_support(matrix):
    for line in matrix.facts["os-support"]:
        kernels = [kernel.split()[0] for kernel in line.get("kernels", [])]
        with_kernels = [f"--kernel {kernel} " for kernel in kernels] or [""]
        for os in line["os"]:
            for kernel in with_kernels:
                yield line["id"], f"check --os {a_release(matrix, os)} {kernel}rocm=={some(matrix.around('rocm', line['of']['rocm']))}"


def overrides(matrix):
    variable = "HSA_OVERRIDE_GFX_VERSION"
    rocm = [build for build in matrix.builds["torch"] if build["accelerator"] == "rocm"]
    for fact in matrix.facts["overrides"]:
        value = fact["environment"].get(variable)
        for card in fact.get("architectures", []):
            builds = [build for build in rocm if fact.get("runs") in build.get("architectures", []) and card not in build["architectures"]]
            for build in ends(builds):
                yield fact["id"], f"check --gpu {card} {spec(build)}"
                yield fact["id"], f"check --gpu {card} --env {variable}={value} {spec(build)}"
            others = [build for build in rocm if card in build.get("architectures", [])]
            for build in ends(others):
                yield fact["id"], f"check --gpu {card} --env {variable}={value} {spec(build)}"
            yield fact["id"], f"check --gpu {card} --env {variable}={value} {some(['--os windows:11', '--os ubuntu:24.04'])} rocm==6.4.1"


def driver_kernels(matrix):
    for line in matrix.facts["driver-kernels"]:
        kernels = [version for field in ("works-to", "fails-from") if field in line for known in matrix.neighbours("kernel", line[field]) + matrix.minors("kernel", line[field]) for version in (known, next_to(known))]
        yield line["id"], f"check --gpu gfx1100 --driver {line['driver']} --kernel {some(matrix.sorted('kernel', set(kernels)))}"


def next_to(version):
    """6.8.0-42 for 6.8.0-41: a list ends between them, whatever is known."""
    head, last = re.match(r"(.*?)(\d+)$", version).groups()
    return head + str(int(last) + 1)


def forward_compatibility(matrix):
    for way in matrix.facts["forward-compatibility"]:
        images_there = cuda_images(matrix, matrix.minors("cuda", way["cuda"]))
        for branch in way.get("image-check", {}) if images_there else []:
            for card in ("Tesla V100 PCIe 16GB", "H100 PCIe", "GeForce RTX 2080", "Quadro RTX 6000", "A100 PCIe 40GB", "GeForce GTX 1080", "Tesla T4", "Quadro P4000"):
                yield way["id"], f"check --gpu \"{card}\" --driver {branch} --image {some(images_there)}"


def platform_tags(matrix):
    systems = [f"{one['os']}:{one['version']}" for one in matrix.facts["os-releases"]]
    tagged = collections.defaultdict(list)
    for build in itertools.chain.from_iterable(matrix.builds.values()):
        if "platform-tag" in build and build["accelerator"] == "cuda":
            tagged[build["platform-tag"]].append(build)
    for tag, builds in sorted(tagged.items()):
        yield tag, f"check --os {some(systems)} {spec(builds[0])}"


def os_releases(matrix):
    by_glibc = {}
    for build in itertools.chain.from_iterable(matrix.builds.values()):
        tag = next((tag for tag in matrix.facts["platform-tags"] if tag["id"] == build.get("platform-tag")), {})
        if tag.get("libc") == "glibc" and build["accelerator"] == "cuda":
            by_glibc.setdefault(tag.get("least-libc"), build)
    for one in matrix.facts["os-releases"]:
        name = f"{one['os']}:{one['version']}"
        for glibc, build in by_glibc.items():
            if glibc in matrix.neighbours("glibc", one.get("bundles", {}).get("glibc", "2.17")):
                yield one["id"], f"check --os {name} {spec(build)}"
        yield one["id"], f"check --gpu sm_90 --os {name} nvcc==12.8"
        for python in matrix.neighbours("python", one["python"]) if "python" in one else []:
            for torch in torch_for(matrix, python):
                yield one["id"], f"resolve --gpu sm_70 --os {name} --with torch=={torch} --min-evidence unknown"


def python_releases(matrix):
    for release in matrix.facts["python-releases"]:
        for torch in torch_for(matrix, release["version"]):
            yield release["id"], f"resolve --gpu sm_70 --prefer python={release['version']} --with torch=={torch}"


def torch_for(matrix, python):
    """The newest torch for a Python, as far as there is one."""
    return list(dict.fromkeys(build["version"] for build in matrix.builds["torch"] if build["accelerator"] == "cuda" and "sm_70" in build.get("architectures", []) and python in build.get("python", [])))[:1]


def watched_images(matrix):
    """Of each repository those with something else inside: one for each set of versions and system."""
    chosen = {}
    for image in matrix.facts["images"]:
        inside = {name: ".".join(version.split(".")[:2]) for name, version in image.get("bundles", {}).items() if name in ("cuda", "rocm", "torch", "vllm", "sglang")}
        chosen.setdefault((image["repository"], json.dumps(inside), image.get("status")), image)
    return chosen.values()


def other_images(matrix):
    """The images that `images` leaves out, as far as that they are there."""
    watched = [image["id"] for image in watched_images(matrix)]
    alike = collections.defaultdict(list)
    for image in matrix.facts["images"]:
        if image["id"] not in watched:
            card = "--gpu gfx942 " if "rocm" in image.get("bundles", {}) else ""
            alike[image["repository"], card].append(f"{image['repository']}:{image['tags'][-1]}")
    for (repository, card), names in alike.items():
        for batch in batches(names):
            yield repository, f"check {card}--image {some(batch)}"


def batches(values, most=12):
    return [values[start:start + most] for start in range(0, len(values), most)]


def images(matrix):
    usual = ["sm_37", "sm_52", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_87", "sm_90", "sm_100", "sm_110", "sm_120", '"GH200"']
    for image in watched_images(matrix):
        name = f"{image['repository']}:{image['tags'][-1]}"
        bundles = image.get("bundles", {})
        if "rocm" in bundles:
            yield image["id"], f"check --gpu {some(image_cards(matrix, image, ['gfx906', 'gfx90a', 'gfx942', 'gfx1030', 'gfx1100', 'gfx1151', 'gfx1201']))} --image {name}"
            yield image["id"], f"check --gpu gfx942 --driver {some(amdgpu_drivers(matrix, bundles['rocm']))} --image {name}"
        elif "cuda" in bundles:
            yield image["id"], f"check --gpu {some(image_cards(matrix, image, usual))} --image {name}"
            yield image["id"], f"check --driver {some(image_drivers(matrix, bundles['cuda']))} --image {name}"
        else:
            yield image["id"], f"check --gpu sm_90 --image {name}"
        for package in ("torch",):
            if package in bundles:
                versions = matrix.neighbours(package, bundles[package])
                labels = [build for build in matrix.builds[package] if build["version"] in versions and build["accelerator"] == ("rocm" if "rocm" in bundles else "cuda")]
                yield image["id"], f"check --image {name} torch=={some(build['version'] + '+' + build['build'] for build in labels)}"
                yield image["id"], f"resolve --image {name} --with torch"


def image_cards(matrix, image, usual):
    """Some cards of all generations, and those that the image lists."""
    return usual + [code for code in image.get("architectures", []) + image.get("ptx", []) if "covers" not in matrix.architecture[code]]


def image_drivers(matrix, cuda):
    branches = [branch["branch"] for branch in matrix.facts["driver-branches"] if branch["component"] == "nvidia" and begins("dotted", branch.get("cuda", "0"), ".".join(cuda.split(".")[:2]))]
    return [driver for branch in branches or ["535"] for driver in matrix.neighbours("nvidia", branch)]


def amdgpu_drivers(matrix, rocm):
    rule = next((rule for rule in matrix.facts["rules"] if "amdgpu-dkms" in rule["requires"] and matrix.holds("rocm", rule["when"]["rocm"], rocm)), None)
    return matrix.around("amdgpu-dkms", rule["requires"]["amdgpu-dkms"]) if rule else ["6.4.1"]


def newest_of_lines(matrix, package):
    """The builds of the newest release of each line: 2.9.1 stands for 2.9.0 too."""
    lines = {}
    for build in matrix.builds[package]:
        line = dotted(build["version"])[:2]
        newest = lines.setdefault(line, build["version"])
        if key("pep440", newest) < key("pep440", build["version"]):
            lines[line] = build["version"]
    return [build for build in matrix.builds[package] if build["version"] in lines.values()]


def builds(matrix):
    for build in itertools.chain.from_iterable(newest_of_lines(matrix, package) for package in matrix.builds):
        words = own_system(build) + with_needs(matrix, build)
        yield from build_cards(matrix, build, words)
        pythons = build.get("python", []) + build.get("experimental-python", [])
        if pythons:
            yield build["id"], f"check --python {some(pythons)} {words}"
        for platform, experimental in build.get("experimental-python-on", {}).items():
            yield build["id"], f"check --python {some(pythons + experimental)} {system_of(platform)} {words}"
        if "platforms" in build:
            for system in ("", "--os windows:11", '--gpu "GH200"'):
                yield build["id"], " ".join(f"check {system} {words}".split())
        for field in ("bundles", "companions"):
            for component, version in build.get(field, {}).items():
                if matrix.known.get(component) and (field == "companions" or component in ("cuda", "rocm", "cudnn")):
                    yield build["id"], f"check {words} {component}=={some(matrix.neighbours(component, version))}"
        if "cuda" in build.get("bundles", {}) and "cuda" in build.get("requires", {}) and "torch" not in build["requires"]:
            yield build["id"], f"check --driver {some(image_drivers(matrix, build['bundles']['cuda']))} {spec(build)}"   # any CUDA that it needs fits the wish for it
        for component, versions in build.get("requires", {}).items():
            yield from build_needs(matrix, build, component, versions)


def other_builds(matrix):
    """The builds that `builds` leaves out, as far as that they are there and what they need: those with the same needs together."""
    alike = collections.defaultdict(list)
    for package in matrix.builds:
        watched = [build["id"] for build in newest_of_lines(matrix, package)]
        for build in matrix.builds[package]:
            if build["id"] not in watched:
                needs = build.get("requires")
                alike[package, json.dumps([build["accelerator"], needs, needs and build["build"]])].append(build)
    for (package, _), several in alike.items():
        for batch in batches(several):
            first, specs = batch[0], some(spec(build) for build in batch)
            yield package, f"check {with_needs(matrix, first)}".replace(spec(first), specs)
            for component, versions in first.get("requires", {}).items():
                for _, ask in build_needs(matrix, first, component, versions):
                    yield package, last(ask, spec(first), specs)


def last(ask, word, instead):
    """The values of the brace that stands last are asked for in one request."""
    return " ".join([other for other in re.findall(r"(?:[^ {]|\{.*?\})+", ask) if other != word] + [instead])


def own_system(build):
    return "--os windows:11 " if build.get("platforms") == ["windows-x86_64"] else ""


def system_of(platform):
    return {"windows-x86_64": "--os windows:11", "linux-aarch64": '--gpu "GH200"'}.get(platform, "")


def build_cards(matrix, build, words):
    if build["accelerator"] == "cpu":
        return
    listed = build.get("architectures", []) + build.get("ptx", [])
    cards = [card for card in listed if "covers" not in matrix.architecture[card]]
    vendor = "amd" if build["accelerator"] == "rocm" else "nvidia"
    known = matrix.discrete(vendor)
    outside = [known[min(known.index(card) + 1, len(known) - 1)] for card in cards if card in known] if vendor == "nvidia" else []
    yield build["id"], f"check --gpu {some(sorted(set(cards + outside), key=list(matrix.architecture).index) or ['gfx1100' if vendor == 'amd' else 'sm_90'])} {words}"
    for platform in {**build.get("architectures-on", {}), **build.get("ptx-on", {})}:
        if platform == "windows-x86_64":
            on = build.get("architectures-on", {}).get(platform, []) + build.get("ptx-on", {}).get(platform, [])
            yield build["id"], f"check --os windows:11 --gpu {some(on)} {words}"
        if platform == "linux-aarch64":
            yield build["id"], "check --gpu {\"GH200\",\"GB200\",\"GB300\",\"GB10\",\"Jetson AGX Orin\",\"Jetson AGX Thor\"} " + words


def build_needs(matrix, build, component, versions):
    if component == "python":
        yield build["id"], f"check --python {some(matrix.around('python', versions))} {spec(build)}"
    elif component in ("cuda", "rocm"):
        torch = [other for other in matrix.builds["torch"] if other["accelerator"] == component and component in other.get("bundles", {})]
        near = matrix.around(component, versions)
        lead = [other for other in torch if "torch" not in build.get("requires", {}) or matrix.holds("torch", build["requires"]["torch"], other["version"])]
        chosen = {other["bundles"][component]: spec(other) for other in reversed(lead)}
        picked = sides(matrix, component, versions, list(chosen))
        yield build["id"], f"check {spec(build)} {some(chosen[version] for version in picked)}" if picked else f"check {spec(build)} {component}=={some(near)}"
        if "torch" not in build.get("requires", {}):
            yield build["id"], f"check {spec(build)} {component}=={some(with_patch(version) for version in near)}"
    elif matrix.builds.get(component):
        runtime = build["accelerator"]
        lead = [other for other in matrix.builds[component] if other["accelerator"] == runtime or runtime == "any" or other["accelerator"] == "any"]
        chosen, fitting = {}, set()
        for other in reversed(lead):
            if fits(matrix, build["requires"], build, other):
                fitting.add(other["version"])
                chosen[other["version"]] = spec(other)
            chosen.setdefault(other["version"], spec(other))
        picked = matrix.sorted(component, set(sides(matrix, component, versions, list(chosen)) + sides(matrix, component, versions, list(fitting))))
        yield build["id"], f"check {spec(build)} {some(chosen[version] for version in picked)}"
    elif component in ("nvidia", "nvidia-windows", "amdgpu-dkms", "adrenalin"):
        system = "--os windows:11 " if component in ("nvidia-windows", "adrenalin") else ""
        yield build["id"], f"check {system}--driver {some(matrix.around(component, versions))} {spec(build)}"
    elif component == "kernel":
        yield build["id"], f"check --kernel {some(matrix.around(component, versions))} {spec(build)}"
    elif component == "glibc":
        yield build["id"], f"check --os {some(systems_by_glibc(matrix, versions))} {spec(build)}"
    else:
        yield build["id"], f"check {spec(build)} {component}=={some(matrix.around(component, versions))}"


def with_patch(version):
    """12.0.0 of 12, which a wish would take for all of 12."""
    return version + ".0" * (2 - version.count("."))


def sides(matrix, component, versions, among):
    """Of some versions those next to a bound."""
    among = matrix.sorted(component, set(among))
    keys = [key(matrix.scheme[component], version) for version in among]
    found = set()
    for bound in bounds(versions):
        own = key(matrix.scheme[component], bound.removesuffix(".*"))
        left, right = bisect.bisect_left(keys, own), bisect.bisect_right(keys, own)
        found.update(among[max(left - 1, 0):right + 1])
        if bound.endswith(".*"):
            alike = [version for version in among if begins(matrix.scheme[component], version, bound[:-2])]
            if alike:
                found.update(among[max(among.index(alike[0]) - 1, 0):among.index(alike[-1]) + 2])
    return matrix.sorted(component, found) or among[-1:]


def systems_by_glibc(matrix, versions):
    chosen = {}
    for one in matrix.facts["os-releases"]:
        if "glibc" in one.get("bundles", {}):
            chosen.setdefault(one["bundles"]["glibc"], f"{one['os']}:{one['version']}")
    return [chosen[version] for version in sides(matrix, "glibc", versions, list(chosen))]


# ---- issues

def issues(matrix):
    cards = {gpu["id"]: gpu for gpu in matrix.facts["gpus"]}
    for issue in matrix.facts["issues"]:
        for hosts in issue_hosts(matrix, issue, cards):
            for stack in issue_stacks(matrix, issue):
                yield issue["id"], " ".join(f"check {hosts} {stack}".split())


def one_card(matrix, issue, cards):
    """Cards that the issue is about, as names."""
    fitting = [gpu for gpu in cards.values() if ("gpus" not in issue or gpu["id"] in issue["gpus"]) and ("classes" not in issue or gpu.get("class") in issue["classes"])
               and ("architectures" not in issue or gpu["architecture"] in issue["architectures"]) and ("vendors" not in issue or gpu["vendor"] in issue["vendors"])]
    usual = ("gfx1100", "gfx942", "gfx1201", "sm_90", "sm_86", "sm_120")
    fitting.sort(key=lambda gpu: gpu["architecture"] not in usual)
    if "gpus" in issue:
        return [gpu["name"] for gpu in fitting]
    if "classes" in issue:
        one_of_each = {(gpu["class"], gpu["architecture"] if "architectures" in issue else ""): gpu["name"] for gpu in reversed(fitting)}
        return list(one_of_each.values())
    if "architectures" in issue:
        return issue["architectures"]
    vendor = issue.get("vendors", ["amd" if "rocm" in issue.get("when", {}) else "nvidia"])[0]
    return ["gfx942" if vendor == "amd" else "sm_90"]


def setting(variable):
    return f"--env {variable if '=' in variable else variable + '=1'}"


def issue_hosts(matrix, issue, cards):
    when = issue.get("when", {})
    windows = issue.get("platforms") == ["windows-x86_64"] or "nvidia-windows" in when or "adrenalin" in when
    wsl = issue.get("wsl") is True
    system = "--os wsl2:ubuntu:24.04" if wsl else "--os windows:11" if windows else f"--os {a_release(matrix, issue['os'][0])}" if "os" in issue else ""
    variables = [setting(variable) for variable in issue.get("environment", [])]
    settings = " ".join(variables)
    several = int(dotted(bounds(issue["cards"])[0])[0]) if "cards" in issue else 1
    for image in issue.get("images", [""]):
        where = f"--image {some(images_named(matrix, image, when))}" if image else ""
        for name in one_card(matrix, issue, cards):
            yield f"--gpu {quoted(name)} " * several + f"{system} {settings} {where}"
            if several > 1:
                yield f"--gpu {quoted(name)} " * (several - 1) + f"{system} {settings} {where}"
        for left_out in variables:
            others = " ".join(variable for variable in variables if variable != left_out)
            yield f"--gpu {quoted(one_card(matrix, issue, cards)[0])} " * several + f"{system} {others} {where}"
        if issue.get("not-environment"):
            yield f"--gpu {quoted(one_card(matrix, issue, cards)[0])} {system} {setting(issue['not-environment'][0])} {where}"
        if "wsl" in issue:
            yield f"--gpu {quoted(one_card(matrix, issue, cards)[0])} {'--os ubuntu:24.04' if wsl else '--os wsl2:ubuntu:24.04'} {where}"


def images_named(matrix, image, when):
    """Images of a repository, by what is inside on both sides of each bound."""
    if ":" in image:
        return [image]
    mine = [one for one in matrix.facts["images"] if one["repository"] == image]
    names = []
    for component, versions in when.items():
        inside = {one["bundles"][component]: f"{one['repository']}:{one['tags'][-1]}" for one in mine if component in one.get("bundles", {})}
        names += [inside[version] for version in sides(matrix, component, versions, list(inside))] if inside else []
    return names or [f"{one['repository']}:{one['tags'][-1]}" for one in mine[:1]] or [image + ":latest"]


def issue_stacks(matrix, issue):
    when = issue.get("when", {})
    if "images" in issue:
        yield from [""] + [option(matrix, name, matrix.around(name, versions)) for name, versions in when.items() if name == "nvidia"]
        return
    package = next((name for name in when if matrix.builds.get(name)), None)
    inside = [name for name in when if package and name not in ("kernel", "glibc", "python", "nvidia", "nvidia-windows", "amdgpu-dkms", "adrenalin") and (name == package or in_builds(matrix, package, name))]
    outside = [name for name in when if name not in inside]
    vendor = issue.get("vendors", [None])[0]
    wsl = issue.get("wsl") is True
    fixed = [option(matrix, name, [(matrix.inside(name, when[name]) or ["1"])[-1]], wsl) for name in outside]
    if not package:
        for name in outside:
            yield " ".join([option(matrix, name, matrix.around(name, when[name]) or ["1"], wsl)] + [text for other, text in zip(outside, fixed) if other != name])
        if not outside:
            yield ""
        return
    accelerator = {"nvidia": "cuda", "amd": "rocm"}.get(vendor)
    if "torch" in matrix.builds[package][0].get("requires", {}):
        yield from beside_torch(matrix, when, package, accelerator or ("rocm" if "rocm" in when else "cuda"))
    candidates = [build for build in matrix.builds[package] if build["accelerator"] != "cpu" and (not accelerator or build["accelerator"] in (accelerator, "any"))]
    for name in inside:
        others = [build for build in candidates if all(matrix.holds(other, when[other], value) for other in inside if other != name for value in [part_of(build, other, package)] if value)]
        others = [build for build in others if part_of(build, name, package)] or candidates
        chosen = {part_of(build, name, package) or build["version"]: build for build in reversed(others)}
        picked = sides(matrix, name, when[name], list(chosen)) if bounds(when[name]) else list(chosen)[-1:]
        for value in picked:
            yield " ".join(fixed + [with_needs(matrix, chosen[value])])
    good = [build for build in candidates if all(value is None or matrix.holds(other, when[other], value) for other in inside for value in [part_of(build, other, package)])] or candidates
    for name in outside:
        rest = [text for other, text in zip(outside, fixed) if other != name]
        yield " ".join([option(matrix, name, matrix.around(name, when[name]) or ["1"])] + rest + [with_needs(matrix, good[0])])


def beside_torch(matrix, when, package, accelerator):
    """A package that stands on torch: its versions beside one torch, then one of it beside torch on both sides of each bound."""
    inside = lambda build, names: all(matrix.holds(name, when[name], part_of(build, name, build["package"]) or "0") for name in names if name in when)
    torches = [build for build in matrix.builds["torch"] if build["accelerator"] == accelerator]
    mine = [build for build in matrix.builds[package] if build["accelerator"] in (accelerator, "any")]
    fixed = [option(matrix, name, [(matrix.inside(name, when[name]) or ["1"])[-1]]) for name in when if name not in (package, "torch", "cuda", "rocm", "cudnn")]
    good = [build for build in torches if inside(build, ("torch", "cuda", "rocm", "cudnn"))]
    own = [build for build in mine if inside(build, (package,))]
    if not good or not own:
        return
    versions = {build["version"]: build for build in reversed(mine)}
    picked = sides(matrix, package, when[package], list(versions)) if bounds(when[package]) else [own[0]["version"]]
    yield " ".join([*fixed, spec(good[0]), some(spec(versions[version]) for version in picked)])
    for name in ("torch", "cuda", "rocm", "cudnn"):
        if name in when and bounds(when[name]):
            others = {part_of(build, name, "torch"): build for build in reversed(torches) if inside(build, [other for other in ("torch", "cuda", "rocm", "cudnn") if other != name]) and part_of(build, name, "torch")}
            yield " ".join([*fixed, spec(own[0]), some(spec(others[version]) for version in sides(matrix, name, when[name], list(others)))])


def in_builds(matrix, package, name):
    return any(part_of(build, name, package) for build in matrix.builds[package])


def part_of(build, name, package):
    if name == package:
        return build["version"]
    return build.get("bundles", {}).get(name) or build.get("companions", {}).get(name)


def option(matrix, component, versions, wsl=False):
    if wsl and component == "adrenalin":
        return f"{component}=={some(versions)}"
    if component in ("nvidia", "nvidia-windows", "amdgpu-dkms", "adrenalin"):
        return f"--driver {some(versions)}"
    if component == "kernel":
        return f"--kernel {some(versions)}"
    if component == "python":
        return f"--python {some(versions)}"
    if component == "glibc":
        return f"--os {some(systems_by_glibc(matrix, ' || '.join('==' + version for version in versions)))}"
    if matrix.builds.get(component):
        return some(spec(build) for version in versions for build in matrix.builds[component] if build["version"] == version)
    return f"{component}=={some(versions)}"


FILES = {
    "rules": rules, "generations": generations, "driver-branches": driver_branches, "cuda-releases": cuda_releases, "jetpacks": jetpacks, "targets": targets, "gpu-support": gpu_support,
    "os-support": os_support, "overrides": overrides, "driver-kernels": driver_kernels, "forward-compatibility": forward_compatibility, "platform-tags": platform_tags, "os-releases": os_releases,
    "python-releases": python_releases, "images": images, "other-images": other_images, "issues": issues, "builds": builds, "other-builds": other_builds,
}


def one_brace(ask):
    """A request has values in braces once; each value of an earlier brace makes a request of its own."""
    if ask.count("{") < 2:
        return [ask]
    before, values, after = re.match(r"(.*?)\{(.*?)\}(.*)", ask).groups()
    return [found for value in values.split(",") for found in one_brace(before + value + after)]


def with_exact_drivers(ask):
    """580.0 for 580, where bounds lie: a number alone is taken for the newest driver of its branch."""
    return re.sub(r"--driver (\{.*?\}|\S+)", lambda option: re.sub(r"(?<![\d.])\d{3}(?![\d.])", r"\g<0>.0", option.group()), ask)


def contradicts(ask):
    """Whether a package or the system is asked for twice."""
    packages = re.findall(r"(\S+?)==", re.sub(r"\{.*?\}", "", ask))
    return ask.count("--os") > 1 or len(packages) > len(set(packages)) or any(f"{{{name}==" in ask for name in packages)


def write(path, head, proposals):
    lines = [f"# {head}", "golden:"]
    for about, ask in proposals:
        quoted_ask = ask.replace("'", "''")
        lines.append(f"  - {{about: '{about}', ask: '{quoted_ask}',\n     right: ''}}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{path.name}: {len(proposals)} requests")


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    matrix = Matrix(program)
    for name, propose in FILES.items():
        proposals = list(dict.fromkeys((about, with_exact_drivers(ask)) for about, several in propose(matrix) for ask in one_brace(several) if not contradicts(ask)))
        write(folder / f"{name}.yaml", f"Golden requests about {name.replace('-', ' ')}, proposed by make_golden.py. Answers of the rules as they were; samples of them were checked by hand.", proposals)


if __name__ == "__main__":
    main()
