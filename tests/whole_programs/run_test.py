# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""`run` on scripts as programs: every kind of wrong result is missed."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUN = pathlib.Path(__file__).resolve().parent / "run"
VIOLATED = "echo 'it is violated'; exit 42"
HOLDS = "echo 'it holds'"


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.programs = self.folder / "build/tests/whole_programs"
        self.programs.mkdir(parents=True)

    def program(self, name, script, skip_code=77):
        path = self.programs / f"perfspec_whole_{name}"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        (self.programs / f"perfspec_whole_{name}.ctest.cmake").write_text(
            f'add_test(a "{path}" a)\nset_tests_properties(a PROPERTIES SKIP_RETURN_CODE {skip_code})\n')

    def tool(self, script):
        path = self.folder / "build/ci/tool/perfspec"
        path.parent.mkdir(parents=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def run_rows(self, *rows, arguments=(), whole=False):
        table = self.folder / "table"
        table.mkdir(exist_ok=True)
        (table / "group.toml").write_text("\n".join(row if whole else "[[row]]\n" + row for row in rows if row))
        where = ["--table", str(table), "--build", str(self.folder / "build")]
        return subprocess.run([sys.executable, str(RUN), *where, *arguments], capture_output=True, text=True, check=False)

    def check_missed(self, row, *texts, whole=False):
        done = self.run_rows(row, whole=whole)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("**missed** |", done.stdout)
        self.assertIn("missed: group: r", done.stderr)
        for text in texts:
            self.assertIn(text, done.stdout)

    def check_met(self, row, whole=False):
        done = self.run_rows(row, whole=whole)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn("| met |", done.stdout)

    def test_values_before_the_rows_are_the_defaults_of_each_row(self):
        self.program("p", VIOLATED)
        self.check_met('program = "p"\nkind = "false claim"\nreport = []\n[[row]]\nname = "r"\ntest = "a"\n[[row]]\nname = "s"\ntest = "a"\n', whole=True)
        self.check_missed('program = "p"\nkind = "false claim"\nreport = []\n[[row]]\nname = "r"\nkind = "true claim"\ntest = "a"\n', whole=True)

    def test_a_false_claim_that_passes_is_missed(self):
        self.program("p", HOLDS)
        self.check_missed('name = "r"\nkind = "false claim"\nctest = "Failed"\nprogram = "p"\ntest = "a"\nreport = []', "**0**, not 42", "**Passed**, not Failed")

    def test_a_true_claim_that_fails_is_missed(self):
        self.program("p", VIOLATED)
        self.check_missed('name = "r"\nkind = "true claim"\nctest = "Passed"\nprogram = "p"\ntest = "a"\nreport = []', "**42**, not 0", "**Failed**, not Passed")

    def test_a_text_that_is_not_printed_is_missed(self):
        self.program("p", VIOLATED)
        self.check_missed('name = "r"\nkind = "false claim"\nprogram = "p"\ntest = "a"\nsays = "error"\nreport = []', 'does not say "error"')

    def test_a_text_that_must_not_be_printed_is_missed(self):
        self.program("p", VIOLATED)
        self.check_missed('name = "r"\nkind = "false claim"\nprogram = "p"\ntest = "a"\nsays_not = "violated"\nreport = []', 'says "violated"')

    def test_a_program_that_is_missing_is_missed(self):
        self.check_missed('name = "r"\nkind = "false claim"\nctest = "Failed"\nprogram = "nowhere"\ntest = "a"', "No such file", "**none**, not Failed")

    def test_a_test_that_ctest_does_not_know_is_missed(self):
        self.program("p", VIOLATED)
        self.check_missed('name = "r"\nkind = "false claim"\nctest = "Failed"\nprogram = "p"\ntest = "b"\nreport = []', "**none**, not Failed")

    def test_a_report_that_passes_is_missed(self):
        self.program("p", VIOLATED)
        self.tool("exit 0")
        self.check_missed('name = "r"\nkind = "false claim"\nprogram = "p"\ntest = "a"', "**0**, not 1 or 4")

    def test_a_program_that_hangs_is_missed(self):
        self.program("p", "sleep 20")
        self.check_missed('name = "r"\nkind = "false claim"\nctest = "Failed"\nprogram = "p"\ntest = "a"\ntimeout = 0.5\nreport = []', "**timeout**, not 42",
                          "**timeout**, not Failed")

    def test_the_environment_is_the_rows(self):
        self.program("p", 'test -z "$CI" && test -z "$PERFSPEC_MODE" && test "$WHO" = me && test -d "$PERFSPEC_BASELINE_DIR" && exit 42')
        row = 'name = "r"\nkind = "false claim"\nprogram = "p"\ntest = "a"\nenvironment = { WHO = "me" }\nreport = []'
        self.check_met(row)
        self.check_missed(row.replace('"me"', '"unset"'))

    def test_wrong_rows_are_2(self):
        for row, text in (('name = "r"\nkind = "false"\nprogram = "p"', "needs a name, and a kind"),
                          ('name = "r"\nkind = "false claim"', "needs a program"),
                          ('name = "r"\nkind = "false claim"\nprogram = "p"\nexits = 42', "'exits' is unknown; a row takes name, kind"),
                          ('name = "r"\nkind = "false claim"\nprogram = "p"\nctest = "passed"', "needs some of Passed, Failed"),
                          ('name = "r"\nkind = "false claim"\nprogram = p', "group.toml")):
            done = self.run_rows(row)
            self.assertEqual(done.returncode, 2, row)
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
