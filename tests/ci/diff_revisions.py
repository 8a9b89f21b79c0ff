#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""`perfspec baselines diff` on revisions of a real Git repository.

usage: diff_revisions.py <perfspec, the tool>
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.abspath(sys.argv[1])

FILE = """{{
  "schema_version": 1,
  "hardware": "test-cpu-4c",
  "build_variant": "",
  "suite": "sorts",
  "entries": {{
    "{key}": {{
      "unit": "ns",
      "better": "less",
      "recorded_on": {{}},
      "launches": [
        {{"value": {value}, "q1": 1, "q3": 3000000, "p90": 4000000, "p99": 5000000, "samples": 30, "iterations": 1, "when": "2026-11-18T09:12:44Z"}}
      ]
    }}
  }}
}}
"""


class Revisions(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="perfspec-revisions-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.git("init", "--quiet", "--initial-branch=main", ".")
        self.git("config", "user.name", "somebody")
        self.git("config", "user.email", "somebody@example.org")
        self.commit("sort", 1000000)
        self.git("checkout", "--quiet", "-b", "topic/fast")
        self.commit("sort", 2000000)

    def git(self, *arguments):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        subprocess.run(["git", *arguments], cwd=self.folder, env=environment, check=True)

    def put(self, key, value):
        # A quote, a blank and a letter outside of ASCII: git prints such names in another form unless it is asked not to.
        file = self.folder / "perf" / "baselines" / 'test "cpu" \u00e4' / "sorts.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(FILE.format(key=key, value=value), encoding="utf-8")

    def commit(self, key, value):
        self.put(key, value)
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", str(value))

    def diff(self, *arguments, below="perf"):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PERFSPEC_"))}
        return subprocess.run([TOOL, "baselines", "diff", *arguments], cwd=self.folder / below, env=environment, text=True,
                              capture_output=True, check=False)

    def test_two_revisions(self):
        for versions in (("main", "topic/fast"), ("main", "HEAD"), ("HEAD~1", "HEAD")):
            done = self.diff(*versions)
            self.assertEqual(done.stderr, "")
            self.assertIn("changed  sort: 1.000 ms (1 launch) -> 2.000 ms (1 launch), +100 %", done.stdout)

    def test_a_revision_against_the_working_tree(self):
        self.put("sort", 4000000)
        self.assertIn("-> 4.000 ms (1 launch), +300 %", self.diff("main").stdout)

    def test_from_the_top_of_the_repository(self):
        done = self.diff("main", "HEAD", "--baseline-dir", "perf/baselines", below=".")
        self.assertIn("1 changed", done.stdout)

    def test_a_long_file_arrives_whole(self):
        self.commit("a key " * 20000, 1000000)
        self.assertIn("1 added, 1 removed", self.diff("main", "HEAD").stdout)

    def test_an_unknown_revision(self):
        done = self.diff("mian", "HEAD")
        self.assertEqual(done.returncode, 4)
        self.assertIn('"mian" is not a file or folder here, and not a revision of a Git repository', done.stderr)

    def test_no_repository(self):
        shutil.rmtree(self.folder / ".git")
        done = self.diff("main", "HEAD")
        self.assertEqual(done.returncode, 4)
        self.assertIn("not a git repository", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
