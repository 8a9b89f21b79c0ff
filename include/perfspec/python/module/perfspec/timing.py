# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Times calls of a body."""

from __future__ import annotations

import dis
import gc
import inspect
import os
import time
import typing

from . import descendants

# Operations of Python's bytecode that compute nothing.
IDLE = ("LOAD_CONST", "LOAD_SMALL_INT", "LOAD_FAST", "STORE_FAST", "LOAD_DEREF", "LOAD_GLOBAL", "LOAD_CLOSURE",
        "RETURN_", "RESUME", "COPY_FREE_VARS", "NOP", "CACHE")


CALLS: list[None] = []  # one entry per call of a sample; a child process that the body forks makes no further calls
os.register_at_fork(after_in_child=CALLS.clear)


class Clock(typing.NamedTuple):
    """Clocks in nanoseconds: wall time, processor time of all threads, and processor time of child processes."""

    wall: typing.Callable[[], int] = time.perf_counter_ns
    cpu: typing.Callable[[], int] = time.process_time_ns
    of_children: typing.Callable[[], int] = descendants.time_of_children


class Sample(typing.NamedTuple):
    """Times of all calls together."""

    elapsed_ns: int
    cpu_ns: int | None  # None: unknown
    returned: typing.Any = None  # result of the last call, if it was kept
    why_no_cpu: str = ""


def call_repeatedly(body: typing.Callable, calls: list[None]) -> None:
    """Calls the body once for each entry of the list."""
    for _ in calls:
        body()


def call_and_keep(body: typing.Callable, calls: list[None]) -> typing.Any:
    returned = None
    for _ in calls:
        returned = body()
    return returned


def time_of_children(clock: Clock) -> tuple[int | None, str]:
    """Nanoseconds so far, or None and the reason."""
    try:
        return clock.of_children(), ""
    except descendants.Unknown as unknown:
        return None, str(unknown)


def take_sample(body: typing.Callable, iterations: int, *, waits: typing.Sequence[typing.Callable[[], None]] = (),
                clock: Clock = Clock(), keep: bool = False) -> Sample:
    """Calls the body `iterations` times, with Python's garbage collector off.

    waits  functions that wait for a device, before the clock starts and before it stops
    keep   keeps the result of the last call, for the price of one assignment a call
    """
    call = call_and_keep if keep else call_repeatedly
    CALLS[:] = [None] * iterations
    process = os.getpid()
    had_collector = gc.isenabled()
    gc.disable()
    try:
        for wait in waits:
            wait()
        children, _ = time_of_children(clock)  # before the clocks start, because it may take time
        cpu = clock.cpu()
        wall = clock.wall()
        returned = call(body, CALLS)
        for wait in waits:
            wait()
        elapsed = clock.wall() - wall
        cpu = clock.cpu() - cpu
        children_now, why = time_of_children(clock)
        known = children is not None and children_now is not None
        return Sample(elapsed, cpu + max(0, children_now - children) if known else None, returned, why)
    finally:
        if os.getpid() != process:
            os._exit(0)  # a child returned from the body that forked it
        if had_collector:
            gc.enable()


def computes_nothing(body: typing.Callable) -> bool:
    """Whether the body is a function of Python that only returns a value: `lambda: y`, or `pass`. Fast, because each sample checks it.

    An operation has two bytes; the first is its number.
    """
    return inspect.isfunction(body) and all(dis.opname[each].startswith(IDLE) for each in body.__code__.co_code[::2])


def freeze_garbage() -> None:
    """After loading: exempts all present objects from garbage collection."""
    gc.collect()
    gc.freeze()
