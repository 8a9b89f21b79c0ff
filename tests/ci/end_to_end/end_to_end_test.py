#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The commands of the tool on results that a program measured: report, compare, accept and baselines.

usage: end_to_end_test.py TOOL PROGRAM

The program runs twice. In the first run all claims hold or have no baseline yet, and its processes are accepted. In the second it is slower.
"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL, PROGRAM = (pathlib.Path(given).resolve() for given in sys.argv[1:3])
OWN = ("PERFSPEC_", "GIT_", "GITHUB_", "GITLAB_", "BUILDKITE", "TF_BUILD", "TEAMCITY_", "JENKINS_", "CODEBUILD_", "CI")
KEPT = {name: value for name, value in os.environ.items() if not name.startswith(OWN)}
BEFORE, AFTER = "before.jsonl", "after.jsonl"
MODEL = "the fast variant of a model does a third of the work / speedup(slow, fast) / model="
LIST = "a list of numbers / allocations(list)"
BYTES = "a list of numbers / allocated_bytes(list)"
KEYS = {MODEL + "small", MODEL + "large", LIST, BYTES}
TEMPORARY = tempfile.TemporaryDirectory(prefix="perfspec end to end ")
FOLDER = pathlib.Path(TEMPORARY.name)


def measure(output, **variables):
    """The exit code of the test program, which writes its results to a file, as in CI."""
    done = subprocess.run([PROGRAM], cwd=FOLDER, capture_output=True, text=True, check=False, timeout=60,
                          env={**KEPT, "CI": "true", "PERFSPEC_OUTPUT": output, "PERFSPEC_RUN_ID": output, **variables})
    if "is compiled" in done.stdout and done.returncode == 77:
        print("skipped: nothing is judged in this build\n" + done.stdout)
        sys.exit(77)
    return done.returncode, done.stdout


def tool(*arguments):
    return subprocess.run([TOOL, *arguments], cwd=FOLDER, env=KEPT, capture_output=True, text=True, check=False)


def text(name):
    return (FOLDER / name).read_text(encoding="utf-8")


def results(name):
    lines = map(json.loads, text(name).splitlines())
    return {line["key"]: line for line in lines if line["kind"] == "result"}


def value(name, key):
    return results(name)[key]["measured"]["value"]


def cells(line):
    """The cells of a line of a table, which have two blanks between them."""
    return [cell.strip() for cell in line.split("  ") if cell.strip()]


def setUpModule():
    (FOLDER / "baselines").mkdir()
    code, said = measure(BEFORE)
    if code != 0:
        raise AssertionError(f"the first run ended with {code}, expected 0:\n{said}")
    accepted = tool("accept", BEFORE)
    if accepted.returncode != 0:
        raise AssertionError(f"accept ended with {accepted.returncode}:\n{accepted.stdout}{accepted.stderr}")
    code, said = measure(AFTER, SLOWER="1")
    if code != 42:
        raise AssertionError(f"the slower run ended with {code}, expected 42:\n{said}")


class Commands(unittest.TestCase):
    def expect(self, code, words, *arguments):
        done = tool(*arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stdout)
        return done.stdout

    def test_results_have_a_line_for_each_claim(self):
        self.assertEqual({key: line["verdict"] for key, line in results(BEFORE).items()},
                         {MODEL + "small": "holds", MODEL + "large": "holds", LIST: "holds", BYTES: "skipped"})
        self.assertEqual({key: line["verdict"] for key, line in results(AFTER).items()}, dict.fromkeys(KEYS, "violated"))
        self.assertEqual((value(BEFORE, LIST), value(AFTER, LIST)), (5, 20))
        for key in (MODEL + "small", MODEL + "large"):
            self.assertGreater(value(BEFORE, key), 2)
            self.assertLess(value(AFTER, key), 2)

    def test_report_gives_the_verdict_of_a_run(self):
        self.expect(0, ["3 hold", "1 skipped"], "report", BEFORE, "--quiet")
        self.expect(1, ["4 violated"], "report", AFTER, "--quiet")

    def test_report_sums_the_suite_up(self):
        rows = self.expect(0, [], "report", BEFORE, "--quiet", "--suite").splitlines()
        heading, row = (next(cells(line) for line in rows if line.startswith(start) and "  " in line) for start in ("suite ", "fast over slow"))
        found = dict(zip(heading, row))
        self.assertEqual((found["models"], found["passed"], found["speedups"]), ("2", "2 (100 %)", "2"))
        mean = math.sqrt(value(BEFORE, MODEL + "small") * value(BEFORE, MODEL + "large"))
        self.assertAlmostEqual(float(found["geometric mean"]), mean, delta=0.001 * mean)
        self.assertEqual(row[-1], "130.0 s")  # of compiling: memory is empty and has no cell
        self.assertEqual([row for row in rows if "warning" in row], [f"warning: {row[0]}, large: compiled in 130.0 s, more than 120 s"])

    def test_compare_has_each_key_and_its_change(self):
        (FOLDER / "common.jsonl").write_text("".join(line for line in text(AFTER).splitlines(True) if json.loads(line)["key"] != BYTES), encoding="utf-8")
        said = self.expect(1, ["3 keys compared: ", " 0 better, "], "compare", BEFORE, "common.jsonl", "--change", "7%")
        rows = {row[0]: row[1:] for row in map(cells, said.splitlines())}
        self.assertEqual(rows[LIST], ["5", "20", "+300 %", "+300 % .. +300 %", "worse, beyond the threshold"])
        for key in (MODEL + "small", MODEL + "large"):
            self.assertEqual(rows[key][2], f"{100 * (value(AFTER, key) / value(BEFORE, key) - 1):.0f} %")
        self.expect(4, ["1 key of new has nothing in old to compare with"], "compare", BEFORE, AFTER, "--change", "7%")
        self.expect(4, ["1 key of old has nothing in new to compare with"], "compare", AFTER, BEFORE, "--change", "7%")
        self.expect(0, ["  speedup in ratio: 1.000x of 2 keys", "4 keys compared: 0 worse, 0 better"], "compare", AFTER, AFTER)

    def test_accept_stored_what_the_next_run_compared_with(self):
        self.expect(0, ["no faults"], "baselines", "verify")
        self.expect(0, [BYTES], "baselines", "list")
        self.assertEqual(results(AFTER)[BYTES]["baseline"]["median"], results(BEFORE)[BYTES]["baseline"]["taken"][0]["values"][0])
        self.expect(0, [BYTES + ": kept", "nothing was written"], "accept", BEFORE)
        changed = self.expect(0, [BYTES, "updated"], "accept", AFTER, "--dry-run")
        self.assertNotIn(MODEL, changed)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
