#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The two loops that one would write by hand to see what torch.compile gains, for two subjects of a file that perfspec's tests measure:

    OMP_NUM_THREADS=1 python3 by_hand.py models.py eager inductor

  in turn  both bodies by turns, for at least 30 pairs and two seconds; the median of the ratios of each pair
  Timer    torch.utils.benchmark.Timer on the one, then on the other, a second each; the ratio of their medians

They call what perfspec calls: the bodies that the functions of the file return, built once, warm, under torch.no_grad. Neither decides
anything. Prints a line of JSON for each: `speedup` is the first subject's time over the second's, above 1 where the second is faster; `low` and
`high` are the 95 % interval of the median of pairs, or the ratios of the quartiles that lie farthest from each other; `load` is the machine's.
"""
import json
import math
import os
import pathlib
import statistics
import sys
import time
import typing

MODULE = pathlib.Path(__file__).resolve().parents[2] / "include/perfspec/python/module"
DEFAULTS = {"OMP_WAIT_POLICY": "passive", "TORCHINDUCTOR_COMPILE_THREADS": "1"}  # as perfspec's worker has them
WARM = 5  # calls of each before; the first one compiles
MIN_PAIRS = 30
MIN_NS = 2_000_000_000


class Found(typing.NamedTuple):
    way: str
    speedup: float
    low: float
    high: float
    samples: int  # pairs, or blocks of the subject that has fewer


def median_interval(values: list) -> tuple:
    """Two of the values, between which the median of what they are drawn from lies in 95 % of all cases: by the binomial distribution, whatever
    the values are like. Of fewer than six the smallest and the largest, which is less sure."""
    ordered, count = sorted(values), len(values)
    below = 0.0  # that fewer than rank + 1 values lie below the median
    rank = 0
    while rank < (count - 1) // 2 and below + math.comb(count, rank) / 2**count <= 0.025:
        below += math.comb(count, rank) / 2**count
        rank += 1
    rank = max(rank - 1, 0)
    return ordered[rank], ordered[count - 1 - rank]


def in_turn(first, second, *, pairs: int = MIN_PAIRS, least_ns: int = MIN_NS, clock=time.perf_counter_ns) -> Found:
    """Both by turns, until there are so many pairs and so much time has passed."""
    ratios, begun = [], clock()
    while len(ratios) < pairs or clock() - begun < least_ns:
        start = clock()
        first()
        middle = clock()
        second()
        ratios.append((middle - start) / (clock() - middle))
    return Found("in turn", statistics.median(ratios), *median_interval(ratios), len(ratios))


def by_timer(first, second, *, seconds: float = 1.0, threads: int = 1) -> Found:
    """One after the other, as PyTorch's own tool measures."""
    from torch.utils.benchmark import Timer

    one, other = (Timer("call()", globals={"call": each}, num_threads=threads).blocked_autorange(min_run_time=seconds) for each in (first, second))
    quartiles = [statistics.quantiles(each.times, n=4, method="inclusive") if len(each.times) > 1 else each.times * 3 for each in (one, other)]
    return Found("Timer", one.median / other.median, quartiles[0][0] / quartiles[1][2], quartiles[0][2] / quartiles[1][0],
                 min(len(one.times), len(other.times)))


def bodies_of(file: str, names: list) -> list:
    """What the functions of these subjects return. Raises SystemExit for a name that is not there, and for one that trains."""
    sys.path.insert(0, str(MODULE))
    from perfspec.faults import Refusal
    from perfspec.process import import_file
    from perfspec.subjects import registry, take_body

    try:
        import_file(file)
        subjects = [registry.find(name) for name in names]
        for each in subjects:
            if each.training:
                raise SystemExit(f"by_hand.py: {each.name} trains: its state would differ between the two; name subjects that only compute")
            take_body(each, each.build())
        return [each.body for each in subjects]
    except Refusal as refusal:
        if refusal.kind == "unavailable":
            print(f"by_hand.py: {refusal}")
            raise SystemExit(77) from None
        raise SystemExit(f"by_hand.py: {refusal}") from None


def main(words: list) -> int:
    if len(words) != 3:
        print("usage: by_hand.py FILE.py SUBJECT OTHER_SUBJECT", file=sys.stderr)
        return 2
    for name, value in DEFAULTS.items():
        os.environ.setdefault(name, value)
    first, second = bodies_of(words[0], words[1:])
    import torch

    with torch.no_grad():
        for _ in range(WARM):
            first(), second()
        for way in (in_turn, lambda *bodies: by_timer(*bodies, threads=torch.get_num_threads())):
            print(json.dumps({"first": words[1], "second": words[2], **way(first, second)._asdict(), "load": os.getloadavg()[0]}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
