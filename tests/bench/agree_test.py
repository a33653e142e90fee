#!/usr/bin/env python3
"""One short round of the benchmark: whatever solvers are installed must say what we say. Nothing is said of how long it takes."""
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).parent
no_peer = 77


def main():
    bench, matrix = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        problems = Path(folder) / "problems.json"
        subprocess.run([bench, "--matrix", matrix, "--requests", here / "requests.txt", "--out", problems, "--seconds", "0", "--least", "1"], check=True)
        code = subprocess.run([sys.executable, here / "peers.py", problems, "--seconds", "0", "--least", "1"], check=False).returncode
    if code == no_peer:
        print("skipped: none of the other solvers is installed")
    return code


if __name__ == "__main__":
    sys.exit(main())
