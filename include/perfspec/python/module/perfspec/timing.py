# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Time of some calls of a body."""

from __future__ import annotations

import dis
import gc
import inspect
import os
import time
import typing

from . import descendants

# Operations of Python's compiled code that compute nothing: a function of only these returns what it holds.
IDLE = ("LOAD_CONST", "LOAD_SMALL_INT", "LOAD_FAST", "STORE_FAST", "LOAD_DEREF", "LOAD_GLOBAL", "LOAD_CLOSURE",
        "RETURN_", "RESUME", "COPY_FREE_VARS", "NOP", "CACHE")


OWED: list[None] = []  # one for each call that a sample still makes; a child process that the body forks owes none
os.register_at_fork(after_in_child=OWED.clear)


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


def call_repeatedly(body: typing.Callable, owed: list[None]) -> None:
    """Calls the body once for each entry of the list."""
    for _ in owed:
        body()


def call_and_keep(body: typing.Callable, owed: list[None]) -> typing.Any:
    returned = None
    for _ in owed:
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
    OWED[:] = [None] * iterations
    process = os.getpid()
    collected = gc.isenabled()
    gc.disable()
    try:
        for wait in waits:
            wait()
        children, _ = time_of_children(clock)  # before the clocks start, because it takes time where there are some
        cpu = clock.cpu()
        wall = clock.wall()
        returned = calls(body, OWED)
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
        if collected:
            gc.enable()


def computes_nothing(body: typing.Callable) -> bool:
    """Whether the body is a function of Python that only returns what it holds: `lambda: y`, or `pass`.

    Each sample checks it, so it stops at the first operation that computes. An operation is two bytes, of which the first is its number.
    """
    return inspect.isfunction(body) and all(dis.opname[each].startswith(IDLE) for each in body.__code__.co_code[::2])


def freeze_garbage() -> None:
    """After loading: what was made until now is never looked at again by the collector."""
    gc.collect()
    gc.freeze()
