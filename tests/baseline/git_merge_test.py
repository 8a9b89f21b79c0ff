#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Two branches record baselines and golden outputs, and Git merges the files.

usage: git_merge_test.py <program built from record_program.cpp> <program built from baseline_file_program.cpp>
Exit code 77 without git.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

RECORD, READ = sys.argv[1:3]


class Repository:
    """A repository with a recorded suite on its main branch; `branch` records more on another."""

    def __init__(self, folder, keys):
        self.folder = pathlib.Path(folder)
        identity = {f"GIT_{who}_{what}": "perfspec" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        self.environment = os.environ | identity | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        self.git("init", "--quiet", "--initial-branch=main")
        self.record({key: 1000 for key in keys})

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False)

    def record(self, values):
        for key, value in values.items():
            told = subprocess.run([RECORD, "baselines", key, str(value)], cwd=self.folder, capture_output=True, text=True, check=True)
            self.file, self.golden = (self.folder / path for path in told.stdout.splitlines())
        self.git("add", "--all")
        done = self.git("commit", "--quiet", "--message=record")
        assert done.returncode == 0, done.stderr

    def branch(self, name, values):
        self.git("checkout", "--quiet", "-b", name, "main")
        self.record(values)

    def merge(self, *branches):
        """Whether Git merged both into main without a conflict."""
        self.git("checkout", "--quiet", "main")
        return all(self.git("merge", "--quiet", "--no-edit", b).returncode == 0 for b in branches)

    def values(self):
        entries = json.loads(self.file.read_text(encoding="utf-8"))["entries"]
        values = {key: entry["sessions"][0]["values"][0] for key, entry in entries.items()}
        outputs = json.loads(self.golden.read_text(encoding="utf-8"))["golden_outputs"]
        assert {key: int(entry["outputs"][0].split()[-1]) for key, entry in outputs.items()} == values, outputs
        return values

    def read(self):
        """The reader's messages on both files, in one word if they are equal."""
        said = subprocess.run([READ, self.file, self.golden], capture_output=True, text=True, check=True).stdout.splitlines()
        return "read" if said == ["read", "read"] else said


class TwoBranches(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.repository = Repository(folder.name, "abcdef")

    def merged(self, one, other):
        self.repository.branch("one", one)
        self.repository.branch("other", other)
        return self.repository.merge("one", "other")

    def test_recording_different_tests_is_no_conflict_even_of_neighbors(self):
        self.assertTrue(self.merged({"b": 2000}, {"c": 3000, "f": 4000}))
        self.assertEqual(self.repository.read(), "read")
        self.assertEqual(self.repository.values(), {"a": 1000, "b": 2000, "c": 3000, "d": 1000, "e": 1000, "f": 4000})

    def test_new_tests_at_different_places_are_no_conflict(self):
        self.assertTrue(self.merged({"b2": 2000}, {"d2": 3000}))
        self.assertEqual(self.repository.read(), "read")
        self.assertEqual(self.repository.values()["b2"], 2000)
        self.assertEqual(self.repository.values()["d2"], 3000)

    def test_new_tests_at_one_place_are_a_conflict_for_lines(self):
        self.assertFalse(self.merged({"g": 2000}, {"h": 3000}))

    def test_recording_one_test_on_both_is_a_conflict_that_the_reader_names(self):
        self.assertFalse(self.merged({"b": 2000}, {"b": 3000}))
        for said in self.repository.read():
            self.assertIn("unresolved merge conflict", said)


if __name__ == "__main__":
    if shutil.which("git") is None:
        print("skipped: git is not installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
