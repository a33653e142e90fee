"""Runs the scenarios of tests/scenarios: commands and what they must print, as text that a bug report can be pasted into.

    run.py PROGRAM [SCENARIO...]

A scenario file has lines of these kinds:
    # comment
    $ command                 run by bash in an empty folder that lives as long as the scenario; `vmatrix` is the program,
                              $FIXTURES is tests/fixtures, $SOURCE the source tree
    > a line of stdout        what the command above prints
    ! a line of stderr
    ? 3                       its exit code; 0 where none is written
    -- name --                a file with this name follows, up to the next `-- name --` or `--`
In a line of output `[..]` stands for any text, a line `[...]` for any number of lines; paths begin with $FIXTURES or $SOURCE.
VMATRIX_ACCEPT=1 writes what the program says into the file where it differs, and counts as skipped (77).
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
FILE = re.compile(r"^-- (\S+) --$")


class Step:
    """A command with what it must print; `lines` are where it stands in the file."""

    def __init__(self, command, first):
        self.command, self.first, self.last = command, first, first
        self.out, self.err, self.code = [], [], 0


def parse(text):
    """The files and the steps of a scenario."""
    files, steps, open_file = [], [], None
    for number, line in enumerate(text.splitlines()):
        header = FILE.match(line)
        if header:
            open_file = [header.group(1), []]
            files.append((len(steps), open_file))
        elif open_file is not None and line == "--":
            open_file = None
        elif open_file is not None:
            open_file[1].append(line)
        elif line.startswith("$ "):
            steps.append(Step(line[2:], number))
        elif line[:1] in (">", "!", "?") and steps:
            step = steps[-1]
            step.last = number
            if line[0] == "?":
                step.code = int(line[1:])
            else:
                (step.out if line[0] == ">" else step.err).append(line[2:])
        elif line and not line.startswith("#"):
            raise ValueError(f"line {number + 1}: what is {line!r}?")
    return files, steps


def matches(wanted, got):
    """Whether the lines `got` are those wanted, with [..] and [...]."""
    parts = []
    for line in wanted:
        if line == "[...]":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(".*".join(re.escape(part) for part in line.split("[..]")) + r"\n")
    return re.fullmatch("".join(parts), "".join(line + "\n" for line in got)) is not None


# One for all scenarios, which run side by side and share it as programs of one user do.
CACHE = tempfile.TemporaryDirectory(prefix="vmatrix-cache-")


def environment(program, folder):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("VMATRIX_")}
    path = str(pathlib.Path(program).parent) + os.pathsep + kept.get("PATH", "")
    return {**kept, "PATH": path, "LC_ALL": "C.UTF-8", "FIXTURES": str(HERE.parent / "fixtures"), "SOURCE": str(HERE.parent.parent), "HOME": folder, "XDG_CACHE_HOME": CACHE.name}


def run(step, folder, env):
    done = subprocess.run(["bash", "-c", step.command], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    decoded = [stream.decode("utf-8", "backslashreplace").replace(env["FIXTURES"], "$FIXTURES").replace(env["SOURCE"], "$SOURCE") for stream in (done.stdout, done.stderr)]
    return decoded[0].splitlines(), decoded[1].splitlines(), done.returncode


def difference(step, out, err, code):
    problems = []
    for name, wanted, got in (("stdout", step.out, out), ("stderr", step.err, err)):
        if not matches(wanted, got):
            problems += difflib.unified_diff(wanted, got, f"{name} wanted", f"{name} printed", lineterm="", n=1)
    if code != step.code:
        problems.append(f"exit code {code}, wanted {step.code}")
    return problems


def accepted(text, results):
    """The file with what was printed in the place of what was wanted."""
    lines = text.splitlines()
    for step, out, err, code in reversed(results):
        lines[step.first + 1:step.last + 1] = [("> " + line).rstrip() for line in out] + [("! " + line).rstrip() for line in err] + ([f"? {code}"] if code else [])
    return "\n".join(lines) + "\n"


def play(path, program):
    """The complaints about one scenario, and its text as it would be right."""
    text = path.read_text(encoding="utf-8")
    files, steps = parse(text)
    problems, wrong = [], []
    with tempfile.TemporaryDirectory() as folder:
        env = environment(program, folder)
        for index, step in enumerate(steps):
            for before, (name, lines) in files:
                if before == index:
                    target = pathlib.Path(folder) / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
            out, err, code = run(step, folder, env)
            complaint = difference(step, out, err, code)
            if complaint:
                problems.append(f"{path.name}:{step.first + 1}: $ {step.command}\n  " + "\n  ".join(complaint))
                wrong.append((step, out, err, code))
    return len(steps), problems, accepted(text, wrong)


def main():
    program = os.path.abspath(sys.argv[1])
    accept = os.environ.get("VMATRIX_ACCEPT") == "1"
    paths = [HERE / name for name in sys.argv[2:]] or sorted(HERE.glob("*.scn"))
    steps = failed = 0
    for path in paths:
        count, problems, right = play(path, program)
        steps += count
        failed += len(problems)
        if accept and problems:
            path.write_text(right, encoding="utf-8")
        elif problems:
            print("\n".join(problems) + "\n")
    print(f"{steps - failed} passed, {failed} failed")
    if accept:
        return SKIPPED
    return 1 if failed or not steps else 0


if __name__ == "__main__":
    sys.exit(main())
