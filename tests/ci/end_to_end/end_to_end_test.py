#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The commands of the tool on results that a program measured: report, compare, history, merge, export, accept and baselines.

usage: end_to_end_test.py TOOL PROGRAM

The program runs three times. In the first run all claims hold or have no baseline yet, and its launches are accepted. In the other two it is slower.
"""
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

TOOL, PROGRAM = (pathlib.Path(given).resolve() for given in sys.argv[1:3])
OWN = ("PERFSPEC_", "GIT_", "GITHUB_", "GITLAB_", "BUILDKITE", "TF_BUILD", "TEAMCITY_", "JENKINS_", "CODEBUILD_", "CI")
KEPT = {name: value for name, value in os.environ.items() if not name.startswith(OWN)}
BEFORE, AFTER, LAST = "before.jsonl", "after.jsonl", "last.jsonl"
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
    return results(name)[key]["measured"]["centre"]


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
    for name in (AFTER, LAST):
        code, said = measure(name, SLOWER="1")
        if code != 42:
            raise AssertionError(f"a slower run ended with {code}, expected 42:\n{said}")


class Commands(unittest.TestCase):
    def expect(self, code, words, *arguments):
        done = tool(*arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stdout)
        return done.stdout

    def test_results_have_a_line_for_each_claim(self):
        self.assertEqual({key: line["verdict"] for key, line in results(BEFORE).items()},
                         {MODEL + "small": "holds", MODEL + "large": "holds", LIST: "holds", BYTES: "not_judged"})
        self.assertEqual({key: line["verdict"] for key, line in results(AFTER).items()}, dict.fromkeys(KEYS, "violated"))
        self.assertEqual((value(BEFORE, LIST), value(AFTER, LIST)), (5, 20))
        for key in (MODEL + "small", MODEL + "large"):
            self.assertGreater(value(BEFORE, key), 2)
            self.assertLess(value(AFTER, key), 2)

    def test_report_gives_the_verdict_of_a_run(self):
        self.expect(0, ["3 hold", "1 not judged"], "report", BEFORE, "--quiet")
        self.expect(2, ["4 violated"], "report", AFTER, "--quiet")

    def test_report_sums_the_suite_up(self):
        rows = self.expect(0, [], "report", BEFORE, "--quiet", "--suite").splitlines()
        heading, row = (next(cells(line) for line in rows if line.startswith(start)) for start in ("suite ", "fast over slow"))
        found = dict(zip(heading, row))
        self.assertEqual((found["models"], found["passed"], found["speedups"]), ("2", "2 (100 %)", "2"))
        mean = math.sqrt(value(BEFORE, MODEL + "small") * value(BEFORE, MODEL + "large"))
        self.assertAlmostEqual(float(found["geometric mean"]), mean, delta=0.001 * mean)
        self.assertEqual(row[-1], "130.0 s")  # of compiling: memory is empty, so that its cell is not there
        self.assertEqual([row for row in rows if "warning" in row], [f"warning: {row[0]}, large: compiled in 130.0 s, beyond 120 s"])

    def test_report_writes_a_page(self):
        self.expect(2, [], "report", AFTER, "--quiet", "--html", "page.html")
        data = text("page.html").split('<script type="application/json" id="data">', 1)[1].split("</script>", 1)[0]
        shown = {record["key"]: record for record in json.loads(data)["records"]}
        self.assertEqual(set(shown), KEYS)
        for key, line in results(AFTER).items():
            self.assertEqual({name: member for name, member in shown[key].items() if name in line}, {name: line[name] for name in line if name in shown[key]})

    def test_compare_has_each_key_and_its_change(self):
        (FOLDER / "common.jsonl").write_text("".join(line for line in text(AFTER).splitlines(True) if json.loads(line)["key"] != BYTES), encoding="utf-8")
        said = self.expect(2, ["3 keys compared: ", " 0 better, "], "compare", BEFORE, "common.jsonl", "--change", "7%")
        rows = {row[0]: row[1:] for row in map(cells, said.splitlines())}
        self.assertEqual(rows[LIST], ["5", "20", "+300 %", "+300 % .. +300 %", "worse, beyond the threshold"])
        for key in (MODEL + "small", MODEL + "large"):
            self.assertEqual(rows[key][2], f"{100 * (value(AFTER, key) / value(BEFORE, key) - 1):.0f} %")
        self.expect(4, ["1 key of new has nothing in old to compare with"], "compare", BEFORE, AFTER, "--change", "7%")
        self.expect(4, ["1 key of old has nothing in new to compare with"], "compare", AFTER, BEFORE, "--change", "7%")
        self.expect(0, ["  speedup in ratio: 1.000x of 2 keys", "4 keys compared: 0 worse, 0 better"], "compare", AFTER, AFTER)

    def test_compare_puts_another_machine_beside_this_one(self):
        here = results(BEFORE)[MODEL + "small"]["hardware_key"]
        (FOLDER / "elsewhere.jsonl").write_text(text(AFTER).replace(json.dumps(here), '"other-cpu-64c"'), encoding="utf-8")
        said = self.expect(0, [f"old is {here}, new is other-cpu-64c", "2 keys compared", "4 results of any hardware left out", "2 claims failed on new: "],
                           "compare", "--across-hardware", BEFORE, "elsewhere.jsonl")
        gains = [value(AFTER, MODEL + model) / value(BEFORE, MODEL + model) for model in ("small", "large")]
        mean = float(next(line for line in said.splitlines() if line.startswith("  speedup in ratio: ")).split()[3].rstrip("x"))
        self.assertAlmostEqual(mean, math.sqrt(gains[0] * gains[1]), delta=0.001 * mean)
        self.assertIn(f'both of "{here}", expected two machines', tool("compare", "--across-hardware", BEFORE, AFTER).stderr)

    def test_history_tells_what_was_violated_twice(self):
        self.expect(0, ["2 runs"], "history", BEFORE, AFTER)
        self.expect(2, ["3 runs", *KEYS], "history", BEFORE, AFTER, LAST, "--html", "history.html")
        for key in KEYS:
            self.assertIn(json.dumps(key)[1:-1], text("history.html"))

    def test_merge_takes_results_of_a_program_as_shards(self):
        lines = text(BEFORE).splitlines(True)
        for shard in (1, 2):
            part = [line for line in lines if ("model=" in line) == (shard == 1)]
            (FOLDER / f"shard-{shard}.jsonl").write_text("".join(part), encoding="utf-8")
        self.expect(0, ["4 results of 2 files, complete"], "merge", "shard-1.jsonl", "shard-2.jsonl", "--shards", "2", "-o", "merged.jsonl")
        self.assertEqual(results("merged.jsonl"), results(BEFORE))

    def test_export_has_the_values_in_each_format(self):
        for form in ("csv", "pytorch", "junit"):
            self.expect(0, [], "export", AFTER, "--format", form, "-o", f"export.{form}")
        rows = {row["key"]: row for row in csv.DictReader(text("export.csv").splitlines())}
        self.assertEqual({key: float(row["median"]) for key, row in rows.items()},
                         {key: line["measured"]["median"] for key, line in results(AFTER).items()})
        cases = xml.etree.ElementTree.fromstring(text("export.junit")).iter("testcase")
        self.assertEqual([len(case.findall("failure")) for case in cases], [1, 1, 1, 1])
        for key in KEYS:
            self.assertIn(json.dumps(key)[1:-1], text("export.pytorch"))

    def test_accept_stored_what_the_next_run_compared_with(self):
        self.expect(0, ["no faults"], "baselines", "verify")
        self.expect(0, [BYTES], "baselines", "list")
        self.assertEqual(results(AFTER)[BYTES]["baseline"]["median"], results(BEFORE)[BYTES]["baseline"]["taken"][0]["values"][0])
        self.expect(0, [BYTES + ": kept", "nothing was written"], "accept", BEFORE)
        changed = self.expect(0, [BYTES, "recorded anew"], "accept", AFTER, "--dry-run")
        self.assertNotIn(MODEL, changed)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
