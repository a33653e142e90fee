#!/usr/bin/python3
"""Compares vmatrix's PEP 440 with Python's `packaging` on random versions and specifiers.

    pep440_packaging.py PROBE [--count N] [--seed N]

PROBE is the program pep440_probe. Checked are N pairs of versions (order), N pairs of a specifier set and a version
(membership, pre-releases allowed), the normal form of every version, and that damaged versions are refused alike.

Where packaging departs from the text of the PEP, the text counts. `deviation` names the three cases; they are counted
and printed, and any other difference fails.
"""

import argparse
import collections
import itertools
import random
import re
import subprocess
import sys

import packaging
from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

EPOCH_IN_PREFIX = tuple(int(n) for n in packaging.__version__.split(".")[:2]) >= (24, 0)


# Random versions: few numbers, so that versions meet each other and the bounds of specifiers.

class Parts(dict):
    """epoch, release (list), pre (letter, number), post, dev, local: as in the PEP, None where absent."""

    def copy(self):
        return Parts(self)


def number(rng):
    return rng.choice((0, 0, 1, 1, 2, 3, 7, 9, 10, 19, 100, 99999999999999999999999))


def release(rng):
    return [number(rng) for _ in range(rng.choice((1, 2, 2, 2, 3, 3, 4)))]


def maybe(rng, chance, value):
    return value(rng) if rng.random() < chance else None


def pre(rng):
    return rng.choice("abc"), number(rng)


def local(rng):
    return ".".join(rng.choice(("0", "1", "2", "10", "01", "a", "b", "ab", "0a", "cu118", "cu128", "cpu")) for _ in range(rng.choice((1, 1, 2, 3))))


SEGMENTS = {
    "epoch": lambda rng: maybe(rng, 0.08, number),
    "release": release,
    "pre": lambda rng: maybe(rng, 0.3, pre),
    "post": lambda rng: maybe(rng, 0.3, number),
    "dev": lambda rng: maybe(rng, 0.25, number),
    "local": lambda rng: maybe(rng, 0.25, local),
}


def random_parts(rng):
    return Parts({name: make(rng) for name, make in SEGMENTS.items()})


def neighbour(rng, parts):
    """A version that differs from `parts` in little: the interesting pairs."""
    result = parts.copy()
    for _ in range(rng.choice((0, 1, 1, 2))):
        change = rng.randrange(9)
        if change < 6:
            name = rng.choice(list(SEGMENTS))
            result[name] = SEGMENTS[name](rng)
        elif change == 6:
            result["release"] = result["release"] + [0] * rng.randrange(1, 3)
        elif change == 7:
            result["release"] = result["release"][:-1] + [max(0, result["release"][-1] + rng.choice((-1, 1)))]
        else:
            for name in ("pre", "post", "dev", "local"):
                if rng.random() < 0.5:
                    result[name] = None
    return result


LETTERS = {"a": ("a", "alpha"), "b": ("b", "beta"), "c": ("rc", "c", "pre", "preview")}


def spell(rng, parts, plain=False):
    """One of the many texts for a version; with `plain` only digits and the normal words."""
    def digits(value):
        return str(value) if plain or rng.random() < 0.9 else "0" * rng.randrange(1, 3) + str(value)

    def separator(normal):
        return normal if plain or rng.random() < 0.6 else rng.choice(("", ".", "-", "_"))

    def word_number(value):
        if not plain and value == 0 and rng.random() < 0.3:
            return ""
        return separator("") + digits(value)

    text = "" if plain or rng.random() < 0.95 else "v"
    if parts["epoch"] is not None:
        text += digits(parts["epoch"]) + "!"
    text += ".".join(digits(value) for value in parts["release"])
    if parts["pre"]:
        letter, value = parts["pre"]
        text += separator("") + (LETTERS[letter][0] if plain else rng.choice(LETTERS[letter])) + word_number(value)
    if parts["post"] is not None:
        if not plain and rng.random() < 0.2:
            text += "-" + digits(parts["post"])
        else:
            text += separator(".") + ("post" if plain else rng.choice(("post", "post", "rev", "r"))) + word_number(parts["post"])
    if parts["dev"] is not None:
        text += separator(".") + "dev" + word_number(parts["dev"])
    if parts["local"] is not None:
        text += "+" + (parts["local"] if plain else "".join(rng.choice("._-") if c == "." and rng.random() < 0.2 else c for c in parts["local"]))
    if plain:
        return text
    if rng.random() < 0.1:
        text = text.upper()
    return text if rng.random() < 0.95 else rng.choice((" ", "  ")) + text + rng.choice(("", " "))


def damage(rng, text):
    """Changes one character, mostly into something that is no version."""
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(("", rng.choice("0aAbcrdv.-_+! *x"))) + text[at + rng.randrange(2):]


def clause(rng, parts):
    """Operator and operand that packaging accepts."""
    operator = rng.choice(("==", "!=", ">=", "<=", ">", "<", ">", "<", "~=", "==.*", "!=.*", "==="))
    near = neighbour(rng, parts)
    if operator in (">=", "<=", ">", "<", "~="):
        near["local"] = None
    if operator == "~=":
        near["release"] = near["release"] if len(near["release"]) > 1 else near["release"] + [0]
        return "~=", spell(rng, near, plain=True)   # packaging does not see suffixes such as `.rev1` here
    if operator.endswith(".*"):
        keep = {"pre": None, "post": None, "dev": None, "local": None}
        return operator[:2], spell(rng, Parts({**near, **keep}), plain=True) + ".*"
    return operator, spell(rng, near).strip()


# The text of the PEP, where packaging departs from it.

def same_release(a, b):
    return Version(a.base_version) == Version(b.base_version)


def is_local_of(version, given):
    return version.local is not None and Version(version.public) == given


def is_post_of(version, given):
    """A post-release, or a dev release of one, of `given`, which is none itself. A dev release has no post-releases."""
    return version.post is not None and given.dev is None and same_release(version, given) and version.pre == given.pre


def is_pre_of(version, given):
    """A pre-release or dev release of `given`, which is none itself."""
    if not (version.is_prerelease and same_release(version, given)):
        return False
    return given.post is None or (version.pre is None and version.post == given.post)


def starts_with(version, prefix):
    given = Version(prefix)
    padded = list(version.release) + [0] * len(given.release)
    return version.epoch == given.epoch and padded[: len(given.release)] == list(given.release)


def by_the_text(operator, operand, version):
    """What the PEP says of one clause; None where packaging is not known to depart from it."""
    if operator in ("==", "!=") and operand.endswith(".*"):
        return starts_with(version, operand[:-2]) == (operator == "==")
    given = Version(operand)
    if operator == ">":
        return version > given and not is_local_of(version, given) and not (given.post is None and is_post_of(version, given))
    if operator == "<":
        return version < given and not (not given.is_prerelease and is_pre_of(version, given))
    if operator == "~=":
        prefix = f"{given.epoch}!" + ".".join(str(n) for n in given.release[:-1])
        return Version(version.public) >= given and starts_with(version, prefix)
    if operator == "===":
        return version == given
    return None


def deviation(operator, operand, version):
    """Why packaging may differ from the text here; None where it must agree."""
    if operator in ("<", ">") and same_release(version, Version(operand)):
        return "exclusive order: packaging compares base versions where the PEP names V's own pre-, post- and local releases"
    if operator == "===" and version == Version(operand) and str(version).lower() != operand.lower():
        return "arbitrary equality: packaging compares spellings, vmatrix versions"
    epoch = version.epoch or re.match(r"\s*v?\d+!", operand)
    if not EPOCH_IN_PREFIX and epoch and (operand.endswith(".*") or operator == "~="):
        return "prefix match: packaging before 24.0 does not take the epoch off"
    return None


def packaging_says(operator, operand, version):
    return SpecifierSet(operator + operand).contains(version, prereleases=True)


def expected_inside(clauses, text, deviations):
    """The answer by the PEP, and a complaint if packaging differs without a known reason."""
    version = Version(text)
    answer = True
    for operator, operand in clauses:
        theirs = packaging_says(operator, operand, version)
        pep = by_the_text(operator, operand, version)
        if pep is not None and pep != theirs:
            reason = deviation(operator, operand, version)
            if reason is None:
                return None, f"packaging says {theirs} for {text!r} in {operator + operand!r}, the text {pep}"
            deviations[reason].append(f"{version} in {operator}{operand}: packaging {theirs}, PEP {pep}")
            theirs = pep
        answer = answer and theirs
    return answer, None


# The comparison.

def questions(rng, count, deviations):
    """Yields (question, expected answer); an answer of None is a failure, explained by the question."""
    for _ in range(count):
        parts = random_parts(rng)
        a, b = spell(rng, parts), spell(rng, neighbour(rng, parts) if rng.random() < 0.8 else random_parts(rng))
        left, right = Version(a), Version(b)
        yield f"norm\t{a}", str(left)
        yield f"cmp\t{a}\t{b}", str((left > right) - (left < right))
    for _ in range(count):
        parts = random_parts(rng)
        clauses = [clause(rng, parts) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
        text = spell(rng, neighbour(rng, parts))
        answer, complaint = expected_inside(clauses, text, deviations)
        comma, blank = rng.choice((",", ", ", " , ")), rng.choice(("", "", " "))
        specifiers = comma.join(operator + blank + operand for operator, operand in clauses)
        yield (f"in\t{specifiers}\t{text}", str(int(answer))) if complaint is None else (complaint, None)
    for _ in range(count // 4):
        text = damage(rng, spell(rng, random_parts(rng)))
        try:
            yield f"norm\t{text}", str(Version(text))
        except InvalidVersion:
            yield f"norm\t{text}", "error"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("probe")
    arguments.add_argument("--count", type=int, default=100_000)
    arguments.add_argument("--seed", type=int, default=440)
    options = arguments.parse_args()

    deviations = collections.defaultdict(list)
    asked = list(questions(random.Random(options.seed), options.count, deviations))
    failures = [question for question, answer in asked if answer is None]
    asked = [(question, answer) for question, answer in asked if answer is not None]
    run = subprocess.run([options.probe], input="".join(question + "\n" for question, _ in asked), capture_output=True, text=True, check=True)
    answers = run.stdout.splitlines()
    kinds = collections.Counter()
    for (question, expected), answer in itertools.zip_longest(asked, answers, fillvalue=("no question", "")):
        kinds[question.split("\t")[0] + (" refused" if expected == "error" else "")] += 1
        if answer != expected:
            failures.append(f"{question!r}: vmatrix says {answer}, expected {expected}")

    print(f"packaging {packaging.__version__}, seed {options.seed}: " + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
    for reason, examples in sorted(deviations.items()):
        print(f"  {len(examples)} times {reason}\n      e.g. {min(examples, key=len)}")
    for failure in failures[:20]:
        print("FAILED " + failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
