# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""ci/lint.d/map finds a wrong row of the maps in CONTRIBUTING.md."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")


class Map(unittest.TestCase):
    def check(self, page):
        """The exit code and the faults of the check, with this page in place of CONTRIBUTING.md."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "include").symlink_to(PROJECT / "include")
            (root / "CONTRIBUTING.md").write_text(page, encoding="utf-8")
            done = subprocess.run([sys.executable, PROJECT / "ci/lint.d/map", root], capture_output=True, text=True, check=False)
        return done.returncode, [line.removeprefix("CONTRIBUTING.md: ") for line in done.stdout.splitlines() if line.startswith("CONTRIBUTING.md: ")]

    def test_the_page_is_true(self):
        self.assertEqual(self.check(PAGE), (0, []))

    def test_a_function_elsewhere_a_file_that_is_gone_and_a_step_that_nothing_calls_are_faults(self):
        row = "| `make_claim_context` | `claim/claim_context-inl.hpp` |"
        for wrong, fault in (("| `make_no_context` | `claim/claim_context-inl.hpp` |", "claim/claim_context-inl.hpp: does not define make_no_context"),
                             ("| `make_claim_context` | `claim/gone.hpp` |", "claim/gone.hpp: is not in "),
                             ("| `render_doctor` | `doctor/doctor-inl.hpp` |", "render_doctor: no file of a row above calls it")):
            code, faults = self.check(PAGE.replace(row, wrong, 1))
            self.assertEqual(code, 1)
            self.assertTrue(any(each.startswith(fault) for each in faults), faults)

    def test_a_map_that_has_become_long_is_a_fault(self):
        row = "| `record_of` | `claim/record_of-inl.hpp` |"
        more = "".join(f"| `record_of` | `{file}` | |\n" for file in ("claim/record_of.hpp", "claim/readings.hpp", "claim/stores-inl.hpp"))
        code, faults = self.check(PAGE.replace(row, more + row, 1))
        self.assertEqual(code, 1)
        self.assertTrue(any(re.fullmatch(r"PERF_CHECK\(.*\): its map has \d+ files, and a reader should open 20 at most", each) for each in faults), faults)


if __name__ == "__main__":
    unittest.main()
