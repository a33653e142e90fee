#!/usr/bin/env python3
"""Runs what the documents show: `$ vmatrix ...` in console blocks, counts of facts in tables, the quoted release block.

    examples.py PROGRAM DOCUMENT...

VMATRIX_ACCEPT=1 writes the true outputs into the documents; the test then counts as skipped (exit code 77).
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def run(program, command):
    arguments = shlex.split(command, comments=True)
    redirect = arguments.index(">") if ">" in arguments else len(arguments)
    return subprocess.run([program, *arguments[1:redirect]], capture_output=True, text=True, cwd=ROOT, check=False)


def block(program, text, problems):
    """One console block: each command with the output that follows it, if any is shown. `resolve` and `check` may say no."""
    parts = re.split(r"^(\$ .*)$", text, flags=re.M)
    result = [parts[0]]
    for command, shown in zip(parts[1::2], parts[2::2]):
        words = command[2:]
        changes = re.search(r"\bmatrix fmt\b", words)
        answer = run(program, words + (" --check" if changes else ""))
        said_no = answer.returncode == 1 and shown.strip() and re.match(r"vmatrix (resolve|check)\b", words)
        if answer.returncode != 0 and not said_no:
            problems.append(f"`{words}` exits with {answer.returncode}: {answer.stderr.strip()}")
        if shown.strip() and shown.strip("\n") != answer.stdout.strip("\n"):
            problems.append(f"`{words}` prints something else:\n{answer.stdout}")
            shown = "\n" + answer.stdout
        result += [command, shown]
    return "".join(result)


def counts(program):
    listing = run(program, "vmatrix matrix list --format json")
    return {row["kind"]: row["facts"] for row in json.loads(listing.stdout)["kinds"]}


def check(program, path, facts, release):
    problems = []
    text = path.read_text(encoding="utf-8")
    new = re.sub(r"(?<=^```console\n).*?(?=^```$)", lambda m: block(program, m[0], problems), text, flags=re.M | re.S)

    def row(match):
        if facts.get(match[2]) != int(match[1]):
            problems.append(f"there are {facts.get(match[2])} {match[2]}, not {match[1]}")
        return f"| {facts.get(match[2])} | `{match[2]}` |"

    new = re.sub(r"^\| (\d+) \| `([a-z-]+)` \|", row, new, flags=re.M)
    if "### A new PyTorch release" in new:
        quoted = re.search(r"### A new PyTorch release.*?^```yaml\n(.*?)^```$", new, flags=re.M | re.S)
        if quoted[1] != release:
            problems.append("the block of the new release is not that of tests/fixtures/new-torch-release.yaml")
            new = new[: quoted.start(1)] + release + new[quoted.end(1) :]
    if new != text and os.environ.get("VMATRIX_ACCEPT"):
        path.write_text(new, encoding="utf-8")
    return [f"{path.name}: {problem}" for problem in problems]


def main(program, *documents):
    facts = counts(program)
    release = (ROOT / "tests/fixtures/new-torch-release.yaml").read_text(encoding="utf-8")
    problems = [problem for name in documents for problem in check(program, ROOT / name, facts, release)]
    print("\n".join(problems))
    if os.environ.get("VMATRIX_ACCEPT"):
        return SKIPPED
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
