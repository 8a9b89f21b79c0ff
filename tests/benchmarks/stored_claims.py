#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Records baselines with perfspec_stored_claims, then counts the verdicts of five runs of a body 40 % slower and of ten unchanged ones.

    tests/benchmarks/stored_claims.py build/release/tests/benchmarks/perfspec_stored_claims
"""

import collections
import json
import os
import subprocess
import sys
import tempfile


def verdicts(program: str, folder: str, **variables: str) -> list[tuple[str, str]]:
    """The query and verdict of each assertion of one run."""
    results = os.path.join(folder, "results.jsonl")
    if os.path.exists(results):
        os.remove(results)
    environment = os.environ | {"PERFSPEC_BASELINE_DIR": folder, "PERFSPEC_OUTPUT": results, "PERFSPEC_POLICY": "local"} | variables
    subprocess.run([program], env=environment, stdout=subprocess.DEVNULL, check=False)
    with open(results, encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return [(r["query"], r["verdict"]) for r in records if r["kind"] == "result"]


def count(program: str, folder: str, runs: int, title: str, **variables: str) -> None:
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for _ in range(runs):
        for query, verdict in verdicts(program, folder, **variables):
            counts[query][verdict] += 1
    for query, of in counts.items():
        print(f"{title}: {query}: " + ", ".join(f"{verdict} {n} of {runs}" for verdict, n in sorted(of.items())), flush=True)


def main() -> None:
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        verdicts(program, folder, PERFSPEC_UPDATE_BASELINES="all")
        count(program, folder, 5, "40 % slower", SLOWER_PERCENT="40")
        count(program, folder, 10, "unchanged")


if __name__ == "__main__":
    main()
