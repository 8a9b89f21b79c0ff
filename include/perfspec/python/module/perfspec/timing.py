# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Time of some calls of a body."""

from __future__ import annotations

import gc
import itertools
import time
import typing


class Clock(typing.NamedTuple):
    """Where times come from, in nanoseconds: wall time, and processor time of all threads."""

    wall: typing.Callable[[], int] = time.perf_counter_ns
    cpu: typing.Callable[[], int] = time.process_time_ns


class Sample(typing.NamedTuple):
    """Both around all calls together."""

    elapsed_ns: int
    cpu_ns: int
    returned: typing.Any = None  # by the last call, where it was kept


def call_repeatedly(body: typing.Callable, iterations: int) -> None:
    for _ in itertools.repeat(None, iterations):
        body()


def call_and_keep(body: typing.Callable, iterations: int) -> typing.Any:
    returned = None
    for _ in itertools.repeat(None, iterations):
        returned = body()
    return returned


def take_sample(body: typing.Callable, iterations: int, *, waits: typing.Sequence[typing.Callable[[], None]] = (),
                clock: Clock = Clock(), keep: bool = False) -> Sample:
    """Calls the body so many times. Python's garbage collector does not run within.

    waits  each waits until a device is done: before the clock starts, and before it stops
    keep   what the last call returned is kept, for the price of one assignment a call
    """
    calls = call_and_keep if keep else call_repeatedly
    collected = gc.isenabled()
    gc.disable()
    try:
        for wait in waits:
            wait()
        cpu = clock.cpu()
        wall = clock.wall()
        returned = calls(body, iterations)
        for wait in waits:
            wait()
        elapsed = clock.wall() - wall
        return Sample(elapsed, clock.cpu() - cpu, returned)
    finally:
        if collected:
            gc.enable()


def freeze_garbage() -> None:
    """After loading: what was made until now is never looked at again by the collector."""
    gc.collect()
    gc.freeze()
