# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Row D of `acceptance`, on forged outputs of perfspec_live_calibration."""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from live_figures import MILLISECOND, SHORT

HERE = pathlib.Path(__file__).resolve().parent


def counts(violated, holds, undecided=0, median_ms=5.0):
    return {"runs": violated + holds + undecided, "violated": violated, "holds": holds, "undecided": undecided, "error": 0, "skipped": 0,
            "first_stage_violated": violated, "not_confirmed": 0, "median_ms": median_ms}


def report(load="none"):
    """A report that, twice, keeps every limit by the smallest distance."""
    claims = {"true": counts(0, 4990, 10), "at the bound": counts(3, 990, 7), "false": counts(970, 3, 27)}
    each = {}
    for workloads, true_ms, false_ms in ((SHORT, 6, 40), (MILLISECOND, 70, 250), (("mem 64 MiB", "thr2 1 ms"), 900, 900)):
        for workload in workloads:
            each[workload] = {"unchanged > 0.95": counts(0, 100, median_ms=true_ms),
                              "5 % slower > 0.97": counts(98, 0, 2, median_ms=false_ms),
                              "10 % slower > 0.95": counts(98, 0, 2)}
    return {"load": load, "claims": {truth: {"all": c, "in_cache": c} for truth, c in claims.items()}, "each": each}


class RowD(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_on(self, *reports):
        files = []
        for number, each in enumerate(reports):
            files.append(self.folder / f"{number}.json")
            files[-1].write_text(each if isinstance(each, str) else json.dumps(each))
        return subprocess.run([sys.executable, str(HERE / "acceptance"), "--rows", "D", "--live", *map(str, files)], capture_output=True,
                              text=True, check=False)

    def missed_by(self, change, *others):
        """The figures that a change of one of two reports makes miss their limits."""
        first = report()
        change(first)
        done = self.run_on(first, *(others or (report(),)))
        self.assertEqual(done.returncode, 1, done.stdout)
        return [line.removeprefix("missed: D: ").rpartition(", live: ")[0] for line in done.stderr.splitlines()]

    def test_reports_that_keep_every_limit_are_0_and_are_added_up(self):
        done = self.run_on(report(), report())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("| D | true claims, judged | live | 10000 | >= 10000 | met |", done.stdout)
        self.assertIn("| D | A/A vs 1.00, violated | live | 0.3 % of 2000 | <= 0.3 | met |", done.stdout)
        self.assertIn("| D | 5 % vs .97 and 10 % vs .95, single-threaded in cache, violated | live | 98 % of 2800 | >= 98 | met |", done.stdout)
        self.assertIn("| D | false claims, violated | live | 97 % of 2000 | >= 97 | met |", done.stdout)
        self.assertIn("| D | 5 % vs .97 with its fresh process, 1 ms, median, slowest workload and file | live | 250 ms | <= 250 | met |",
                      done.stdout)

    def test_each_limit_can_be_missed(self):
        def claim(truth, **changes):
            return lambda r: r["claims"][truth]["all"].update(changes)

        def workload(name, of, **changes):
            return lambda r: r["each"][name][of].update(changes)

        median = "median, slowest workload and file"
        for change, figure in (
                (claim("true", violated=1), "true claims, violated"),
                (claim("true", holds=4989), "true claims, judged"),
                (claim("at the bound", violated=4, holds=989), "A/A vs 1.00, violated"),
                (workload("map 1 ms", "10 % slower > 0.95", violated=97, undecided=3),
                 "5 % vs .97 and 10 % vs .95, single-threaded in cache, violated"),
                (claim("false", violated=969, undecided=28), "false claims, violated"),
                (claim("false", holds=4, undecided=26), "false claims, holds"),
                (workload("map 10 us", "unchanged > 0.95", median_ms=6.1), f"A/A vs .95, 10-30 us, {median}"),
                (workload("sort 1 ms", "unchanged > 0.95", median_ms=70.1), f"A/A vs .95, 1 ms, {median}"),
                (workload("dot 20 us", "5 % slower > 0.97", median_ms=40.1), f"5 % vs .97 with its fresh process, 10-30 us, {median}"),
                (workload("arith 1 ms", "5 % slower > 0.97", median_ms=None), f"5 % vs .97 with its fresh process, 1 ms, {median}")):
            with self.subTest(figure):
                self.assertEqual(self.missed_by(change), [figure])

    def test_claims_that_were_skipped_keep_no_limit(self):
        def skipped(r):
            for truth in r["claims"].values():
                for c in truth.values():
                    c.update(violated=0, holds=0, undecided=0, skipped=c["runs"])
        other = report()
        skipped(other)
        self.assertEqual(self.missed_by(skipped, other),
                         ["true claims, judged", "A/A vs 1.00, violated", "false claims, violated", "false claims, holds"])

    def test_times_under_a_load_have_no_limit_but_some_must_be_without(self):
        loaded = copy.deepcopy(report("short"))
        loaded["each"]["map 10 us"]["unchanged > 0.95"]["median_ms"] = 60
        self.assertEqual(self.run_on(report(), loaded).returncode, 0)
        missed = self.missed_by(lambda r: r.update(load="long"), loaded)
        self.assertEqual(len(missed), 4)
        self.assertTrue(all("median" in figure for figure in missed), missed)

    def test_row_d_and_its_files_go_together(self):
        for arguments in (("--rows", "D"), ("--rows", "B", "--live", "x.json")):
            done = subprocess.run([sys.executable, str(HERE / "acceptance"), *arguments], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--rows D --live FILE", done.stderr)

    def test_the_names_are_those_of_the_program(self):
        workloads = (HERE / "live/live_workloads.cpp").read_text(encoding="utf-8")
        for name in SHORT + MILLISECOND:
            self.assertIn(f'{{"{name}", true, ', workloads)
        self.assertEqual(workloads.count(", true, ["), len(SHORT + MILLISECOND))
        claims = (HERE / "live/live_main.cpp").read_text(encoding="utf-8")
        for name in ("unchanged > 0.95", "5 % slower > 0.97", "10 % slower > 0.95"):
            self.assertIn(f'{{"{name}", ', claims)


if __name__ == "__main__":
    unittest.main()
