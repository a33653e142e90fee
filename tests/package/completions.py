#!/usr/bin/python3 -B
"""The completions of bash, zsh and fish: they parse, they know every command and option, and they complete.

    completions.py PROGRAM FOLDER
"""

import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import time
import unittest

from help_pages import commands

PROGRAM, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FILES = {"bash": f"{FOLDER}/vmatrix.bash", "zsh": f"{FOLDER}/_vmatrix", "fish": f"{FOLDER}/vmatrix.fish"}
os.chdir(FOLDER)   # where names of files are completed
PATH = os.path.dirname(PROGRAM) + ":" + os.environ["PATH"]

# What is typed, and some of what must be offered.
CASES = [
    ("vmatrix matrix ", {"lint", "fmt", "list", "show", "stats", "table", "schema"}),
    ("vmatrix matrix table --", {"--gpu", "--package", "--matrix", "--format"}),
    ("vmatrix matrix table --format ", {"text", "markdown", "csv", "html"}),
    ("vmatrix matrix table --gpu rx79", {"rx7900"}),
    ("vmatrix ", {"resolve", "check", "matrix"}),
    ("vmatrix resolve --", {"--gpu", "--with", "--alternatives", "--explain", "--format"}),
    ("vmatrix resolve --gpu rx79", {"rx7900"}),
    ("vmatrix resolve --os ubuntu:24", {"ubuntu:24.04"}),
    ("vmatrix check --python 3.1", {"3.12", "3.13"}),
    ("vmatrix check --gpu rx7900 torchv", {"torchvision"}),
    ("vmatrix matrix s", {"show", "stats", "schema"}),
    ("vmatrix resolve --from vmatrix.ba", {"vmatrix.bash"}),
    ("vmatrix --format ", {"text", "json", "yaml"}),
    ("vmatrix matrix list --", {"--arch", "--vendor", "--component", "--where", "--matrix", "--format"}),
    ("vmatrix --format json matrix list g", {"gpus", "gpu-names"}),
    ("vmatrix matrix list gpus --vendor ", {"amd", "nvidia"}),
    ("vmatrix matrix list gpus --arch gfx110", {"gfx1100", "gfx1101"}),
]


def needs(shell):
    return unittest.skipUnless(shutil.which(shell), f"no {shell} here")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env={**os.environ, "PATH": PATH})


def bash_offers(typed):
    words = typed.split(" ")
    script = f"""source {shlex.quote(FILES["bash"])}
        COMP_WORDS=({" ".join(map(shlex.quote, words))}) COMP_CWORD={len(words) - 1}
        _vmatrix vmatrix; printf '%s\\n' "${{COMPREPLY[@]}}" """
    return set(run("bash", "--norc", "-c", script).stdout.split())


def fish_offers(typed):
    script = f"source {shlex.quote(FILES['fish'])}; complete -C {shlex.quote(typed)}"
    return {line.split("\t")[0] for line in run("fish", "--no-config", "-c", script).stdout.splitlines()}


class Zsh:
    """An interactive zsh on a pseudo terminal: its completion works nowhere else."""

    def __init__(self):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.environ.update(PATH=PATH, TERM="dumb", PS1="", LINES="50", COLUMNS="200")
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self.ask("unset zle_bracketed_paste; unsetopt beep prompt_cr prompt_sp; setopt no_list_ambiguous; LISTMAX=1000\n"
                 f"fpath=({shlex.quote(FOLDER)} $fpath); autoload -Uz compinit; compinit -u -D; print rea''dy\n", {"ready"})

    def ask(self, typed, wanted):
        """Types, and reads until everything wanted has been said or 20 seconds have passed."""
        os.write(self.terminal, typed.encode())
        said, end = b"", time.monotonic() + 20
        while not wanted <= set(said.decode(errors="replace").split()) and time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.1)[0]:
                said += os.read(self.terminal, 65536)
        return set(said.decode(errors="replace").split())

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.child, 0)


class Completions(unittest.TestCase):
    def test_they_know_every_command_and_option(self):
        for shell, path in FILES.items():
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if shell == "fish":
                text = re.sub(r" -l (?=[a-z])", " --", text)
            for command, options in commands(PROGRAM).items():
                for word in [*command, *options]:
                    known = re.search(rf"(?<![\w-]){word}(?![\w-])", text)
                    self.assertTrue(known, f"{path} lacks `{word}` of `vmatrix {' '.join(command)}`")

    @needs("bash")
    def test_bash(self):
        for typed, wanted in CASES:
            self.assertLessEqual(wanted, bash_offers(typed), typed)
        self.assertEqual(bash_offers("vmatrix matrix list --vendor = a"), {"amd"})
        self.assertEqual(bash_offers("vmatrix matrix --matrix /nowhere list --vendor "), set())

    @needs("fish")
    def test_fish(self):
        self.assertEqual(run("fish", "--no-execute", FILES["fish"]).returncode, 0)
        for typed, wanted in CASES:
            self.assertLessEqual(wanted, fish_offers(typed), typed)
        self.assertEqual(fish_offers("vmatrix matrix --matrix /nowhere list --vendor "), set())

    @needs("zsh")
    def test_zsh(self):
        self.assertEqual(run("zsh", "-n", FILES["zsh"]).returncode, 0)
        zsh = Zsh()
        self.addCleanup(zsh.close)
        for typed, wanted in CASES:
            self.assertLessEqual(wanted, zsh.ask(f"{typed}\t\t", wanted), typed)
            zsh.ask("\x15print do''ne\n", {"done"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
