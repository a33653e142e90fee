"""What `vmatrix … --help` says there is: the measure for completions and the manual."""

import re
import subprocess


def help_of(program, command):
    run = subprocess.run([program, *command, "--help"], capture_output=True, text=True, timeout=60, check=True)
    return run.stdout


def section(text, title):
    """The lines below a title, as far as they are indented."""
    found = re.search(rf"^{title}:\n((?:[ \t]+.*\n)+)", text + "\n", re.MULTILINE | re.IGNORECASE)
    return found.group(1).splitlines() if found else []


def first_words(text, title):
    """The first words of the entries; what a long entry continues on the next line is indented more deeply."""
    return [line.split()[0] for line in section(text, title) if re.match(r"  ?\S", line)]


def commands(program, command=()):
    """Every command as a tuple of words, `()` for the program itself, with its long options."""
    text = help_of(program, command)
    options = set()
    for line in section(text, "options"):
        if re.match(r"  ?-", line):
            options.update(re.findall(r"(?<![\w-])--[a-z][a-z-]*", line.split("  ")[1]))
    found = {tuple(command): options}
    for name in first_words(text, "subcommands"):
        found.update(commands(program, (*command, name)))
    return found
