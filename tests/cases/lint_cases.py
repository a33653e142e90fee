"""Runs `vmatrix matrix lint --matrix .` in every folder of tests/cases/lint and compares what it says.

    lint_cases.py PROGRAM [CASE...]

A case is a folder with .yaml files and `expected.txt`: exactly what is said, the findings on stdout, or on stderr why there are none. What cannot be kept as a file
(a symbolic link, a byte order mark, 4 MiB of text) is made by the folder's `make.py`, which runs in a copy of the folder.
The exit code follows from the text: 0 if its last line counts no error, else 3. VMATRIX_ACCEPT=1 rewrites expected.txt and
counts as skipped (77): look at the difference before you commit it.
"""

import difflib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CASES = pathlib.Path(__file__).resolve().parent / "lint"
SKIPPED = 77


def environment():
    kept = {name: value for name, value in os.environ.items() if not name.startswith("VMATRIX_")}
    return {**kept, "LC_ALL": "C.UTF-8"}


def run(program, case, scratch):
    """What lint says, and its exit code. It says something on one stream only."""
    folder = pathlib.Path(scratch) / case.name
    shutil.copytree(case, folder, ignore=shutil.ignore_patterns("expected.txt", "make.py"))
    if (case / "make.py").exists():
        subprocess.run([sys.executable, str(case / "make.py")], cwd=folder, check=True)
    done = subprocess.run([program, "matrix", "lint", "--matrix", "."], cwd=folder, env=environment(), timeout=60,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    out, err = (text.decode("utf-8", "backslashreplace") for text in (done.stdout, done.stderr))
    return (f"{out}--- and on stderr\n{err}" if out and err else out or err), done.returncode


def expected_code(text):
    return 0 if ": 0 errors, " in (text.splitlines() or [""])[-1] else 3


def complaint(expected, said, code):
    if said != expected:
        lines = difflib.unified_diff(expected.splitlines(), said.splitlines(), "expected.txt", "said", lineterm="", n=1)
        return "\n".join(lines) or "other line breaks"
    if code != expected_code(expected):
        return f"exit code {code}, expected {expected_code(expected)}"
    return ""


def main():
    program = os.path.abspath(sys.argv[1])
    names = sys.argv[2:] or sorted(path.name for path in CASES.iterdir() if path.is_dir())
    accept = os.environ.get("VMATRIX_ACCEPT") == "1"
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            case = CASES / name
            said, code = run(program, case, scratch)
            if accept:
                (case / "expected.txt").write_text(said, encoding="utf-8", newline="")
                continue
            file = case / "expected.txt"
            expected = file.read_bytes().decode("utf-8") if file.exists() else ""
            problem = complaint(expected, said, code)
            if problem:
                failed += 1
                print(f"FAILED {name}\n{problem}\n")
    print(f"{len(names) - failed} passed, {failed} failed")
    if accept:
        return SKIPPED
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
