#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The recorded facts of the machine, the build and the repository, compared with facts that this test finds by itself.

usage: recorded_facts_test.py COMPILER FLAGS PROGRAM [LIBTORCH_VERSION LIBTORCH_PROGRAM]

Each program runs in a repository of its own and stores a baseline there. It then runs again, beside a change that is not committed.
"""
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import unittest

COMPILER, FLAGS, PROGRAM, *LIBTORCH = sys.argv[1:]
OWN = ("PERFSPEC_", "GIT_", "GITHUB_", "GITLAB_", "BUILDKITE", "TF_BUILD", "TEAMCITY_", "JENKINS_", "CODEBUILD_", "CI")
KEPT = {name: value for name, value in os.environ.items() if not name.startswith(OWN)}
AUTHOR = {"GIT_CONFIG_GLOBAL": "/dev/null", **{f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}}


def first_line(path, start):
    """The rest of the first line with this beginning, without quotes."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    return next((line.removeprefix(start).strip(' :\t"') for line in lines if line.startswith(start)), "")


def as_stored(machine):
    """As in files of baselines: without unknown facts."""
    return {name: value for name, value in machine.items() if value}


class Repository:
    """A commit on a branch, and the baselines that a program stores beside it."""

    def __init__(self, folder, program):
        self.folder, self.program = folder, pathlib.Path(program).resolve()
        (folder / "baselines").mkdir()
        self.change("first")
        self.git("init", "-q", "-b", "topic/facts")
        self.git("add", "code")
        self.git("commit", "-q", "-m", "first")

    def git(self, *arguments):
        done = subprocess.run(["git", *arguments], cwd=self.folder, env=KEPT | AUTHOR, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def change(self, text):
        (self.folder / "code").write_text(text, encoding="utf-8")

    def run(self, **variables):
        """The program's output, and its result."""
        results = self.folder / "results.jsonl"
        results.unlink(missing_ok=True)
        given = {"PERFSPEC_BASELINE_DIR": str(self.folder / "baselines"), "PERFSPEC_OUTPUT": str(results), "PERFSPEC_CI": "off"}
        done = subprocess.run([self.program], cwd=self.folder, env=KEPT | given | variables, capture_output=True, text=True, check=False, timeout=100)
        if "the file that asserts is compiled with" in done.stdout:
            print("skipped: nothing is judged in this build\n" + done.stdout)
            sys.exit(77)
        lines = map(json.loads, results.read_text(encoding="utf-8").splitlines())
        return done.stdout + done.stderr, next(line for line in lines if line["kind"] == "result")

    def store(self):
        return self.run(PERFSPEC_UPDATE_BASELINES="1", PERFSPEC_RECORD_ANYWAY="on", PERFSPEC_BASELINE_PROCESSES="10")

    def put(self, key, unit, value):
        """Ten processes that were stored elsewhere: recording some takes LibTorch seconds each."""
        hardware, suite = f"any-{platform.machine()}", self.program.name
        session = {"values": [value] * 10, "q1": value, "q3": value, "p90": value, "p99": value, "samples": 3, "iterations": 1,
                   "time": "2026-01-01T00:00:00Z", "session": "2026-01-01T00:00:00Z/1"}
        entry = {"unit": unit, "better": "less", "recorded_on": {"kernel": "1.2.3", "libraries": {"LibTorch": "1.0.0"}}, "sessions": [session]}
        (self.folder / "baselines" / hardware).mkdir()
        (self.folder / "baselines" / hardware / f"{suite}.json").write_text(
            json.dumps({"schema_version": 2, "hardware": hardware, "build_variant": "", "suite": suite, "entries": {key: entry}}), encoding="utf-8")

    def file(self):
        (path,) = (self.folder / "baselines").glob("*/*.json")
        return path

    def stored(self):
        """The file of baselines, and its entry."""
        file = json.loads(self.file().read_text(encoding="utf-8"))
        (entry,) = file["entries"].values()
        return file, entry


class Facts(unittest.TestCase):
    def repository(self, program):
        folder = tempfile.TemporaryDirectory(prefix="perfspec facts ")
        self.addCleanup(folder.cleanup)
        return Repository(pathlib.Path(folder.name), program)

    def test_a_baseline_and_results_say_what_they_are_of(self):
        of = self.repository(PROGRAM)
        commit = of.git("rev-parse", "HEAD")
        _, result = of.store()
        self.expect_origin(result, commit, "topic/facts", False)
        file, entry = of.stored()
        self.assertEqual({session["commit"] for session in entry["sessions"]}, {commit})
        self.assertEqual((file["hardware"], of.file().parent.name), (result["hardware"],) * 2)
        self.expect_machine(result["hardware"], entry["recorded_on"])
        self.expect_build(entry["recorded_on"])

        of.change("second")
        said, result = of.run()
        self.assertEqual(result["verdict"], "holds", said)
        self.expect_origin(result, commit, "topic/facts", True)
        self.assertEqual(as_stored(result["baseline"]["machine"]), entry["recorded_on"])
        self.assertEqual((result["baseline"]["commit"], result["baseline"]["differences"]), (commit, []))

        file["entries"][result["key"]]["recorded_on"] |= {"kernel": "1.2.3", "compiler": "g++ 1.0.0", "flags": entry["recorded_on"]["flags"] + " -ffast-math"}
        of.file().write_text(json.dumps(file), encoding="utf-8")
        of.git("checkout", "-q", "--detach")
        said, result = of.run()
        self.expect_origin(result, commit, "", True)
        self.assertEqual(result["baseline"]["differences"], [
            f"kernel: was 1.2.3, is {platform.release()}", f"compiler: was g++ 1.0.0, is {COMPILER}", "flags: without -ffast-math"])

    @unittest.skipUnless(LIBTORCH, "built without LibTorch")
    def test_where_libtorch_is_linked_its_version_is_recorded(self):
        of = self.repository(LIBTORCH[1])
        of.put("facts / operators(relu)", "count", 100)  # more than any LibTorch calls
        said, result = of.run()
        self.assertEqual(result["verdict"], "holds", said)
        self.expect_origin(result, of.git("rev-parse", "HEAD"), "topic/facts", False)
        recorded = as_stored(result["baseline"]["machine"])
        self.expect_build(recorded)
        self.assertEqual(recorded["libraries"]["LibTorch"], LIBTORCH[0])
        self.assertIn(f"LibTorch: was 1.0.0, is {LIBTORCH[0]}", result["baseline"]["differences"])

    def expect_origin(self, result, commit, branch, is_dirty):
        self.assertEqual((result["commit"], result["branch"], result["dirty"], result["host"]), (commit, branch, is_dirty, platform.node()))

    def expect_machine(self, key, recorded):
        self.assertTrue(key.endswith(f"-{os.cpu_count()}c"), key)
        for word in first_line("/proc/cpuinfo", "model name").lower().replace("(r)", " ").replace("(tm)", " ").split()[:1]:
            self.assertIn(word, key)
        self.assertEqual(recorded["kernel"], platform.release())
        self.assertEqual(recorded["os"], first_line("/etc/os-release", "PRETTY_NAME="))
        self.assertEqual(recorded["memory"], f"{max(1, round(int(first_line('/proc/meminfo', 'MemTotal').split()[0]) / 1024**2))} GiB")

    def expect_build(self, recorded):
        self.assertEqual(recorded["compiler"], COMPILER)
        flags = recorded["flags"].split()
        for flag in FLAGS.split():
            self.assertIn(flag, flags)
        self.assertNotIn("-Wall", flags)  # changes no code
        if libc := os.confstr("CS_GNU_LIBC_VERSION"):
            name, version = libc.split()
            self.assertEqual(recorded["libraries"][name], version)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
