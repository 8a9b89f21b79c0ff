#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The operators that the profiles of a suite cover, from real runs: coverage.py <program built from coverage_program.cpp> <perfspec, the tool>."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM, TOOL = map(os.path.abspath, sys.argv[1:3])
EXPECTED = {
    "aten::conv2d": "features",
    "aten::max_pool2d": "features",
    "aten::linear": "classifier (test=eval; test=train)",
    "aten::sum": "classifier (test=train)",
}


def run(command, folder, **variables):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PERFSPEC_")}
    done = subprocess.run(command, cwd=folder, env=kept | variables, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        print(done.stdout)
        sys.exit(77)
    if done.returncode != 0:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    with tempfile.TemporaryDirectory() as folder:
        run([PROGRAM], folder, PERFSPEC_OUTPUT=f"{folder}/results.jsonl", PERFSPEC_BUILD_VARIANT="")
        lines = pathlib.Path(folder, "results.jsonl").read_text(encoding="utf-8").splitlines()
        told = run([TOOL, "report", "results.jsonl", "--quiet", "--operators"], folder)
    print(told)
    summary = re.search(r"^operators: (\d+) of (\d+) \(([\d.]+ %)\) of those that LibTorch [\d.]\S* has, in 2 models$", told, re.MULTILINE)
    aten = re.search(r"^  aten: (\d+) of (\d+) ", told, re.MULTILINE)
    assert summary and aten, "no summary"
    covered, known = int(summary[1]), int(summary[2])
    assert len(EXPECTED) <= int(aten[1]) <= covered < known and 1000 < int(aten[2]) <= known, summary[0]
    for operator, models in EXPECTED.items():
        assert re.search(rf"^{operator} +{re.escape(models)}$", told, re.MULTILINE), operator
    largest = max(len(json.dumps(json.loads(line).get("operators"))) for line in lines)
    print(f"the list of operators takes {largest} bytes of a line of results")


main()
