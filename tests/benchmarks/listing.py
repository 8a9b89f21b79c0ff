#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Time to list the tests of 30 perfspec assertions beside that of 30 of Catch2's own, in random order; medians and their ratio.

usage: tests/benchmarks/listing.py <build folder> [rounds=101]
"""
import pathlib
import random
import statistics
import subprocess
import sys
import time


def seconds(program: pathlib.Path) -> float:
    start = time.perf_counter()
    subprocess.run([program, "--list-tests"], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[1], "tests", "benchmarks")
    programs = {name: folder / f"perfspec_listing_{name}" for name in ("ours", "theirs")}
    taken: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(int(sys.argv[2]) if len(sys.argv) == 3 else 101):
        for name in random.sample(list(programs), len(programs)):
            taken[name].append(seconds(programs[name]))
    ours, theirs = (1e3 * statistics.median(taken[name]) for name in programs)
    print(f"--list-tests, medians of {len(taken['ours'])}: perfspec {ours:.2f} ms, Catch2 alone {theirs:.2f} ms, ratio {ours / theirs:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
