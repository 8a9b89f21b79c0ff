# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether a body did its work before it returned."""

from __future__ import annotations

import collections.abc
import concurrent.futures
import functools
import inspect
import io
import os
import pathlib
import threading
import time
import typing

from ..faults import Refusal

WINDOW = 0.01  # seconds
WINDOWS = 20
WINDOWS_OF_COMPILER = 500  # processes that torch.compile starts import torch, though nobody waits for them
QUEUED = 5_000_000  # nanoseconds
TRIES = 3
SHARE = 0.2  # of a window that others may run and count as quiet; on a loaded machine, whoever works gets no more than some of it
SHARE_OF_WAITING = 0.5  # that they may wait for a processor: who works, and gets none


def promise_in(returned: typing.Any) -> str:
    """What a body returned that stands for work to be done; empty for a result. Lists, tuples and dictionaries are looked into."""
    if isinstance(returned, dict):  # functions in it are a table of them
        return next((promise_in(each) for each in list(returned.values())[:100] if inspect.isawaitable(each) or is_future(each) or is_lazy(each)), "")
    if isinstance(returned, (list, tuple)):
        return next(filter(None, map(promise_in, returned[:100])), "") if not hasattr(returned, "_fields") else ""
    if inspect.iscoroutine(returned):
        returned.close()  # else Python warns that nobody awaited it
        return "a coroutine: run it to its end in the body, as by asyncio.run"
    if inspect.isawaitable(returned) or inspect.isasyncgen(returned):
        return f"something to await, {type(returned).__name__}: run it to its end in the body, as by asyncio.run"
    if is_lazy(returned):
        return f"a {type(returned).__name__}, which computes when it is read: make a list of it in the body"
    if is_plan(returned):
        return f"a {type(returned).__name__}, which is a plan of what to compute: return its result, as by collect() or compute()"
    if is_future(returned):
        return f"a {type(returned).__name__}: return its result, as by result() or wait()"
    if inspect.isroutine(returned) or isinstance(returned, functools.partial):
        return f"a function, {getattr(returned, '__name__', 'partial')}: call it in the body"
    return ""


def is_lazy(returned: typing.Any) -> bool:
    """Whether it makes its elements one by one, when they are read. A file does, and stands for no work."""
    return isinstance(returned, collections.abc.Iterator) and not isinstance(returned, io.IOBase)


def is_plan(returned: typing.Any) -> bool:
    """A query of Polars, or a collection of Dask: by their names, since neither is imported here."""
    return type(returned).__name__ == "LazyFrame" or hasattr(type(returned), "__dask_graph__")


def is_future(returned: typing.Any) -> bool:
    """Also one that is done: whether it was when the clock stopped, nobody knows."""
    if isinstance(returned, concurrent.futures.Future):
        return True
    methods = {each for each in ("done", "result", "wait", "value", "ready", "get") if callable(getattr(type(returned), each, None))}
    return {"done", "result"} <= methods or {"done", "wait", "value"} <= methods or {"ready", "get", "wait"} <= methods


def require_result(returned: typing.Any) -> None:
    if promise := promise_in(returned):
        raise Refusal(f"nothing has run yet: the body returned {promise}", "body_threw")


def others_time() -> int:
    """Nanoseconds of processor time of all threads but this one, and of child processes."""
    return time.process_time_ns() - time.thread_time_ns() + sum(filter(None, map(time_of, children())))


def others_delay() -> int:
    """Nanoseconds that all threads but this one, and child processes, have waited for a processor; 0 where the system does not tell. A thread of Python
    seldom waits when this one looks, since this one then holds the lock that both need."""
    own = threading.get_native_id()
    threads = [each for each in pathlib.Path("/proc/self/task").glob("*/schedstat") if each.parent.name != str(own)]
    return sum(delay_in(each) for each in (*threads, *(pathlib.Path(f"/proc/{child}/schedstat") for child in children())))


def delay_in(file: pathlib.Path) -> int:
    """The second number of a file schedstat; 0 of a thread that ended."""
    try:
        return int(file.read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0


def others_wait() -> bool:
    """Whether another thread, or a child process, would run if it got a processor: on a busy machine it may not get one for some windows."""
    own = {f"/proc/self/task/{threading.get_native_id()}/stat"}
    threads = {str(each) for each in pathlib.Path("/proc/self/task").glob("*/stat")} - own
    return any(state_of(each) == "R" for each in (*threads, *(f"/proc/{child}/stat" for child in children())))


def state_of(file: str) -> str:
    """The letter of /proc/PID/stat; empty of one that ended."""
    try:
        return pathlib.Path(file).read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""


def children(process: str = "self") -> list[int]:
    """Child processes that run, and theirs; empty where the system does not tell."""
    found = []
    for file in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += [int(each) for each in file.read_text().split()]
        except OSError:  # the thread ended
            continue
    running = [each for each in found if time_of(each) is not None]
    return running + [each for child in running for each in children(str(child))]


def time_of(process: int) -> int | None:
    """Nanoseconds that a process ran; None of one that ended."""
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    if state[0] in "ZX":
        return None
    ticks = (int(state[11]) + int(state[12])) * (1_000_000_000 // os.sysconf("SC_CLK_TCK"))
    try:
        return max(ticks, int(pathlib.Path(f"/proc/{process}/schedstat").read_text().split()[0]))  # finer, of one thread
    except (OSError, ValueError, IndexError):
        return ticks


class Watch:
    """Looks for work that goes on. Made before a call, asked after it."""

    def __init__(self, *, spent=others_time, sleep=time.sleep, running=lambda: (threading.enumerate(), children()), wait=others_wait,
                 delay=others_delay) -> None:
        self.spent, self.sleep, self.running, self.wait, self.delay = spent, sleep, running, wait, delay
        self.threads, self.processes = map(set, running())
        self.ran_on = 0  # nanoseconds that others ran after the call

    def left_over(self, windows: int = WINDOWS) -> str:
        """What goes on; empty for nothing. Idle threads of OpenMP spin some milliseconds after a parallel region, so it waits until all is quiet."""
        threads, processes = (set(each) - known for each, known in zip(self.running(), (self.threads, self.processes)))
        quiet = self.is_quiet(windows)
        alive, there = map(set, self.running())
        if gone := threads - alive:
            return f"the thread {gone.pop().name} ended after the body returned: join threads in the body"
        if processes - there:
            return "a child process ended after the body returned: wait for it in the body"
        return "" if quiet else "work goes on after the body returned: join threads in the body, and wait for child processes"

    def is_quiet(self, windows: int = WINDOWS) -> bool:
        if os.environ.get("OMP_WAIT_POLICY", "").lower() == "active":
            return True  # then idle threads spin without end, and look like work
        quiet = 0
        for _ in range(windows):
            before, delayed_before = self.spent(), self.delay()
            self.sleep(WINDOW)
            spent, delayed = self.spent() - before, self.delay() - delayed_before
            self.ran_on += max(0, spent)
            is_at_work = spent >= WINDOW * 1e9 * SHARE or delayed >= WINDOW * 1e9 * SHARE_OF_WAITING or self.wait()
            quiet = 0 if is_at_work else quiet + 1
            if quiet == 2:  # the time of a process is counted in steps as long as a window
                return True
        return False

    def require_rest(self, *, compiled: bool) -> None:
        if text := self.left_over(WINDOWS_OF_COMPILER if compiled else WINDOWS):
            raise Refusal(text, "body_threw")


def may_be_queued(ran_on: int, after_one: int) -> bool:
    """Whether others ran on after many calls for so much longer than after one that calls may have queued work. Nanoseconds. Idle threads of a
    library may spin for some milliseconds after the last call, and not always equally long: so whoever asks, asks again."""
    return ran_on > 3 * after_one + QUEUED


def require_nothing_queued(ran_on_after: typing.Callable[[int], int | None], calls: int) -> None:
    """ran_on_after  calls the body so many times: nanoseconds that others ran on afterwards, or None where they did not come to an end"""
    after_one = 0
    for _ in range(TRIES):
        after_one = max(after_one, ran_on_after(1) or 0)
        ran_on = ran_on_after(calls)
        if ran_on is None:
            break
        if not may_be_queued(ran_on, after_one):
            return
    raise Refusal(f"work piles up while the body is called: after {calls} calls other threads or processes ran on for "
                  f"{f'{ran_on / 1e6:.0f} ms' if ran_on else 'more than 200 ms'}, after one for {after_one / 1e6:.0f} ms: "
                  f"take the results of futures in the body, join threads, and wait for child processes", "body_threw")
