#!/usr/bin/python3 -B
"""Checks that the includes below src/ follow the layers that the build files declare.

    layers.py PROJECT_FOLDER

The order of the layers is that of `foreach(layer …)` in CMakeLists.txt, lowest first; what a layer may include is what its
`vmatrix_layer(name USES …)` names. Prints every problem with its place and exits with 1 if there is one.
"""

import pathlib
import re
import sys

# No file, process, network or clock: everything comes in as an argument.
PURE = {"base", "version", "yaml", "inputs", "model", "solver", "compat", "explain", "report", "image", "gate", "fleet", "cost"}

# Side by side: none uses another.
SIBLINGS = {"doctor", "monitor", "smoke", "rollback", "image", "gate", "fleet", "cost"}

# The one layer that may include the headers of a foreign library, by the beginning of the header's name.
FOREIGN = {
    "tl/": "base",
    "yaml-cpp/": "yaml",
    "nlohmann/": "report",
    "toml++/": "inputs",
    "kainjow/": "app",
    "CLI/": "cli",
    "sqlite3": "sqlite",
    "git2": "git",
    "curl/": "http",
    "httplib.h": "serve",
}

# Layers that may include headers of the operating system.
PLATFORM = {"sys"}

# Standard headers, and functions of <cstdlib>, that reach outside the program.
IMPURE_HEADERS = set("""barrier chrono condition_variable csignal cstdio ctime filesystem fstream future iostream latch mutex
    semaphore shared_mutex stop_token syncstream thread""".split())
IMPURE_CALL = re.compile(r"\bstd::(?:_Exit|abort|at_quick_exit|atexit|exit|getenv|quick_exit|system)\b")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
NAMESPACE = re.compile(r"^namespace vmatrix::(\w+)")
SOURCES = (".cpp", ".hpp", ".in")


class Project:
    """What the build files declare."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.source = self.folder / "src"
        build_file = without_comments((self.folder / "CMakeLists.txt").read_text(encoding="utf-8"))
        self.order = re.search(r"foreach\(layer\s+([^)]*)\)", build_file).group(1).split()
        linked = re.search(r"target_link_libraries\(vmatrix\s+PRIVATE\s+([^)]*)\)", build_file)
        self.main_uses = re.findall(r"vmatrix::(\w+)", linked.group(1)) if linked else []
        self.uses = {name: self.declared(name) for name in self.order}

    def declared(self, name):
        """What the layer says it uses; None when it is not declared."""
        path = self.source / name / "CMakeLists.txt"
        text = without_comments(path.read_text(encoding="utf-8")) if path.exists() else ""
        call = re.search(rf"vmatrix_layer\(\s*{name}\b([^)]*)\)", text)
        if not call:
            return None
        words = call.group(1).split()
        if "USES" not in words:
            return []
        words = words[words.index("USES") + 1:]
        return words[:words.index("LIBRARIES")] if "LIBRARIES" in words else words

    def files(self, folder):
        return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in SOURCES)

    def place(self, path, line=None):
        return str(path.relative_to(self.folder)) + (f":{line}" if line else "")


def without_comments(text):
    return re.sub(r"#.*", "", text)


def declaration_problems(project):
    for folder in sorted(path for path in project.source.iterdir() if path.is_dir()):
        if folder.name not in project.order:
            yield f"{project.place(folder)}: CMakeLists.txt does not name this layer"
    for name in project.order:
        place = f"src/{name}/CMakeLists.txt"
        if project.uses[name] is None:
            yield f"{place}: no vmatrix_layer({name} …)"
            continue
        for used in project.uses[name]:
            if used not in project.order:
                yield f"{place}: there is no layer `{used}`"
            elif project.order.index(used) >= project.order.index(name):
                yield f"{place}: `{name}` may use only layers below it, not `{used}`"
            elif {name, used} <= SIBLINGS:
                yield f"{place}: `{name}` and `{used}` are side by side; neither may use the other"
            elif name in PURE and used not in PURE:
                yield f"{place}: `{name}` is pure and may not use `{used}`, which is not"


def layer_include_problem(layer, uses, included):
    target = included.split("/")[0]
    if "/" not in included or included.startswith("."):
        return f'an include is written from src, as "{layer}/{included.split("/")[-1]}"'
    if target != layer and target not in uses:
        return f"`{layer}` does not name `{target}` in USES"
    return None


def foreign_include_problem(layer, included):
    for beginning, owner in FOREIGN.items():
        if included.startswith(beginning):
            return None if layer == owner else f"only `{owner}` may include <{included}>"
    if re.fullmatch(r"[a-z0-9_]+", included):   # the standard library
        return f"`{layer}` is pure and may not include <{included}>" if layer in PURE and included in IMPURE_HEADERS else None
    if included.endswith(".h"):
        return None if layer in PLATFORM else f"only {sorted(PLATFORM)} may include headers of the system such as <{included}>"
    return f"<{included}> belongs to no known library; name its layer in tests/arch/layers.py"


def file_problems(project, path, layer, uses, included_layers):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        problem = None
        if found := INCLUDE.match(line):
            ours, foreign = found.groups()
            problem = layer_include_problem(layer, uses, ours) if ours else foreign_include_problem(layer, foreign)
            if ours:
                included_layers.add(ours.split("/")[0])
        elif (found := NAMESPACE.match(line)) and found.group(1) != layer and layer != "main":
            problem = f"namespace `vmatrix::{found.group(1)}` in the folder of `{layer}`"
        elif layer in PURE and (found := IMPURE_CALL.search(line)):
            problem = f"`{layer}` is pure and may not call {found.group(0)}"
        if problem:
            yield f"{project.place(path, number)}: {problem}"


def problems(project):
    yield from declaration_problems(project)
    for layer in project.order:
        included = set()
        uses = project.uses[layer] or []
        for path in project.files(project.source / layer):
            yield from file_problems(project, path, layer, uses, included)
        for used in uses:
            if used not in included:
                yield f"src/{layer}/CMakeLists.txt: `{layer}` uses `{used}` but includes nothing of it"
    for path in sorted(project.source.glob("*.cpp")):
        yield from file_problems(project, path, "main", project.main_uses, set())


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    project = Project(arguments[0])
    found = list(problems(project))
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(project.order)} layers, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
