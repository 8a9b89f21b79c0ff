#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whole runs of pytest with the judge: pytest_test.py PERFSPEC. The times of bodies are far from every bound."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from started_worker import MODULE

try:
    import pytest  # noqa: F401
except ModuleNotFoundError:
    print("pytest is not installed for", sys.executable)
    sys.exit(77)

TESTS = """
import time, pytest
def slow(): return min(sum(range(400_000)), 7)
def fast(): return min(sum(range(100_000)), 7)
def other(): return min(sum(range(100_000)), 8)
"""


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()

    def run_pytest(self, tests, *arguments, start=("-m", "pytest"), **variables):
        """The output of pytest. Puts the results into `self.records`."""
        (self.root / "sub").mkdir(exist_ok=True)
        (self.root / "sub/test_it.py").write_text(TESTS + tests)
        output = self.root / "results.jsonl"
        output.unlink(missing_ok=True)
        variables = {**os.environ, "PYTHONPATH": str(MODULE), "PERFSPEC_JUDGE": PROGRAM, "PYTHONDONTWRITEBYTECODE": "1", "CI": "", **variables}
        command = [sys.executable, *start, "-p", "perfspec.pytest_plugin", "-p", "no:cacheprovider", "-rA", "--rootdir", str(self.root),
                   "--perf-output", str(output), "--perf-budget", "300ms", *arguments, "sub"]
        done = subprocess.run(command, cwd=self.root, env=variables, capture_output=True, text=True, timeout=300)
        lines = map(json.loads, output.read_text().splitlines()) if output.exists() else []
        self.records = [each for each in lines if "verdict" in each]
        return done.stdout + done.stderr

    def test_advice_is_in_words_of_tests(self):
        printed = " ".join(self.run_pytest("""
def test_differs(perf): perf.check(perf.speedup(slow, other) > 1.5)
def test_too_few(perf): perf.check(perf.speedup(slow, fast) > 1.5, rounds=10, confirm="off")
""").split())
        for words in ("or write perf.subject(…, unverified=True) on a subject", 'rounds="10" cannot show', 'write rounds="14" or more'):
            self.assertIn(words, printed)

    def test_verdicts_of_times_and_ratios(self):
        printed = self.run_pytest("""
def test_holds(perf):
    record = perf.require(perf.speedup(slow, fast) > 1.5)
    assert record["verdict"] == "holds" and record["measured"]["value"] > 1.5
    perf.check(perf.latency(fast) < "500ms")
    perf.check(perf.latency(fast) < 0.9 * perf.latency(slow))
    assert "value" in perf.measure(perf.latency(fast))["measured"]
    perf.check(perf.speedup(slow, perf.subject("other", other, unverified=True)) > 1.5)
def test_violated(perf):
    perf.require(perf.speedup(fast, slow) > 0.95)
@pytest.mark.xfail(strict=True)
def test_known(perf):
    perf.check(perf.latency(slow) < "1ms")
def test_outputs_differ(perf):
    perf.require(perf.speedup(fast, other) > 0.5)
def test_raises(perf):
    perf.check(perf.latency(broken=lambda: [][1]) < 1)
""")
        self.assertIn("3 failed, 1 passed, 1 xfailed", printed)
        for text in ("perf.require( speedup(fast, slow) > 0.95 )  violated", "test_it.py:15)", "slow is", "in a fresh process",
                     f"-m pytest '{self.root}/sub/test_it.py::test_violated'", "IndexError", "error"):
            self.assertIn(text, printed)
        self.assertIn("FAILED sub/test_it.py::test_violated", printed)
        self.assertNotRegex(printed, r"FAILED \S+ - (Failed: )?/")  # the summary has the claim, if it has a text (pytest 7.2 has none)

    def test_parameters_are_axes_and_an_only_selects(self):
        tests = """
@pytest.mark.parametrize("n", [1, 2])
def test_sizes(perf, n): perf.check(perf.latency(fast) < "500ms")
"""
        self.run_pytest(tests)
        self.assertEqual([each["key"] for each in self.records], [f"sub/test_it.py::test_sizes / latency(fast) / n={n}" for n in (1, 2)])
        self.assertIn("2 passed", self.run_pytest(tests, "--perf-only", "n=2"))
        self.assertEqual(len(self.records), 1)

    def test_a_baseline_is_recorded_compared_and_updated_by_one_flag(self):
        tests = """
import os
def work(): return sum(range(int(os.environ.get("SIZE", "20000"))))
def test_it(perf): perf.check(perf.latency(work) < 1.5 * perf.baseline(), processes=10)
"""
        self.assertIn("1 passed", self.run_pytest(tests, "--perf-update-baselines", "--perf-record-anyway"))
        files = list((self.root / "baselines").rglob("pytest.json"))
        self.assertEqual(len(files), 1)
        self.assertIn("1 passed", self.run_pytest(tests))
        self.assertIn("1 failed", self.run_pytest(tests, SIZE="200000"))

    def test_without_a_baseline_in_ci_nothing_is_judged_and_the_test_is_skipped(self):
        printed = self.run_pytest("def test_it(perf): perf.check(perf.latency(fast) < perf.baseline())\n", CI="true")
        self.assertIn("1 skipped", printed)

    def test_words_of_loading_and_of_work(self):
        printed = self.run_pytest("""
def make(): time.sleep(0.03); return fast
def test_loading(perf):
    loaded = perf.subject("loaded", load=make)
    perf.check(perf.load_time(loaded) < "500ms", budget="60s")
    perf.check(perf.load_time(loaded) < "10ms", budget="60s", confirm="off")
def test_cold(perf): perf.check(perf.cold_start(perf.subject("loaded", load=make)) > "20ms", budget="60s")
def test_work(perf):
    worked = perf.subject("worked", fast, items=100, bytes=4e6)
    perf.check(perf.throughput(worked) < 1e6)
    perf.check(perf.throughput(worked, of="bytes") > "1MB/s")
    perf.check(perf.metric("points", "more_is_better", fast) > 6)
    perf.check(perf.metric("faults", "less_is_better", fast) < 8)
""")
        self.assertIn("1 failed, 2 passed", printed)
        self.assertEqual([each["verdict"] for each in self.records], ["holds", "violated", *5 * ["holds"]], printed)

    def test_a_rerun_of_a_test_in_its_process_is_confirmed_like_the_first(self):
        (self.root / "conftest.py").write_text("""
from _pytest.runner import runtestprotocol
def pytest_runtest_protocol(item, nextitem):
    for _ in range(2):
        item._initrequest()
        if not any(each.failed for each in runtestprotocol(item, nextitem=nextitem)):
            break
    return True
""")
        self.run_pytest("def test_it(perf): perf.check(perf.latency(slow) < '1ms', budget='2s')\n")
        self.assertEqual([(each["verdict"], each["evidence"]["confirming_rounds"]) for each in self.records], 2 * [("violated", 10)])

    def test_a_run_without_the_working_directory_in_its_path_is_repeated_so(self):
        installed = self.root / "installed"
        installed.mkdir()
        for folder, body in ((self.root, "return sum(range(99))"), (installed, "return time.sleep(0.004) or 7")):
            (folder / "package.py").write_text(f"import time\ndef work(): {body}\n")
        script = "import sys; del sys.path[0]; import pytest; sys.exit(pytest.console_main())"  # as pip writes it
        printed = self.run_pytest("import os, package\ndef test_it(perf):\n    assert 'PYTHONSAFEPATH' not in os.environ\n"
                                  "    perf.check(perf.latency(package.work) < '1ms')\n", start=["-c", script], PYTHONPATH=f"{MODULE}:{installed}")
        self.assertEqual([each["verdict"] for each in self.records], ["violated"], printed)
        self.assertIn(f"-m pytest '{self.root}/sub/test_it.py::test_it'", printed)

    def test_a_baseline_may_be_another_checkout(self):
        other = self.root / "baseline"
        (other / "sub").mkdir(parents=True)
        work = "def work(): return sum(range(SIZE))\ndef test_it(perf): perf.check(perf.latency(work) < 1.5 * perf.baseline())\n"
        (other / "sub/test_it.py").write_text(TESTS + "SIZE = 20000\n" + work)
        for command in ("init -q", "add baseline", "-c user.name=a -c user.email=a commit -qm a"):
            subprocess.run(["git", *command.split()], cwd=self.root, check=True)
        new = "def test_new(perf): perf.check(perf.latency(fast) < perf.baseline())\n"
        printed = self.run_pytest("SIZE = 200000\n" + work + new, "--perf-baseline-build=baseline", "--ignore", "baseline", "--perf-budget", "60s")
        self.assertEqual([each["verdict"] for each in self.records], ["violated", "skipped"], printed)
        (self.root / "shared.py").write_text("SIZE = 20000\n")
        (other / "sub/test_it.py").write_text(TESTS + "from shared import SIZE\n" + work)
        printed = self.run_pytest("from shared import SIZE\n" + work, "--perf-baseline-build=baseline", "--ignore", "baseline", PYTHONPATH=f"{MODULE}:{self.root}")
        self.assertEqual([(each["verdict"], each["dirty"]) for each in self.records], [("error", True)])  # runs git
        self.assertIn("both checkouts run shared of", printed)

    def test_memory_is_that_of_fresh_processes(self):
        printed = self.run_pytest("def test_it(perf): perf.check(perf.peak_memory(grow=lambda: bytearray(64 << 20)) > \"32MiB\", budget=\"60s\")\n")
        self.assertIn("1 passed", printed)
        self.assertEqual([each["verdict"] for each in self.records], ["holds"])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
