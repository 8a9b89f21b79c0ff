#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Where .ci/run runs, beside scripts in place of those that it calls."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Run(unittest.TestCase):
    def run_ci(self, *arguments, **codes):
        """The exit code, the commands that ran, and what was printed; `codes` are exit codes of programs."""
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            (folder / ".ci").mkdir()
            (folder / "programs").mkdir()
            (folder / "ci").mkdir()
            shutil.copy(ROOT / ".ci/run", folder / ".ci")
            shutil.copy(ROOT / "ci/common.bash", folder / "ci")
            for program in ("ci/bare", "ci/setup", "ci/lint", "ci/test", "programs/unshare", "programs/debootstrap", "programs/id"):
                name = program.split("/")[1]
                log = f'echo "$(basename "$0")" "$@" >>"{folder}/log"\n' if program.startswith("ci/") else "[ $(basename $0) != id ] || echo 0\n"
                (folder / program).write_text(f"#!/bin/sh\n{log}exit {codes.get(name, 0)}\n", encoding="utf-8")
                (folder / program).chmod(0o755)
            done = subprocess.run([folder / ".ci/run", *arguments], capture_output=True, text=True, check=False,
                                  env={**os.environ, "PATH": f"{folder}/programs:{os.environ['PATH']}"})
            return done.returncode, (folder / "log").read_text(encoding="utf-8").splitlines(), done.stdout

    HERE = ["setup", "lint", "test --all", "test --sanitize core"]

    def test_it_runs_in_a_bare_system(self):
        code, commands, printed = self.run_ci(bare=3)
        self.assertEqual((code, commands), (3, ["bare --show configure-demo configure-test ci"]))
        self.assertNotIn("SKIPPED", printed)

    def test_it_says_if_it_cannot_make_systems(self):
        code, commands, printed = self.run_ci(unshare=1)
        self.assertEqual((code, commands), (0, self.HERE))
        self.assertIn("SKIPPED", printed)

    def test_it_runs_here_on_request(self):
        code, commands, printed = self.run_ci("--here")
        self.assertEqual((code, commands), (0, self.HERE))
        self.assertNotIn("SKIPPED", printed)

    def test_a_part_that_fails_ends_it(self):
        code, commands, printed = self.run_ci("--here", lint=1)
        self.assertEqual((code, commands), (1, self.HERE[:2]))
        self.assertIn("FAILED", printed)


if __name__ == "__main__":
    unittest.main()
