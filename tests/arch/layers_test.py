#!/usr/bin/python3 -B
"""Wrong trees that layers.py must refuse, each with what it must say."""

import contextlib
import io
import pathlib
import tempfile
import unittest

import layers

# A right tree; each case changes some of it.
GOOD = {
    "CMakeLists.txt": "foreach(layer base sys matrix doctor smoke cli)\n  add_subdirectory(src/${layer})\nendforeach()\n"
                      "target_link_libraries(vmatrix PRIVATE vmatrix::cli vmatrix_warnings)\n",
    "src/main.cpp": '#include <iostream>\n#include "cli/run.hpp"\n',
    "src/base/CMakeLists.txt": "vmatrix_layer(base LIBRARIES tl::expected)\n",
    "src/base/text.hpp": "#include <tl/expected.hpp>\n#include <string>\nnamespace vmatrix::base {}\n",
    "src/sys/CMakeLists.txt": "vmatrix_layer(sys USES base)\n",
    "src/sys/files.cpp": '#include <filesystem>\n#include <unistd.h>\n#include "base/text.hpp"\n',
    "src/matrix/CMakeLists.txt": "vmatrix_layer(matrix\n  USES base   # LIBRARIES in a comment\n  LIBRARIES Threads::Threads)\n",
    "src/matrix/read.cpp": '#include <vector>\n#include "base/text.hpp"\n#include "matrix/read.hpp"\n',
    "src/doctor/CMakeLists.txt": "vmatrix_layer(doctor)\n",
    "src/smoke/CMakeLists.txt": "vmatrix_layer(smoke)\n",
    "src/cli/CMakeLists.txt": "vmatrix_layer(cli USES base matrix LIBRARIES CLI11::CLI11)\n",
    "src/cli/run.cpp": '#include <CLI/CLI.hpp>\n#include "base/text.hpp"\n  #  include "matrix/read.hpp"\nnamespace vmatrix::cli {}\n',
}


def check(changes):
    """The exit code and the output for the right tree with these files changed; None removes one."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**GOOD, **changes}.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is not None:
                path.write_text(text, encoding="utf-8")
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = layers.main([folder])
        return code, said.getvalue()


class Layers(unittest.TestCase):
    def refused(self, changes, *said):
        code, output = check(changes)
        self.assertEqual(code, 1, output)
        self.assertIn(f", {len(said)} problems", output, output)
        for text in said:
            self.assertIn(text, output)

    def test_a_right_tree(self):
        self.assertEqual(check({}), (0, "6 layers, 0 problems\n"))

    def test_a_layer_that_is_not_named(self):
        self.refused({"src/sys/log.cpp": '#include "base/text.hpp"\n#include "matrix/read.hpp"\n'},
                     "src/sys/log.cpp:2: `sys` does not name `matrix` in USES")

    def test_main(self):
        self.refused({"src/main.cpp": '#include "matrix/read.hpp"\n'}, "src/main.cpp:1: `main` does not name `matrix`")

    def test_a_higher_layer(self):
        self.refused({"src/base/CMakeLists.txt": "vmatrix_layer(base USES sys)\n", "src/base/up.cpp": '#include "sys/files.hpp"\n'},
                     "src/base/CMakeLists.txt: `base` may use only layers below it, not `sys`")

    def test_itself(self):
        self.refused({"src/sys/CMakeLists.txt": "vmatrix_layer(sys USES base sys)\n", "src/sys/self.cpp": '#include "sys/files.hpp"\n'},
                     "`sys` may use only layers below it, not `sys`")

    def test_an_unknown_layer(self):
        self.refused({"src/sys/CMakeLists.txt": "vmatrix_layer(sys USES base net)\n", "src/sys/self.cpp": '#include "net/http.hpp"\n'},
                     "there is no layer `net`")

    def test_what_is_used_but_not_included(self):
        self.refused({"src/cli/CMakeLists.txt": "vmatrix_layer(cli USES base sys matrix)\n"},
                     "src/cli/CMakeLists.txt: `cli` uses `sys` but includes nothing of it")

    def test_a_folder_that_is_no_layer(self):
        self.refused({"src/misc/x.hpp": ""}, "src/misc: CMakeLists.txt does not name this layer")

    def test_a_layer_without_declaration(self):
        self.refused({"src/smoke/CMakeLists.txt": "add_library(smoke)\n"}, "src/smoke/CMakeLists.txt: no vmatrix_layer(smoke")

    def test_siblings(self):
        self.refused({"src/smoke/CMakeLists.txt": "vmatrix_layer(smoke USES doctor)\n", "src/smoke/run.cpp": '#include "doctor/check.hpp"\n'},
                     "`smoke` and `doctor` are side by side")

    def test_a_pure_layer_on_an_impure_one(self):
        self.refused({"CMakeLists.txt": GOOD["CMakeLists.txt"].replace("doctor", "report doctor"),
                      "src/report/CMakeLists.txt": "vmatrix_layer(report USES sys)\n",
                      "src/report/format.cpp": '#include "sys/files.hpp"\n'},
                     "`report` is pure and may not use `sys`, which is not")

    def test_headers_that_reach_outside_in_a_pure_layer(self):
        for header in ("filesystem", "fstream", "iostream", "chrono", "thread", "cstdio"):
            self.refused({"src/base/bad.hpp": f"\n#include <{header}>\n"}, f"src/base/bad.hpp:2: `base` is pure and may not include <{header}>")

    def test_calls_that_reach_outside_in_a_pure_layer(self):
        self.refused({"src/base/bad.cpp": '#include <cstdlib>\nauto home = std::getenv("HOME");\n'},
                     "src/base/bad.cpp:2: `base` is pure and may not call std::getenv")

    def test_headers_of_the_system(self):
        self.refused({"src/base/bad.cpp": "#include <unistd.h>\n", "src/matrix/bad.cpp": "#include <sys/stat.h>\n"},
                     "src/base/bad.cpp:1: only ['sys'] may include", "src/matrix/bad.cpp:1: only ['sys'] may include")

    def test_foreign_headers(self):
        self.refused({"src/sys/bad.cpp": "#include <yaml-cpp/yaml.h>\n", "src/cli/bad.cpp": "#include <nlohmann/json.hpp>\n#include <sqlite3.h>\n"},
                     "src/sys/bad.cpp:1: only `yaml` may include", "src/cli/bad.cpp:1: only `report` may include", "src/cli/bad.cpp:2: only `sqlite`")

    def test_a_library_that_nobody_knows(self):
        self.refused({"src/cli/bad.cpp": "#include <boost/any.hpp>\n"}, "<boost/any.hpp> belongs to no known library")

    def test_includes_that_are_not_written_from_src(self):
        self.refused({"src/matrix/bad.cpp": '#include "read.hpp"\n#include "../base/text.hpp"\n'},
                     'src/matrix/bad.cpp:1: an include is written from src, as "matrix/read.hpp"', "src/matrix/bad.cpp:2: an include is")

    def test_another_namespace(self):
        self.refused({"src/cli/bad.hpp": "namespace vmatrix::matrix {\n"}, "src/cli/bad.hpp:1: namespace `vmatrix::matrix` in the folder of `cli`")


if __name__ == "__main__":
    unittest.main()
