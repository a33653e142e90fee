#!/usr/bin/python3 -B
"""The manual: mandoc has nothing to say against it, and it has the commands and options of --help, no more and no less.

    man_page.py PROGRAM PAGE
"""

import re
import shutil
import subprocess
import sys
import unittest

from help_pages import commands

PROGRAM, PAGE = sys.argv[1], sys.argv[2]


class ManPage(unittest.TestCase):
    def setUp(self):
        with open(PAGE, encoding="utf-8") as file:
            self.text = file.read()

    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc here")
    def test_mandoc_finds_nothing(self):
        run = subprocess.run(["mandoc", "-T", "lint", PAGE], capture_output=True, text=True, check=False)
        self.assertEqual(run.stdout, "")

    def test_options(self):
        options = set().union(*commands(PROGRAM).values())
        self.assertEqual(set("-" + name for name in re.findall(r"(?:Fl|,|\|) (-[a-z][a-z-]*)", self.text)), options)

    def test_commands(self):
        found = commands(PROGRAM)
        leaves = {" ".join(words) for words in found if words and not any(len(other) > len(words) and other[:len(words)] == words for other in found)}
        entries = set(re.findall(r"^\.It Cm ((?:[a-z-]+ ?)+?)(?= [A-Z]|$)", self.text, re.MULTILINE))
        self.assertEqual(entries, leaves)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
