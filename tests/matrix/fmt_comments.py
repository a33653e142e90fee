"""Random facts in every layout, with comments that say where they belong: `vmatrix matrix fmt` leaves each with its fact and its field.

    fmt_comments.py PROGRAM [COUNT]
"""

import pathlib
import random
import re
import subprocess
import sys
import tempfile

TEXTS, LISTS = ("id", "name", "architecture", "note"), ("aliases", "pci", "source")


class Page:
    """Three GPUs, their fields in any order, written in any way."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.owners = {}   # comment -> (number of the fact, field, or "" for the fact as a whole)
        dash = self.random.choice(["", "  "])
        self.lines = ["gpus:"]
        for self.fact in range(3):
            if self.maybe():
                self.lines.append(dash + self.comment(""))
            self.write_fact(dash)

    def maybe(self):
        return self.random.random() < 0.3

    def comment(self, field):
        text = f"# {len(self.owners)}: {field or 'all'} of {self.fact}"
        self.owners[text] = (self.fact, field)
        return text

    def beside(self, field):
        return " " + self.comment(field) if self.maybe() else ""

    def above(self, field, indent):
        return [indent + self.comment(field)] if self.maybe() else []

    def write_fact(self, dash):
        fields = [*TEXTS, *LISTS]
        self.random.shuffle(fields)
        lead = dash + "- "
        if self.maybe():
            self.lines += [dash + "-" + self.beside(""), *self.above("", dash + "  ")]
            lead = dash + "  "
        body = []
        for field in fields:
            body += (self.above(field, dash + "  ") if body else []) + self.write_field(field, dash + "  ")
        self.lines += [lead + body[0][len(lead):], *body[1:], *self.above("", dash + "  ")]

    def write_field(self, field, indent):
        way = self.random.choice(["line", "next", "folded"] if field == "note" else ["line", "next"] if field in TEXTS else ["line", "brackets", "block", "flush"])
        values = [f'"{field[0]}{number}"' for number in range(self.random.randint(1, 3))]
        if way == "line":
            return [f"{indent}{field}: " + (field if field in TEXTS else f"[{', '.join(values)}]") + self.beside(field)]
        if way == "next":
            return [f"{indent}{field}:" + self.beside(field), *self.above(field, indent + "  "), f"{indent}  {field}"]
        if way == "folded":
            return [f"{indent}{field}: >-" + self.beside(field), f"{indent}  some", f"{indent}  words"]
        if way == "brackets":
            lines = [f"{indent}{field}: [" + self.beside(field)]
            for value in values:
                lines += [*self.above(field, indent), f"{indent}    {value}," + self.beside(field)]
            return [*lines, *self.above(field, indent[1:]), f"{indent}  ]" + self.beside(field)]
        inner = indent + ("  " if way == "block" else "")
        lines = [f"{indent}{field}:" + self.beside(field)]
        for value in values:
            lines += [*self.above(field, inner), f"{inner}- {value}" + self.beside(field)]
        return lines + (self.above(field, inner) if way == "block" else [])


def owner_of(lines, number):
    """The fact and the field of the comment on a line of a formatted page."""
    starts = [index for index, line in enumerate(lines) if line.startswith("  - ")]
    below = next((line for line in lines[number:] if not line.strip().startswith("#")), "")
    fact = sum(start <= number for start in starts) - 1 + lines[number].startswith("  #")
    return fact, re.match(r"(?:  - |    )?([a-z]*)", below)[1]


def complaints(program, folder, seed):
    page = Page(seed)
    file = folder / "page.yaml"
    written = "\n".join(page.lines) + "\n"
    file.write_text(written, encoding="utf-8")
    done = subprocess.run([program, "matrix", "fmt", str(file)], capture_output=True, text=True, check=False, timeout=60)
    lines = file.read_text(encoding="utf-8").splitlines()
    found = [f"exit code {done.returncode}: {done.stderr}"] if done.returncode else []
    for comment, (fact, field) in page.owners.items():
        places = [number for number, line in enumerate(lines) if line.endswith(comment)]
        owners = [owner_of(lines, number) for number in places]
        if len(owners) != 1 or owners[0][0] != fact or (field and owners[0][1] != field):
            found.append(f"{comment!r} went to {owners}")
    return [f"seed {seed}: {'; '.join(found)}\n{written}\n--- formatted\n" + "\n".join(lines)] if found else []


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    with tempfile.TemporaryDirectory() as scratch:
        failed = [text for seed in range(count) for text in complaints(program, pathlib.Path(scratch), seed)]
    print("\n".join(failed[:3]))
    print(f"{count - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
