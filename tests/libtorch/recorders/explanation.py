#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The traces of a real model, read back: explanation.py <program built from explained_program.cpp>."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
# What the model calls, and what LibTorch calls for it.
CALLS = {"aten::conv2d": 2, "aten::convolution": 2, "aten::_convolution": 2, "aten::relu": 2, "aten::flatten": 1, "aten::linear": 1}
CALLERS = {"aten::convolution": "aten::conv2d", "aten::_convolution": "aten::convolution"}
UNITS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


class Fault(Exception):
    """What a viewer would show wrongly."""


def require(condition, fault):
    if not condition:
        raise Fault(fault)


def calls_of(text):
    """The calls of a trace as (name, start, end), in nanoseconds and in the order of the file, all of one thread."""
    events = json.loads(text)["traceEvents"]
    require(events and events[0]["ph"] == "M" and events[0]["args"] == {"name": "net"}, "no title")
    calls = [event for event in events[1:] if event["ph"] == "X"]
    require(calls and len(calls) == len(events) - 1, "no calls, or something else")
    require({(call["pid"], call["tid"]) for call in calls} == {(1, 1)}, "more than one lane")
    return [(call["name"], round(call["ts"] * 1e3), round((call["ts"] + call["dur"]) * 1e3)) for call in calls]


def tabulate(calls):
    """{name: [self, total, calls]} and the caller of each call, as a viewer nests calls that come in the order of their starts."""
    rows, callers, stack = {}, [], []
    require([start for _, start, _ in calls] == sorted(start for _, start, _ in calls), "not in the order of their starts")
    for name, start, end in calls:
        require(end > start >= 0, f"{name} takes no time")
        while stack and stack[-1][2] <= start:
            stack.pop()
        require(not stack or (stack[-1][1] <= start and end <= stack[-1][2]), f"{name} ends after its caller")
        callers.append((name, stack[-1][0] if stack else None))
        row = rows.setdefault(name, [0, 0, 0])
        row[0] += end - start
        row[2] += 1
        if name not in {outer for outer, _, _ in stack}:
            row[1] += end - start
        if stack:
            rows[stack[-1][0]][0] -= end - start
        stack.append((name, start, end))
    return rows, callers


def check_trace(text):
    rows, callers = tabulate(calls_of(text))
    for name, calls in CALLS.items():
        require(name in rows, f"no {name}")
        require(rows[name][2] == calls, f"{rows[name][2]} calls of {name}")
    for name, caller in callers:
        require(CALLERS.get(name, caller) == caller, f"{name} is inside {caller}")
    return rows


def nanoseconds(text):
    value, unit = text.split()
    return float(value) * UNITS[unit]


def check_table(text, rows):
    head, *lines = text.splitlines()
    require(head.split() == ["self", "total", "calls", "operator"], "no head")
    table = [re.fullmatch(r" *([\d.]+ \w+) +([\d.]+ \w+) +(\d+)   (\S+)", line) for line in lines]
    require(all(table), "a line that is none of a table")
    require({line[4] for line in table} == set(rows) and len(table) == len(rows), "other operators than the trace has")
    for line in table:
        of_self, total, calls = rows[line[4]]
        require(int(line[3]) == calls, f"{line[3]} calls of {line[4]}, but {calls} in the trace")
        for told, traced in ((line[1], of_self), (line[2], total)):
            require(abs(nanoseconds(told) - traced) <= 1 + traced / 1000, f"{told} of {line[4]}, but {traced} ns in the trace")


def run(test, folder, *options):
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PERFSPEC_")}
    done = subprocess.run([PROGRAM, test, *options], cwd=folder, env=variables, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        print(done.stdout)
        sys.exit(77)
    return done


def result_of(path):
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    results = [line for line in lines if line["kind"] == "result"]
    require(len(results) == 1, f"{len(results)} results in {path}")
    return results[0]


def check_files(test, query, folder):
    """The files that a claim left, whose folder its advice names."""
    done = run(test, folder, "--perf-trace", "traces", "--perf-output", f"{test}.jsonl")
    print(done.stdout)
    require((done.returncode != 0) == (test == "violated"), f"{test} ended with {done.returncode}: {done.stderr}")
    of_claim = pathlib.Path(folder, "traces", pathlib.Path(PROGRAM).name, test, query, "1")
    require(sorted(p.name for p in of_claim.iterdir()) == ["net.operators.txt", "net.trace.json"], f"{list(of_claim.iterdir())}")
    advice = result_of(pathlib.Path(folder, f"{test}.jsonl"))["advice"]
    require(any(line.endswith(f"ui.perfetto.dev: {of_claim}") for line in advice), f"{advice} does not name {of_claim}")
    trace, table = (of_claim.joinpath(name).read_text(encoding="utf-8") for name in ("net.trace.json", "net.operators.txt"))
    rows = check_trace(trace)
    check_table(table, rows)


def check_shapes_and_libraries(folder):
    """Each convolution has a row of its own, and the libraries have what the operators have."""
    run("by shape", folder, "--perf-output", "shapes.jsonl")
    parts = result_of(pathlib.Path(folder, "shapes.jsonl"))["parts"]
    calls = {part["part"]: part["value"]["centre"] for part in parts if part["method"] == "calls"}
    for row in ("aten::conv2d [8,3,32,32] [16,3,3,3]", "aten::conv2d [8,16,32,32] [32,16,3,3]", "aten::linear [8,32768] [10,32768]"):
        require(calls.get(row) == 1, f"{calls.get(row)} calls of {row} in {calls}")
    libraries = {part["part"]: part["value"]["median"] for part in parts if part["mark"] == "library"}
    print(libraries)
    require("ATen, or a library that it does not name" in libraries, "no operators of ATen")
    require(("oneDNN" in libraries) == any(row.startswith("aten::mkldnn") for row in calls), "oneDNN is not where its operators are")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_shapes_and_libraries(folder)
        check_files("violated", "latency%28net%29", folder)
        check_files("profile", "profile%28net%29", folder)


main()
