# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Results of many runs of a made-up suite: keys that become slower, are violated twice, are missing, and names that try to become markup. Deterministic.

usage: sample_history.py FILE RUNS [KEYS]      a run a week with a result of each of KEYS keys, by default 8
"""
import datetime
import json
import random
import sys

from sample_results import HOSTILE, one, recorded_result


def value_of(key, run, runs):
    """Key 0 becomes slower by 1 % a week, and key 1 by 20 % in the last two runs."""
    if key == 0:
        return 1e5 * 1.01**run
    return 1e5 * (1 + key) * (1.2 if key == 1 and run >= runs - 2 else 1)


def result_of(template, draw, key, run, runs):
    record = one(template, draw, 0)
    value = value_of(key, run, runs) * (1 + draw.gauss(0, 0.02))
    name = HOSTILE[key - 4] if 4 <= key < 4 + len(HOSTILE) else f"parse file {key}"
    is_violated = key == 1 and run >= runs - 2
    record.update(
        test=name, key=f"{name} / latency(parse)", run_id=f"run-{run}", commit=f"{run + 0xabc000:07x}", branch="main", dirty=False, baseline=None,
        time=(datetime.datetime(2026, 1, 5, 10) + datetime.timedelta(weeks=run)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        verdict="violated" if is_violated else "holds", failed=is_violated, bound=1.1e5 * (1 + key) * (1.4 if key == 0 else 1),
        measured={"value": value, "low": value * 0.99, "high": value * 1.01, "level": 0.95})
    return record


def main():
    path, runs = sys.argv[1], int(sys.argv[2])
    keys = int(sys.argv[3]) if len(sys.argv) > 3 else 8
    template, draw = recorded_result(), random.Random(1)
    with open(path, "w", encoding="utf-8") as file:
        for run in range(runs):
            for key in range(keys):
                if key != 2 or run < runs - 3:  # key 2 was removed
                    file.write(json.dumps(result_of(template, draw, key, run, runs)) + "\n")


if __name__ == "__main__":
    main()
