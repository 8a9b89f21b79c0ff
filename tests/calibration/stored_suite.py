#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Real verdicts of stored processes on unchanged and on slower code: records the suite of perfspec_stored_suite into a folder, and counts the verdicts of
later runs against it. Wait half an hour between runs, because the noise of minutes is only part of it. Append further recording sessions, each half an
hour later or more, to see the effect of three.

    tests/calibration/stored_suite.py build/release/tests/calibration/perfspec_stored_suite /var/tmp/stored record
    tests/calibration/stored_suite.py build/release/tests/calibration/perfspec_stored_suite /var/tmp/stored append
    tests/calibration/stored_suite.py build/release/tests/calibration/perfspec_stored_suite /var/tmp/stored count --runs 40
    tests/calibration/stored_suite.py build/release/tests/calibration/perfspec_stored_suite /var/tmp/stored count --runs 5 --slower 20
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import time

VERDICTS = ["holds", "undecided", "violated", "error", "skipped"]


def run(program, folder, **variables):
    """The results of one run of the suite."""
    results = folder / "results.jsonl"
    results.unlink(missing_ok=True)
    environment = os.environ | {"PERFSPEC_BASELINE_DIR": str(folder), "PERFSPEC_OUTPUT": str(results), "PERFSPEC_CI": "off"} | variables
    subprocess.run([program, "[stored]"], env=environment, stdout=subprocess.DEVNULL, check=False)
    with open(results, encoding="utf-8") as lines:
        return [r for r in map(json.loads, lines) if r["kind"] == "result"]


def minutes_since_recording(folder):
    return (time.time() - max(f.stat().st_mtime for f in folder.glob("*/*.json"))) / 60


def count(program, folder, runs, slower):
    counts, processes = collections.defaultdict(collections.Counter), collections.Counter()
    start = time.monotonic()
    print(f"{runs} runs, {slower} % slower, {minutes_since_recording(folder):.0f} minutes after the recording")
    for _ in range(runs):
        for r in run(program, folder, SLOWER_PERCENT=str(slower)):
            counts[r["test"], r["query"]][r["verdict"]] += 1
            processes[r["test"], r["query"]] += r["evidence"]["processes"]
    for (test, query), seen in sorted(counts.items()):
        words = ", ".join(f"{v} {seen[v]}" for v in VERDICTS if seen[v])
        print(f"{test:7} {query:40} {words}; {processes[test, query] / seen.total():.1f} processes")
    for test in sorted({test for test, _ in counts}):
        seen = sum((c for (t, _), c in counts.items() if t == test), collections.Counter())
        print(f"{test}: {seen.total()} claims: " + ", ".join(f"{v} {seen[v]} ({100 * seen[v] / seen.total():.1f} %)" for v in VERDICTS if seen[v]))
    print(f"{(time.monotonic() - start) / runs:.1f} s a run")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("what", choices=["record", "append", "count"])
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--slower", type=int, default=0, metavar="PERCENT")
    asked = parser.parse_args()
    if asked.what != "count":
        asked.folder.mkdir(parents=True, exist_ok=True)
        mode = "all" if asked.what == "record" else "append"
        for r in run(asked.program, asked.folder, PERFSPEC_UPDATE_BASELINES=mode, PERFSPEC_RECORD_ANYWAY="1"):
            print(f"{r['test']}: {r['query']}: {r['reason']}")
    elif not list(asked.folder.glob("*/*.json")):
        sys.exit(f"{asked.folder} holds no baselines: record them first")
    else:
        count(asked.program, asked.folder, asked.runs, asked.slower)


if __name__ == "__main__":
    main()
