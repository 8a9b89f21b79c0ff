# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What ci/mutate says of a table that is wrong, and how it reads a report; nothing is built."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
MUTATE = pathlib.Path(__file__).resolve().parents[2] / "ci" / "mutate"
sys.path.insert(0, str(MUTATE.parent))
loader = importlib.machinery.SourceFileLoader("mutate", str(MUTATE))
mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
loader.exec_module(mutate)
Mutant = mutate.MUTANTS[0].__class__


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "include/perfspec/stats").mkdir(parents=True)
        (self.root / "include/perfspec/stats/a-inl.hpp").write_text("x + 1; y + 1; z - 1;")

    def faults(self, *mutants):
        return list(mutate.faults([Mutant(name, file, "breaks it", old, new) for name, file, old, new in mutants], self.root))

    def test_text_that_occurs_once_is_none(self):
        self.assertEqual(self.faults(("sign", "stats/a-inl.hpp", "z - 1", "z + 1")), [])

    def test_text_that_is_gone_is_named(self):
        self.assertEqual(self.faults(("sign", "stats/a-inl.hpp", "z - 2", "z + 2")),
                         ["sign: its old text is found 0 times in include/perfspec/stats/a-inl.hpp, needed exactly once: mend it in ci/mutants"])

    def test_text_that_occurs_twice_is_named(self):
        self.assertEqual(self.faults(("off_by_one", "stats/a-inl.hpp", "+ 1", "+ 2")),
                         ["off_by_one: its old text is found 2 times in include/perfspec/stats/a-inl.hpp, needed exactly once: "
                          "mend it in ci/mutants"])

    def test_a_file_that_is_gone_is_named(self):
        self.assertEqual(self.faults(("sign", "stats/b-inl.hpp", "z - 1", "z + 1")),
                         ["sign: there is no file include/perfspec/stats/b-inl.hpp; name the one where the code is now"])

    def test_a_stage_without_a_program_is_named(self):
        (self.root / "include/perfspec/stage").mkdir()
        (self.root / "include/perfspec/stage/a-inl.hpp").write_text("z - 1")
        self.assertEqual(self.faults(("sign", "stage/a-inl.hpp", "z - 1", "z + 1")),
                         ["sign: no program is named for stage/a-inl.hpp; add its stage to PROGRAMS"])

    def test_a_name_that_two_have_and_a_change_that_is_none_are_named(self):
        self.assertEqual(self.faults(("sign", "stats/a-inl.hpp", "z - 1", "z + 1"), ("sign", "stats/a-inl.hpp", "x + 1", "x + 1")),
                         ["sign: 2 mutants have this name; give each its own", "sign: its new text is its old one"])


class Units(unittest.TestCase):
    def test_a_stage_that_has_mutants_is_compiled_by_itself(self):
        folder = "include/perfspec/implementation/"
        files = {folder + "measuring-inl.hpp": b"#pragma once\n#include <perfspec/nowhere/a-inl.hpp>\n",
                 folder + "measuring.cpp": b"#include <perfspec/implementation/measuring-inl.hpp>\n",
                 folder + "evidence-inl.hpp": b"#include <perfspec/nowhere/b-inl.hpp>\n#include <perfspec/stats/b-inl.hpp>\n",
                 folder + "evidence.cpp": b"// Evidence.\n#include <perfspec/implementation/evidence-inl.hpp>\n",
                 "ci/cmake/PerfspecAdapters.cmake": b"perfspec_add_bodies(perfspec_implementation USES_FMT SOURCES ${sources})"}
        changed = mutate.one_unit_a_stage(files)
        self.assertEqual(changed[folder + "measuring.cpp"], b"#include <perfspec/nowhere/a-inl.hpp>\n")
        self.assertEqual(changed[folder + "evidence.cpp"], b"// Evidence.\n#include <perfspec/nowhere/b-inl.hpp>\n")
        self.assertNotIn(folder + "evidence-inl.hpp", changed)  # who holds all bodies in one file needs it whole
        self.assertEqual(changed[folder + "stats_stage.cpp"], b"#include <perfspec/stats/b-inl.hpp>\n")
        self.assertIn(b'SOURCES ${sources} "${PROJECT_SOURCE_DIR}/include/perfspec/implementation/stats_stage.cpp")',
                      changed["ci/cmake/PerfspecAdapters.cmake"])

    def test_units_are_added_to_the_library_as_it_is(self):
        self.assertIn(mutate.LIBRARY_SOURCES, (mutate.ROOT / mutate.LIBRARY).read_text())

    def test_a_library_to_which_no_unit_can_be_added_is_told(self):
        with self.assertRaisesRegex(mutate.Trouble, "mend LIBRARY_SOURCES in ci/mutate"):
            mutate.one_unit_a_stage({"ci/cmake/PerfspecAdapters.cmake": b"add_library(x y.cpp)"})


class Report(unittest.TestCase):
    def test_the_last_test_case_is_the_one_that_failed(self):
        report = '<TestCase name="a holds" tags="[x]"></TestCase><TestCase name="b &lt; c" tags="[x]">'
        self.assertEqual(mutate.first_failure(report, "perfspec_stats_test"), "b < c")

    def test_no_report_is_told(self):
        self.assertEqual(mutate.first_failure("", "perfspec_stats_test"), "perfspec_stats_test ends without a report")


class Options(unittest.TestCase):
    def test_a_mutant_that_there_is_not_is_2(self):
        done = subprocess.run([sys.executable, str(MUTATE), "--only", "no_such", "--list"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "mutate: --only no_such: there is no such mutant; ci/mutate --list names them\n")


if __name__ == "__main__":
    unittest.main()
