#!/usr/bin/env python3
"""Puts what was measured into docs/performance.md, between its two marks.

  report.py --results FOLDER --into FILE"""
import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

begin_mark, end_mark = "<!-- measured: begin -->", "<!-- measured: end -->"
peer_names = ("clasp, #minimize", "clasp, ordered choice", "libsolv", "resolvelib")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def number(value):
    return f"{value:.2g}" if value < 1 else f"{value:.1f}" if value < 10 else f"{value:,.0f}"


def spread(times, unit=1.0):
    return f"{number(times['median'] / unit)} ({number(times['low'] / unit)} to {number(times['high'] / unit)})"


def added(all_times):
    return {key: sum(times[key] for times in all_times) for key in ("median", "low", "high")}


def ours(request):
    return added([floor["solve"] for floor in request["floors"]])


def ratio(request, name):
    """How many times as long as ours a peer takes; None where it did not solve all floors."""
    peer = request["peers"].get(name)
    return None if peer is None or peer["gave_up"] or peer["too_large"] else added(peer["solve"])["median"] / ours(request)["median"]


def ratio_cell(request, name):
    peer, value = request["peers"].get(name), ratio(request, name)
    if peer is None:
        return "-"
    if value is None:
        return "gave up" if peer["gave_up"] else "too large"
    return number(value) + (" (another answer)" if peer["other"] else "")


def solving(requests):
    rows = []
    for request in requests:
        floors = request["floors"]
        size = " × ".join(map(str, floors[-1]["domains"]))
        cells = [f"`{request['options']}`", "yes" if request["solved"] else f"no, {len(floors)} floors", size, floors[-1]["clauses"], spread(ours(request))]
        rows.append(cells + [ratio_cell(request, name) for name in peer_names])
    return table(["request", "a stack", "values", "clauses", "vmatrix, µs"] + [name + ", times" for name in peer_names], rows)


def parts(requests):
    rows = [[f"`{request['options']}`", spread(request["judge"], 1000), spread(added([floor["clauses_time"] for floor in request["floors"]]), 1000),
             spread(ours(request), 1000), spread(request["resolve"], 1000)] for request in requests]
    return table(["request", "judging, ms", "clauses, ms", "solving, ms", "the whole answer, ms"], rows)


def processes(whole):
    base, resolve = whole["commands"]["a C++ program that does nothing"]["median"], whole["commands"]["vmatrix resolve"]["median"]
    rows = [[name, spread(times), number(times["processors"]), number(times["median"] / base), number(times["median"] / resolve)] for name, times in whole["commands"].items()]
    return table(["process", "ms", "ms of processor time", "times the empty program", "times vmatrix"], rows)


def met(value):
    return "**met**" if value else "**not met**"


def least_ratio(results, name):
    """Over all scales, with the request and scale that it was met at."""
    found = [(ratio(request, name), request["options"], result["scale"]) for result in results for request in result["requests"] if ratio(request, name) is not None]
    return min(found, default=None)


def bars(results, whole):
    requests = results[0]["requests"]
    slowest = max(ours(request)["median"] for request in requests)
    no_stack = [request["resolve"]["median"] / 1000 for request in requests if not request["solved"]]
    resolve = whole["commands"]["vmatrix resolve"]
    limit = 3 * whole["commands"]["a C++ program that does nothing"]["median"] + 5
    rows = [["solving alone, all floors, the slowest request", "≤ 200 µs", f"{number(slowest)} µs", met(slowest <= 200)]]
    for name in peer_names:
        least = least_ratio(results, name)
        if least:
            rows.append([f"faster than {name}, where it comes nearest", "> 1 time", f"{number(least[0])} times, `{least[1]}`, ×{least[2]}", met(least[0] > 1)])
    rows.append(["no stack: proof, explanation, checked repairs", "≤ 30 ms", f"{number(min(no_stack))} to {number(max(no_stack))} ms", met(max(no_stack) <= 30)])
    rows.append(["cold `vmatrix resolve`", f"≤ 3 × empty + 5 ms = {number(limit)} ms", f"{number(resolve['median'])} ms", met(resolve["median"] <= limit)])
    rows.append(["memory of it", "≤ 40 MiB", f"{resolve['mebibytes']:.0f} MiB", met(resolve["mebibytes"] <= 40)])
    return table(["what", "bar", "measured", ""], rows)


def agreement(results):
    floors = [floor for result in results for request in result["requests"] for floor in request["floors"]]
    text = f"{len(floors)} problems, {sum(floor['answer'] is None for floor in floors)} of them without a solution; no verdict differs.\n"
    for name in peer_names:
        peers = [request["peers"][name] for result in results for request in result["requests"] if name in request["peers"]]
        same, other, gave_up, too_large = (sum(peer[key] for peer in peers) for key in ("same", "other", "gave_up", "too_large"))
        if peers:
            text += f"\n- {name}: the same answer {same} times, another that holds {other} times; gave up {gave_up} times, too large {too_large} times"
    return text + "\n"


def first_line(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def package_versions():
    command = ["dpkg-query", "-W", "-f", "${Package} ${Version}\\n", "clasp", "gringo", "python3-solv", "python3-resolvelib"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split("\n")
    except OSError:
        return []


def machine(results):
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    system = platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    lines = [f"- {model}, {len(os.sched_getaffinity(0))} cores, {system}, {first_line(['c++', '--version'])}, Python {platform.python_version()}"]
    lines.append("- " + ", ".join(filter(None, package_versions())))
    lines.append(f"- load at the end of the run (1, 5, 15 minutes): {load}; the run itself is 1")
    lines.append(f"- {results[0]['facts']:,} facts; reading all of them takes {number(results[0]['load']['median'] / 1000)} ms")
    return "\n".join(lines) + "\n"


def report(results, whole):
    text = "## Bars\n\n" + bars(results, whole) + "\n## Machine\n\n" + machine(results)
    text += "\n## Solving alone, the shipped matrix\n\n" + solving(results[0]["requests"])
    for result in results[1:]:
        text += f"\n## Solving alone, ×{result['scale']}: {result['facts']:,} facts\n\n" + solving(result["requests"])
    text += "\n## Agreement\n\n" + agreement(results)
    text += "\n## What else an answer costs\n\n" + parts(results[0]["requests"])
    return text + f"\n## Whole processes: `{whole['options']}`\n\n" + processes(whole)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", required=True)
    parser.add_argument("--into", required=True)
    options = parser.parse_args()
    folder, page = Path(options.results), Path(options.into)
    results = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("peers-*.json")]
    results.sort(key=lambda result: result["scale"])
    whole = json.loads((folder / "whole.json").read_text(encoding="utf-8"))
    before, rest = page.read_text(encoding="utf-8").split(begin_mark)
    page.write_text(before + begin_mark + "\n" + report(results, whole) + end_mark + rest.split(end_mark)[1], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
