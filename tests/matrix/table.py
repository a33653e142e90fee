"""The table of cards of the shipped matrix says what `vmatrix resolve` and `check` say of the same card, and its Markdown, CSV and HTML
are what such readers take.

    table.py PROGRAM SOURCE_DIR
"""

import csv
import html.parser
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])

# Of both makers, new and old: served by all, by some, by the past only, by nothing, only with an override, on another processor.
CARDS = ["rtx5090", "gb10", "v100", "k80", "gtx480", "rx7900", "rx6700xt", "radeon vii", "jetson agx orin"]
VOID = {"br", "meta"}


def vmatrix(*arguments, matrix=SOURCE / "matrix"):
    return subprocess.run([PROGRAM, *arguments, "--matrix", matrix], capture_output=True, timeout=300, check=False)


def answer(*arguments):
    return json.loads(vmatrix(*arguments, "--format", "json").stdout)


def table(*arguments, **options):
    done = vmatrix("matrix", "table", *arguments, **options)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.decode("utf-8")


class Page(html.parser.HTMLParser):
    """Checks that tags are balanced; keeps the cells of each row and what is linked."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.rows, self.links, self.problems = [], set(), [], [], []
        self.feed(text)
        self.close()
        self.problems += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.links += [value for name, value in attrs if name in ("href", "src")]
        self.problems += [f"{name} of <{tag}>" for name, _ in attrs if name.startswith("on")]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "br":
            self.rows[-1][-1] += "\n"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


class Cards(unittest.TestCase):
    """Each card by itself, against the commands that answer for it."""

    @classmethod
    def setUpClass(cls):
        cls.rows = {card: answer("matrix", "table", "--gpu", card)["rows"][0] for card in CARDS}

    def test_the_stack_is_that_of_resolve(self):
        for card, row in self.rows.items():
            found = answer("resolve", "--gpu", card, "--alternatives", "0")
            stack = found["stacks"][0] if found["stacks"] else {"components": {}, "evidence": None, "image": None}
            parts = stack["components"]
            self.assertEqual((row["build"], row["evidence"]), (parts.get("torch"), stack["evidence"]), card)
            self.assertEqual(row["runtime_version"], parts.get(row["runtime"]), card)
            self.assertEqual(row["image"], stack["image"] and stack["image"]["name"], card)
            if "python" in parts:
                self.assertIn(parts["python"], row["python"], card)
            limits = " ".join(limit["text"] for limit in found["limits"])
            for name, text in (("last_release", "the last release of torch with code"), ("last_branch", "the last driver branch")):
                value = row[name] if name == "last_release" else row["driver"]["last_branch"]
                self.assertEqual(value is not None, text in limits, card)
            for value in filter(None, (row["last_release"], row["driver"]["last_branch"])):
                self.assertIn(f" is {value}", limits, card)

    def level(self, card, *arguments):
        return answer("check", "--gpu", card, *arguments)["evidence"]

    def test_the_least_driver_does_and_an_older_one_does_less(self):
        levels = ["broken", "unknown", "workaround", "expected", "supported"]
        judged = 0
        for card, row in self.rows.items():
            for least in row["driver"]["least"]:
                judged += 1
                stack = f"torch=={row['build']}"
                self.assertEqual(self.level(card, stack, "--driver", least["version"]), least["evidence"], card)
                head, _, tail = least["version"].rpartition(".")
                older = f"{head}.{int(tail) - 1}" if head and int(tail) else str(int(least["version"].split(".")[0]) - 1)
                self.assertLess(levels.index(self.level(card, stack, "--driver", older)), levels.index(least["evidence"]), card)
        self.assertGreater(judged, 4)

    def test_other_builds_work(self):
        judged = 0
        for card, row in self.rows.items():
            for label in row["other_builds"]:
                judged += 1
                self.assertIn(self.level(card, f"torch=={row['build'].partition('+')[0]}+{label}"), ("supported", "expected"), f"{card} {label}")
        self.assertGreater(judged, 2)

    def test_known_bad_is_bad(self):
        builds = [fact["id"].removeprefix("torch-") for fact in answer("matrix", "list", "builds")["facts"] if fact["id"].startswith("torch-")]
        judged = 0
        for card, row in self.rows.items():
            for line in row["known_bad"]:
                if line.startswith(("blocks: ", "warns: ")):
                    continue
                ranges, _, why = line.rpartition(": ")
                wanted = "workaround" if why.endswith("(workaround)") else "broken"
                for part in ranges.split(", "):
                    label = part.rpartition("+")[2]
                    bound = re.fullmatch(r"torch(?:>=|<=|==)(\S+)", part)
                    build = bound[1] if bound else next(name for name in builds if name.endswith("+" + label))
                    judged += 1
                    self.assertIn(build, builds, f"{card}: {part}")
                    self.assertEqual(self.level(card, f"torch=={build}"), wanted, f"{card}: {part}")
        self.assertGreater(judged, 10)
        self.assertIn("torch>=2.11.0+cu128", self.rows["v100"]["known_bad"][0])
        self.assertIn("needs HSA_OVERRIDE_GFX_VERSION=10.3.0 (workaround)", " ".join(self.rows["rx6700xt"]["known_bad"]))

    def test_every_row_says_where_from(self):
        facts = {fact["id"] for kind in ("builds", "releases", "architectures", "rules", "images") for fact in answer("matrix", "list", kind)["facts"]}
        for card, row in self.rows.items():
            self.assertTrue(facts & set(row["facts"]), card)
            self.assertTrue(row["sources"], card)
            if row["build"]:
                self.assertIn("torch-" + row["build"], row["facts"], card)


class Whole(unittest.TestCase):
    """The table of all cards, in every format."""

    @classmethod
    def setUpClass(cls):
        cls.answer = answer("matrix", "table")
        cls.csv = list(csv.reader(io.StringIO(table("--format", "csv"), newline=""), strict=True))

    def test_rows_are_the_architectures_that_people_own(self):
        owned = {gpu["architecture"] for gpu in answer("matrix", "list", "gpus")["facts"] if gpu.get("class") in ("consumer", "workstation", "datacenter")}
        rows = [row["architecture"] for row in self.answer["rows"]]
        self.assertEqual(sorted(rows), sorted(owned))
        generations = [fact["id"] for fact in answer("matrix", "list", "generations")["facts"]]
        of = {fact["id"]: fact.get("generation") for fact in answer("matrix", "list", "architectures")["facts"]}
        places = [generations.index(of[row]) for row in rows]
        self.assertEqual(places, sorted(places, reverse=True))

    def test_csv_has_every_row_and_nothing_that_runs(self):
        self.assertEqual({len(row) for row in self.csv}, {14})
        self.assertEqual([row[1].split()[0] for row in self.csv[1:]], [row["architecture"] for row in self.answer["rows"]])
        self.assertEqual([row[0] for row in self.csv[1:]], ["; ".join(row["cards"]) for row in self.answer["rows"]])
        self.assertFalse([cell for row in self.csv for cell in row if cell[:1] in tuple("=+-@\t\r")])

    def test_html_is_one_page(self):
        page = Page(table("--format", "html"))
        self.assertEqual(page.problems, [])
        self.assertFalse(page.tags & {"script", "link", "img", "iframe", "object", "embed", "form", "base"})
        self.assertTrue(page.links and all(link.startswith("https://") for link in page.links))
        self.assertEqual([[cell.replace("\n", "; ") for cell in row[1:12]] for row in page.rows], [row[1:12] for row in self.csv])
        self.assertEqual([row[12].replace(", ", "; ") for row in page.rows], [row[12] for row in self.csv])

    def test_markdown_has_every_row_and_every_source(self):
        text = table("--format", "markdown")
        lines = [line for line in text.splitlines() if line.startswith("|")]
        self.assertEqual({len(re.findall(r"(?<!\\)\|", line)) for line in lines}, {14})
        self.assertEqual(len(lines), len(self.csv) + 1)
        numbers = {number for line in lines[2:] for number in re.findall(r"\d+", line.rpartition("|")[0].rpartition("|")[2])}
        listed = set(re.findall(r"^(\d+)\. ", text, re.MULTILINE))
        self.assertEqual(numbers, listed)
        self.assertEqual(len(listed), len(self.answer["sources"]))

    def test_it_is_the_same_each_time(self):
        for name in ("markdown", "csv", "html", "text"):
            self.assertEqual(table("--format", name), table("--format", name))


EVIL = "=1+1|</td><script>alert('x')</script>\"&lt;[a](https://example.org) <!-- `\\\n| b |"


class Hostile(unittest.TestCase):
    """A matrix of other people, with texts that are made to be more than text."""

    @classmethod
    def setUpClass(cls):
        text = json.dumps(EVIL)
        facts = f"""
sources:
  - {{id: evil, title: {text}, address: "https://example.org/", trust: weak}}
generations:
  - {{id: evil, title: {text}, vendor: nvidia, source: [evil]}}
architectures:
  - {{id: sm_91, vendor: nvidia, generation: evil, compute-capability: "9.1", source: [evil]}}
gpus:
  - {{id: evil-card, vendor: nvidia, name: {text}, architecture: sm_91, class: consumer, source: [evil]}}
issues:
  - {{id: evil-issue, severity: warns, layer: driver, text: {text}, architectures: [sm_91], source: [evil]}}
"""
        with tempfile.TemporaryDirectory() as folder:
            matrix = pathlib.Path(folder) / "matrix"
            shutil.copytree(SOURCE / "tests/fixtures/matrix-small", matrix)
            shutil.copy(SOURCE / "tests/fixtures/stack.yaml", matrix)
            (matrix / "evil.yaml").write_text(facts, encoding="utf-8")
            cls.text = {name: table("--gpu", "sm_91", "--format", name, matrix=matrix) for name in ("html", "csv", "markdown")}
        cls.line = EVIL.replace("\n", " ")

    def test_html(self):
        page = Page(self.text["html"])
        self.assertEqual(page.problems, [])
        self.assertNotIn("script", page.tags)
        self.assertEqual([len(row) for row in page.rows], [14, 14])
        self.assertEqual(page.rows[1][0], self.line)
        self.assertIn(self.line, page.rows[1][11])

    def test_csv(self):
        rows = list(csv.reader(io.StringIO(self.text["csv"], newline=""), strict=True))
        self.assertEqual([len(row) for row in rows], [14, 14])
        self.assertEqual(rows[1][0], "'" + self.line)
        self.assertIn(self.line, rows[1][11])

    def test_markdown(self):
        lines = [line for line in self.text["markdown"].splitlines() if line.startswith("|")]
        self.assertEqual(len(lines), 3)
        self.assertEqual({len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in lines}, {14})
        self.assertNotRegex(self.text["markdown"].replace("<br>", ""), r"<(?!https://)")
        self.assertNotIn("://example.org)", self.text["markdown"].replace("\\://", ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
