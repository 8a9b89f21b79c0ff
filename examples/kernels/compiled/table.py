#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Tables of what the experiments of this folder recorded: python3 table.py results.jsonl …

Of each cell the times, the speedup over eager with its interval, the time of compiling, and after how many calls it has paid; of each series over
sizes where it crosses 1; of ResNet50's convolutions the times alone beside those in place.
"""
import collections
import json
import sys
import typing

WITHIN = 0.05  # of 1: "even"


class Interval(typing.NamedTuple):
    low: float
    middle: float
    high: float


class Cell(typing.NamedTuple):
    """A speedup over eager, which is above 1 where the other one is faster."""

    test: str
    axes: dict
    eager_ns: float
    other_ns: float
    speedup: Interval


def side(speedup: Interval) -> int:
    """1: faster than eager; -1: slower; 0: the interval holds 1."""
    return (speedup.low > 1) - (speedup.high < 1)


def crossovers(points: list) -> list:
    """Where the sign of a series changes: (the last size before, the first size after, the side after). A size whose interval holds 1 is on no side,
    and lies between.

    points  (size, Interval), by rising size
    """
    found, before = [], None
    for size, speedup in points:
        now = side(speedup)
        if now == 0:
            continue
        if before is not None and now != before[1]:
            found.append((before[0], size, now))
        before = size, now
    return found


def even_from(points: list, within: float = WITHIN):
    """The smallest size from which on every speedup is within this of 1; None where the largest is not."""
    found = None
    for size, speedup in points:
        if abs(speedup.middle - 1) > within:
            found = None
        elif found is None:
            found = size
    return found


def break_even(compile_ns: float, call_ns: float, speedup: Interval):
    """After how many calls compiling has saved more time than it took; None where the interval does not show that it ever does.

    call_ns  of one eager call
    """
    if speedup.low <= 1:
        return None
    low, middle, high = (compile_ns / (call_ns * (1 - 1 / faster)) for faster in (speedup.high, speedup.middle, speedup.low))
    return Interval(low, middle, high)


def number(text) -> float:
    return float(text)  # JSON has no infinity, so perfspec writes "inf"


def interval_of(measured: dict) -> Interval:
    return Interval(*(number(measured[name]) for name in ("low", "value", "high")))


class Records(typing.NamedTuple):
    cells: list
    compile_ns: dict  # by test and axes
    profiled_ns: dict  # by where, convolution and variant
    unmeasured: list  # of what there is a record without a number


def key_of(record: dict) -> tuple:
    return record["test"], tuple(sorted(record["axes"].items()))


def read(lines) -> Records:
    found = Records([], {}, {}, [])
    for record in map(json.loads, lines):
        if record["kind"] == "result" and record["macro"] == "PERF_MEASURE" and not record["on_request"]:
            take(found, record)
    return found


def take(found: Records, record: dict) -> None:
    axes, query = record["axes"], record["query"]
    if not isinstance(record.get("measured"), dict):
        found.unmeasured.append(f"{record['key']}: {record['reason']}")
    elif query.startswith("speedup("):
        eager, other = (number(each["median"]) for each in record["subjects"][:2])
        found.cells.append(Cell(record["test"], axes, eager, other, interval_of(record["measured"])))
    elif query.startswith(("compile_time(", "loaded_ns(")):
        found.compile_ns[key_of(record)] = number(record["measured"]["value"])
    elif record["own_unit"] == "ns":
        found.profiled_ns[axes["where"], axes["convolution"], axes["variant"]] = number(record["measured"]["value"])


def shown_time(ns) -> str:
    if ns is None:
        return "-"
    for unit, scale in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= scale:
            return f"{ns / scale:.3g} {unit}"
    return f"{ns:.3g} ns"


def shown_ratio(speedup: Interval) -> str:
    return f"{speedup.middle:.3f} ({speedup.low:.3f} .. {speedup.high:.3f})"


def shown_calls(compile_ns, cell: Cell) -> str:
    if compile_ns is None:
        return "-"
    calls = break_even(compile_ns, cell.eager_ns, cell.speedup)
    if calls is not None:
        return f"{calls.middle:.0f} ({calls.low:.0f} .. {calls.high:.0f})"
    return "never" if side(cell.speedup) < 0 else "not shown to pay"


def ranks(cells: list, name: str) -> dict:
    """The order of an axis: numbers by their value, texts as they were recorded."""
    values = list(dict.fromkeys(cell.axes.get(name, "") for cell in cells))
    if all(value.isdigit() for value in values):
        values.sort(key=int)
    return {value: at for at, value in enumerate(values)}


def aligned(rows: list) -> str:
    """rows  of texts; the first one is the heading"""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = ["| " + " | ".join(each.ljust(width) for each, width in zip(row, widths)) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def table_of(cells: list, compile_ns: dict) -> str:
    names = sorted({name for cell in cells for name in cell.axes} - {"variant", "times"}) + ["variant"]
    rows = [[*names, "eager", "other", "speedup", "compiling", "pays after calls"]]
    order = {name: ranks(cells, name) for name in names}
    for cell in sorted(cells, key=lambda each: [order[name][each.axes.get(name, "")] for name in names]):
        took = compile_ns.get((cell.test, tuple(sorted(cell.axes.items()))))
        rows.append([*(cell.axes.get(name, "") for name in names), shown_time(cell.eager_ns), shown_time(cell.other_ns), shown_ratio(cell.speedup),
                     shown_time(took), shown_calls(took, cell)])
    return aligned(rows)


def series_of(cells: list, axis: str) -> dict:
    """Points over one axis, for each combination of the others."""
    found = collections.defaultdict(list)
    for cell in cells:
        others = ", ".join(value for name, value in sorted(cell.axes.items()) if name != axis)
        found[others].append((int(cell.axes[axis]), cell.speedup))
    return {name: sorted(points) for name, points in found.items()}


def crossing_of(name: str, points: list) -> str:
    crossed = [f"{'faster' if now > 0 else 'slower'} between {before} and {after}" for before, after, now in crossovers(points)]
    even = even_from(points)
    return f"{name}: {'; '.join(crossed) or 'never crosses 1'}; " + (f"within {WITHIN:.0%} of eager from {even} on" if even else "not even at the largest")


def profiled_table(cells: list, profiled_ns: dict) -> str:
    """Times and speedups of each convolution: a call of it alone, and by the profiler itself within that call and within the model."""
    rows = [["convolution", "times", "eager alone", "itself", "in place", "compiled alone", "itself", "in place", "speedup alone", "itself", "in place"]]
    for cell in cells:
        name, variant = cell.axes["convolution"], cell.axes["variant"]
        eager, compiled = ([profiled_ns.get((where, name, which)) for where in ("profiled alone", "in place")] for which in ("eager", variant))
        if None in (*eager, *compiled):
            continue
        rows.append([name, cell.axes["times"], *map(shown_time, (cell.eager_ns, *eager, cell.other_ns, *compiled)), f"{cell.speedup.middle:.3f}",
                     *(f"{before / after:.3f}" for before, after in zip(eager, compiled))])
    return aligned(rows) if len(rows) > 1 else ""


def text_of(found: Records) -> str:
    """All tables, in the order of the records."""
    tests = list(dict.fromkeys(cell.test for cell in found.cells))
    parts = []
    for test in tests:
        cells = [cell for cell in found.cells if cell.test == test]
        parts += [f"## {test}", table_of(cells, found.compile_ns)]
        for axis in ("n", "length"):
            if axis in cells[0].axes:
                parts.append("\n".join(crossing_of(name, points) for name, points in series_of(cells, axis).items()))
        if "convolution" in cells[0].axes:
            parts.append(profiled_table(cells, found.profiled_ns))
    if found.unmeasured:
        parts.append("not measured:\n" + "\n".join(found.unmeasured))
    return "\n\n".join(part for part in parts if part)


def main(files: list) -> int:
    lines = [line for file in files for line in open(file, encoding="utf-8")]
    found = read(lines)
    if not found.cells:
        print("no speedup is recorded: give what example_kernels_compiled wrote by --perf-output results.jsonl", file=sys.stderr)
        return 2
    print(text_of(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
