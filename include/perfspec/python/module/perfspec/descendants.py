# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Processor time of the child processes of a body, and of their children."""

from __future__ import annotations

import os
import pathlib
import resource
import signal
import time
import typing

CPU_CLOCK = 2  # Linux's number of a process's clock: all threads, also those that ended
SECONDS_FOR_REST, SECONDS_BETWEEN_POLLS = 0.5, 0.002


class Unknown(Exception):
    """The system does not tell the times of child processes."""


def has_children() -> bool:
    """Whether this process has children that it has not waited for. Waits for none."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def children_of(process: str) -> list[int]:
    """Children that the process has not waited for, ended or not."""
    children = []
    for file in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children += [int(each) for each in file.read_text().split()]
        except OSError:  # the thread ended
            continue
    return children


def clock_of(process: int) -> int:
    """Nanoseconds of a process and of the children that it waited for."""
    try:
        own = time.clock_gettime_ns((~process << 3) | CPU_CLOCK)
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended, and its parent has waited for it
        return 0
    return own + (int(fields[13]) + int(fields[14])) * (1_000_000_000 // os.sysconf("SC_CLK_TCK"))


def descendants_of(process: str = "self") -> list[int]:
    """Children of the process, and their children."""
    children = children_of(process)
    return children + [each for child in children for each in descendants_of(str(child))]


def time_of_children() -> int:
    """Nanoseconds of processor time of all child processes so far, also of those that still run. Raises Unknown if the system does not tell it."""
    if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:
        raise Unknown("SIGCHLD is ignored, so the system does not keep the time of child processes")
    waited_for = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = round((waited_for.ru_utime + waited_for.ru_stime) * 1e9)
    if not has_children():
        return total
    running = descendants_of()
    if not running:
        raise Unknown("this system does not list the child processes of a process")
    return total + sum(map(clock_of, running))


def traces() -> tuple[object, ...]:
    """Numbers that change when a child process works, or is waited for. Raises Unknown like `time_of_children`."""
    return time_of_children(), *resource.getrusage(resource.RUSAGE_CHILDREN)


def state_of(file: str) -> str:
    """The letter of /proc/PID/stat; empty for a process that ended."""
    try:
        return pathlib.Path(file).read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""


def is_runnable(process: int) -> bool:
    """Whether one of its threads runs or waits for a processor."""
    return any(state_of(str(each)) == "R" for each in pathlib.Path(f"/proc/{process}/task").glob("*/stat"))


def await_rest(*, any_runnable: typing.Callable[[], bool] = lambda: any(map(is_runnable, descendants_of())), sleep: typing.Callable[[float], object] = time.sleep,
               now: typing.Callable[[], float] = time.monotonic) -> None:
    """Returns once no child process is runnable, or after half a second. A pool still runs for a moment after its answer, on a busy machine into the
    next call, to which that work does not belong."""
    end = now() + SECONDS_FOR_REST
    while any_runnable() and now() < end:
        sleep(SECONDS_BETWEEN_POLLS)
