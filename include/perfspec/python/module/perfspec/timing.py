# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Time of some calls of a body."""

from __future__ import annotations

import gc
import inspect
import time
import timeit
import typing

from . import descendants
from .forked import children as forked

CALLS, BATCHES = 300, 100  # of a body beside a function that returns what it holds: some two milliseconds
MARGIN = 1.05  # such functions differ by 2 %; reading an entry of a dictionary takes 13 to 25 % longer, by the version of Python


class Clock(typing.NamedTuple):
    """Where times come from, in nanoseconds: wall time, processor time of all threads, and that of child processes."""

    wall: typing.Callable[[], int] = time.perf_counter_ns
    cpu: typing.Callable[[], int] = time.process_time_ns
    of_children: typing.Callable[[], int] = descendants.time_of_children


class Sample(typing.NamedTuple):
    """Both around all calls together."""

    elapsed_ns: int
    cpu_ns: int | None  # None: nobody knows
    returned: typing.Any = None  # by the last call, where it was kept
    why_no_cpu: str = ""


def call_repeatedly(body: typing.Callable, owed: list[list[None]]) -> None:
    """Calls the body once for each entry of the lists."""
    for some in owed:
        for _ in some:
            body()


def call_and_keep(body: typing.Callable, owed: list[list[None]]) -> typing.Any:
    returned = None
    for some in owed:
        for _ in some:
            returned = body()
    return returned


def time_of_children(clock: Clock) -> tuple[int | None, str]:
    """Nanoseconds so far, or None and why the system does not tell."""
    try:
        return clock.of_children(), ""
    except descendants.Unknown as unknown:
        return None, str(unknown)


def take_sample(body: typing.Callable, iterations: int, *, waits: typing.Sequence[typing.Callable[[], None]] = (),
                clock: Clock = Clock(), keep: bool = False) -> Sample:
    """Calls the body so many times. Python's garbage collector does not run within.

    waits  each waits until a device is done: before the clock starts, and before it stops
    keep   what the last call returned is kept, for the price of one assignment a call
    """
    calls = call_and_keep if keep else call_repeatedly
    owed = forked.owed(iterations)
    collected = gc.isenabled()
    gc.disable()
    try:
        for wait in waits:
            wait()
        children, _ = time_of_children(clock)  # before the clocks start, because it takes time where there are some
        cpu = clock.cpu()
        wall = clock.wall()
        returned = calls(body, owed)
        for wait in waits:
            wait()
        elapsed = clock.wall() - wall
        cpu = clock.cpu() - cpu
        children_now, why = time_of_children(clock)
        known = children is not None and children_now is not None
        return Sample(elapsed, cpu + max(0, children_now - children) if known else None, returned, why)
    finally:
        forked.end_child()
        if collected:
            gc.enable()


def looks_idle(body: typing.Callable, timer: typing.Callable[[], float] = timeit.default_timer) -> bool:
    """Whether short calls take no longer than those of a function that returns what it holds, by the fastest of batches of both in turn.

    A body that is no function of Python is never idle: calls of C code take less.
    """
    if not inspect.isfunction(body):
        return False
    timers = [timeit.Timer(each, timer=timer) for each in (body, returning(None))]
    fastest, least = map(min, zip(*([each.timeit(CALLS) for each in timers] for _ in range(BATCHES))))
    return fastest < MARGIN * least


def returning(held: object) -> typing.Callable[[], object]:
    return lambda: held


def freeze_garbage() -> None:
    """After loading: what was made until now is never looked at again by the collector."""
    gc.collect()
    gc.freeze()
