# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether a body did its work before it returned."""

from __future__ import annotations

import concurrent.futures
import functools
import inspect
import os
import pathlib
import threading
import time
import typing

from .faults import Refusal

LAZY = (map, filter, zip)
WINDOW = 0.01  # seconds
WINDOWS = 20
WINDOWS_OF_COMPILER = 500  # processes that torch.compile starts import torch, though nobody waits for them
SHARE = 0.2  # of a window that others may run and count as quiet; on a loaded machine, whoever works gets no more than some of it


def promise_in(returned: typing.Any) -> str:
    """What a body returned that stands for work to be done; empty for a result. Lists and tuples are looked into."""
    if isinstance(returned, (list, tuple)):
        return next(filter(None, map(promise_in, returned[:100])), "") if not hasattr(returned, "_fields") else ""
    if inspect.iscoroutine(returned):
        returned.close()  # else Python warns that nobody awaited it
        return "a coroutine: run it to its end in the body, as by asyncio.run"
    if inspect.isawaitable(returned) or inspect.isasyncgen(returned):
        return f"something to await, {type(returned).__name__}: run it to its end in the body, as by asyncio.run"
    if inspect.isgenerator(returned) or isinstance(returned, LAZY):
        return f"a {type(returned).__name__}, which computes when it is read: make a list of it in the body"
    if is_future(returned):
        return f"a {type(returned).__name__}: return its result, as by result() or wait()"
    if inspect.isroutine(returned) or isinstance(returned, functools.partial):
        return f"a function, {getattr(returned, '__name__', 'partial')}: call it in the body"
    return ""


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


def state_of(task: pathlib.Path) -> str:
    """The letter of its state: R of one that runs or waits for a processor, D of one that waits for a disk; empty of one that ended."""
    try:
        return (task / "stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""


def others_at_work() -> bool:
    """Whether another thread, or a child process, wants to run. On a busy machine it may only wait for a processor, which takes no time of one."""
    own = str(threading.get_native_id())
    threads = [task for task in pathlib.Path("/proc/self/task").glob("*") if task.name != own]
    processes = [pathlib.Path(f"/proc/{child}") for child in children()]
    return any(state_of(task) in ("R", "D") for task in threads + processes)


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

    def __init__(self, *, spent=others_time, at_work=others_at_work, sleep=time.sleep, running=lambda: (threading.enumerate(), children())) -> None:
        self.spent, self.at_work, self.sleep, self.running = spent, at_work, sleep, running
        self.threads, self.processes = map(set, running())

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

    def is_quiet(self, windows: int) -> bool:
        if os.environ.get("OMP_WAIT_POLICY", "").lower() == "active":
            return True  # then idle threads spin without end, and look like work
        quiet = 0
        for _ in range(windows):
            before = self.spent()
            self.sleep(WINDOW)
            quiet = quiet + 1 if self.spent() - before < WINDOW * 1e9 * SHARE and not self.at_work() else 0
            if quiet == 2:  # the time of a process is counted in steps as long as a window
                return True
        return False

    def require_rest(self, *, compiled: bool) -> None:
        if text := self.left_over(WINDOWS_OF_COMPILER if compiled else WINDOWS):
            raise Refusal(text, "body_threw")
