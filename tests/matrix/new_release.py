"""Adding a PyTorch release is adding one block to one file: tests/fixtures/new-torch-release.yaml, which CONTRIBUTING.md quotes.

    new_release.py PROGRAM MATRIX_MUTATION SOURCE_DIR

No golden answer of tests/matrix/golden changes by it.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile


def vmatrix(program, *arguments):
    done = subprocess.run([program, "matrix", *arguments], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def check(what, condition, detail=""):
    if not condition:
        print(f"FAILED {what}\n{detail}")
        print("0 passed, 1 failed")
        sys.exit(1)


def main():
    program, mutation, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    block = (source / "tests/fixtures/new-torch-release.yaml").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        matrix = pathlib.Path(scratch) / "matrix"
        shutil.copytree(source / "matrix", matrix)
        file = matrix / "frameworks/torch-2.yaml"
        text = file.read_text(encoding="utf-8")
        head, line, rest = text.partition("\nreleases:\n")
        check("the file has a section for releases", line)
        file.write_text(head + line + block + "\n" + rest, encoding="utf-8")

        code, out, err = vmatrix(program, "lint", "--matrix", matrix)
        check("lint is clean", code == 0 and "0 errors, 0 warnings" in out, (out + err)[-2000:])
        code, out, err = vmatrix(program, "fmt", "--check", "--matrix", matrix)
        check("the block is in canonical form", code == 0, out + err)

        code, out, _ = vmatrix(program, "list", "releases", "--where", "version=2.99.0", "--format", "json", "--matrix", matrix)
        check("list finds the release", code == 0 and [fact["id"] for fact in json.loads(out)["facts"]] == ["torch-2.99.0"], out)
        code, out, _ = vmatrix(program, "list", "builds", "--arch", "sm_110", "--format", "json", "--matrix", matrix)
        check("list of builds answers", code == 0, out)
        code, out, _ = vmatrix(program, "show", "torch==2.99.0", "--matrix", matrix)
        check("show finds the release with its builds", code == 0 and all(f"torch-2.99.0+{build}" in out for build in ("cu126", "cu130", "rocm7.2", "cpu")), out)
        code, out, _ = vmatrix(program, "show", "torch==2.99.0+rocm7.2", "--format", "json", "--matrix", matrix)
        build = json.loads(out) if code == 0 else {}
        check("show finds a build, with what it has of its release", build.get("python") == ["3.11", "3.12", "3.13", "3.14"] and build.get("platforms") == ["linux-x86_64"], out)

        done = subprocess.run([mutation, "golden", matrix, source / "tests/matrix/golden"], capture_output=True, text=True, timeout=300, check=False)
        check("all golden answers are the same", done.returncode == 0, done.stdout[-2000:])
    print("1 passed, 0 failed")


if __name__ == "__main__":
    main()
