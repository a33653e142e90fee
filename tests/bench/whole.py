#!/usr/bin/env python3
"""Measures whole processes for one request, one after the other in rounds so that a disturbance meets all of them: vmatrix from its files to the
answer, and each of the other solvers from its own input file. Writes a JSON file.

  whole.py --bin FOLDER --bench FOLDER --matrix FOLDER --problems FILE --request NAME --out FILE [--rounds N]"""
import argparse
import importlib.util
import json
import os
import shlex
import shutil
import sys
import tempfile
import time
from pathlib import Path

from problem import read_requests

here = Path(__file__).parent
python = sys.executable


def run(command):
    """Milliseconds on the clock and of the processors, and MiB, of one process. Never less than our own MiB: the kernel counts from before exec."""
    quiet = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_RDWR, 0) for descriptor in (0, 1, 2)]
    begin = time.perf_counter_ns()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=quiet)
    _, _, usage = os.wait4(process, 0)
    return (time.perf_counter_ns() - begin) / 1e6, (usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss / 1024


def clasp_commands(request, folder):
    """The first floor that has an answer, as a program in a file."""
    if not shutil.which("clingo"):
        return {}
    from with_clasp import HEURISTIC, MINIMIZE, Program
    floor = next(floor for floor in request["floors"] if floor["answer"] is not None)
    commands = {}
    for method, options in ((MINIMIZE, []), (HEURISTIC, ["--heuristic=Domain"])):
        path = Path(folder) / f"{len(commands)}.lp"
        path.write_text(Program(floor["problem"]).text(method), encoding="utf-8")
        commands["clingo" + method.removeprefix("clasp")] = ["clingo", *options, str(path)]
    if shutil.which("clasp"):
        commands["gringo and clasp, #minimize"] = ["sh", "-c", f"gringo {folder}/0.lp | clasp"]
    return commands


def python_commands(options, folder, request):
    """A file with this request alone, as vmatrix_bench wrote it."""
    with open(options.problems, encoding="utf-8") as file:
        alone = {"requests": [entry for entry in json.load(file)["requests"] if entry["name"] == request["name"]]}
    path = Path(folder) / "problem.json"
    path.write_text(json.dumps(alone), encoding="utf-8")
    commands = {"Python that does nothing": [python, "-c", ""]}
    for name, module in (("libsolv", "solv"), ("resolvelib", "resolvelib")):
        if importlib.util.find_spec(module):
            commands[name + " from Python"] = [python, str(here / "peers.py"), str(path), "--with", name, "--request", request["name"]]
    return commands


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("bin", "bench", "matrix", "problems", "request", "out"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--rounds", type=int, default=21)
    options = parser.parse_args()
    request = next(entry for entry in read_requests(options.problems)["requests"] if entry["name"] == options.request)
    with tempfile.TemporaryDirectory() as folder:
        ours = [f"{options.bin}/vmatrix", "resolve", "--matrix", options.matrix, *shlex.split(request["options"])]
        commands = {"a C++ program that does nothing": [f"{options.bench}/vmatrix_empty"], "vmatrix resolve": ours}
        commands |= clasp_commands(request, folder) | python_commands(options, folder, request)
        runs = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                runs[name].append(run(command))
    result = {"options": request["options"], "rounds": options.rounds, "commands": {}}
    for name, measured in runs.items():
        clock, processors, memory = map(sorted, zip(*measured))
        quartiles = {"median": clock[len(clock) // 2], "low": clock[len(clock) // 4], "high": clock[len(clock) * 3 // 4]}
        result["commands"][name] = quartiles | {"processors": processors[len(processors) // 2], "mebibytes": memory[-1]}
    Path(options.out).write_text(json.dumps(result, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
