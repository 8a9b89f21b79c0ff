# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Results of a made-up suite: all verdicts, names that try to become markup, a sweep over sizes, layers of a model. Deterministic.

usage: sample_results.py FILE [COUNT]      writes COUNT records, by default 65
"""
import copy
import json
import math
import pathlib
import random
import sys

VERDICTS = ["holds", "holds", "holds", "violated", "undecided", "error", "skipped"]
HOSTILE = [
    "</script><script>window.broken = 1</script>",
    '<img src=x onerror="window.broken = 1">',
    "' onclick='window.broken = 1",
    "{{constructor}} ${window.broken = 1} &lt;b&gt;",
    "a name that is very long and has no end " + "so-it-goes-on-" * 12,
    "Grüße 日本語 \U0001f980 \u202egnp.exe",
]


def quantiles(draw, center, spread, count=64):
    values = sorted(center * math.exp(draw.gauss(0, spread)) for _ in range(count))
    return [round(value, 1) for value in values]


def subject(draw, name, center, spread=0.03):
    strip = quantiles(draw, center, spread)
    at = lambda share: strip[int(share * (len(strip) - 1))]
    return {"subject": name, "minimum": strip[0], "q1": at(0.25), "median": at(0.5), "q3": at(0.75), "p90": at(0.9), "p99": at(0.99),
            "maximum": strip[-1], "samples": 640, "iterations": 12, "strip": strip, "unit": "ns",
            "course": [round(center * (1 + 0.05 * math.exp(-at / 6) + 0.01 * draw.gauss(0, 1)), 1) for at in range(64)]}


def processes(draw, center):
    return [round(center * math.exp(draw.gauss(0, 0.01)), 1) for _ in range(10)]


def one(template, draw, number):
    record = copy.deepcopy(template)
    verdict = VERDICTS[number % len(VERDICTS)]
    name = HOSTILE[number // len(VERDICTS)] if number % len(VERDICTS) == 3 and number // len(VERDICTS) < len(HOSTILE) else f"parse file {number}"
    stored = 1e5 * 1.3 ** (number % 30)
    now = stored * (1.4 if verdict == "violated" else 0.85 if number % 14 == 0 else 1.01)
    record.update(
        test=name, sections=[], key=f"{name} / latency(parse)", claim="latency(parse) < 1.05 * baseline()", macro="PERF_CHECK",
        query="latency(parse)", file="tests/parse_test.cpp", line=20 + number, verdict=verdict, failed=verdict in ("violated", "error"),
        on_request=False, unit="ns", own_unit="", direction="less", comparison="<", bound=1.05 * stored,
        bound_text=f"1.05 x {stored / 1e3:.4g} us, baseline of 10 processes", reason="", advice=[], notes=[], parts=[], compared=[],
        operators=None, tolerated=None, verified=None, planned=None, axes={},
        measured={"value": now, "low": now * 0.99, "high": now * 1.01, "level": 0.95},
        subjects=[subject(draw, "parse", now)], time=f"2026-11-20T10:{number // 60 % 60:02}:{number % 60:02}Z",
        commands={"again": f"ctest --test-dir build -R '^parse file {number}$' --output-on-failure"})
    record["baseline"].update(key=record["key"], median=stored, values=processes(draw, stored), now=processes(draw, now)[:5], taken=[],
                              action="compared")
    if verdict in ("error", "skipped"):
        record.update(measured=None, bound=None, subjects=[], baseline=None)
        record["reason"] = "the body threw: file not found" if verdict == "error" else "no baselines for this hardware are committed"
    if verdict == "undecided":
        record["reason"] = "the budget of 10 s ended before the test decided"
        record["advice"] = ["raise the budget to 30 s", "reduce the load on this machine"]
    return record


def sweep(template, draw, size):
    record = one(template, draw, 0)
    median = 3.0 * size ** 1.1
    record.update(test="sort many sizes", key=f"sort many sizes / latency(sort) / size={size}", claim="latency(sort) < bound_of(size)",
                  query="latency(sort)", axes={"size": str(size)}, line=400, bound=4.0 * size ** 1.1, subjects=[subject(draw, "sort", median)],
                  measured={"value": median, "low": median * 0.98, "high": median * 1.02, "level": 0.95}, baseline=None)
    return record


def depths(template, draw, depth):
    """Values that grow tenfold with each step of a short axis."""
    record = sweep(template, draw, 10 ** depth)
    record.update(test="search to a depth", key=f"search to a depth / latency(search) / depth={depth}", query="latency(search)", axes={"depth": str(depth)},
                  claim="latency(search) < bound_of(depth)", line=450)
    return record


def layers(template, draw, dtype):
    record = one(template, draw, 0)
    query = "best_mixture(eager, inductor)"
    record.update(test="resnet50 layer by layer", key=f"resnet50 layer by layer / {query} / dtype={dtype}", claim="", query=query, axes={"dtype": dtype},
                  verdict="skipped", line=500, baseline=None, bound=None, subjects=[], comparison="")
    def part(name, method, value, unit="ns"):
        return {"part": name, "method": method, "unit": unit, "share": 0.02, "mark": "",
                "value": {"value": value, "low": value, "high": value, "level": 0.95}}

    factors = [0.5] * 30 + [1.5] * 10  # of eager's time: inductor is the faster in 30 of 40 layers
    times = [2e5 * math.exp(draw.gauss(0, 0.5)) for _ in factors]
    rows = [(f"layer{number + 1}.conv", eager, eager * factor) for number, (eager, factor) in enumerate(zip(times, factors))]
    rows += [(name, sum(times), 0.8 * sum(times)) for name in ("sum", "end to end")]
    parts = [part(name, method, value) for name, *both in rows for method, value in zip(("eager", "inductor"), both)]
    parts += [part("end to end / best mixture", "eager", 1.9, "ratio"), part("end to end / best mixture", "inductor", 1.2, "ratio")]
    record["parts"] = parts
    return record


def recorded_result():
    """A result as perfspec writes it, to be changed."""
    with open(pathlib.Path(__file__).parents[2] / "recorded/results.jsonl", encoding="utf-8") as file:
        return next(record for record in map(json.loads, file) if record["kind"] == "result")


def main():
    path, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 65
    template = recorded_result()
    draw = random.Random(1)
    records = [sweep(template, draw, 2 ** power) for power in range(4, 13)] + [depths(template, draw, depth) for depth in (1, 2, 3, 4)]
    records += [layers(template, draw, dtype) for dtype in ("float32", "bfloat16")]
    records += [one(template, draw, number) for number in range(count - len(records))]
    with open(path, "w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
