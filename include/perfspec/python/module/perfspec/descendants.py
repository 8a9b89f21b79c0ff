# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Processor time of the processes that a body starts, and of theirs."""

from __future__ import annotations

import os
import pathlib
import resource
import signal
import time
import typing

CPU_CLOCK = 2  # of a process, as Linux numbers its clocks: all threads, those that ended included
SECONDS_FOR_REST, SECONDS_BETWEEN_LOOKS = 0.5, 0.002


class Unknown(Exception):
    """The system does not tell what the child processes of this one do."""


def there_are_any() -> bool:
    """Whether this process has children, waited for or not. None is waited for here."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def children_of(process: str) -> list[int]:
    """Those that this process has not waited for, ended or not."""
    found = []
    for file in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += [int(each) for each in file.read_text().split()]
        except OSError:  # the thread ended
            continue
    return found


def clock_of(process: int) -> int:
    """Nanoseconds that a process ran, and the children that it waited for."""
    try:
        own = time.clock_gettime_ns((~process << 3) | CPU_CLOCK)
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended meanwhile, and is waited for
        return 0
    return own + (int(fields[13]) + int(fields[14])) * (1_000_000_000 // os.sysconf("SC_CLK_TCK"))


def living(process: str = "self") -> list[int]:
    """Children of this process, and theirs."""
    found = children_of(process)
    return found + [each for child in found for each in living(str(child))]


def time_of_children() -> int:
    """Nanoseconds of processor time of all child processes so far, of those that were waited for and of those that run on.

    raises  Unknown where the system does not tell
    """
    if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:
        raise Unknown("SIGCHLD is ignored, so the system does not keep the time of child processes")
    waited_for = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = round((waited_for.ru_utime + waited_for.ru_stime) * 1e9)
    if not there_are_any():
        return total
    running = living()
    if not running:
        raise Unknown("this system does not list the child processes of a process")
    return total + sum(map(clock_of, running))


def traces() -> tuple[object, ...]:
    """Changes when a child process works, or is waited for. Raises Unknown where the system does not tell."""
    return time_of_children(), *resource.getrusage(resource.RUSAGE_CHILDREN)


def state_of(file: str) -> str:
    """The letter of /proc/PID/stat; empty of one that ended."""
    try:
        return pathlib.Path(file).read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""


def is_runnable(process: int) -> bool:
    """Whether one of its threads runs, or would if it got a processor."""
    return any(state_of(str(each)) == "R" for each in pathlib.Path(f"/proc/{process}/task").glob("*/stat"))


def await_rest(*, any_runnable: typing.Callable[[], bool] = lambda: any(map(is_runnable, living())), sleep: typing.Callable[[float], object] = time.sleep,
               now: typing.Callable[[], float] = time.monotonic) -> None:
    """Returns once no child process is runnable, or after half a second. A pool that gave its answer still has to go back to waiting for work, and on a
    busy machine it may do so in the next call, whose work that is not."""
    end = now() + SECONDS_FOR_REST
    while any_runnable() and now() < end:
        sleep(SECONDS_BETWEEN_LOOKS)
