# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Times calls of a body, also of its child processes and theirs."""

from __future__ import annotations

import dis
import gc
import glob
import inspect
import os
import pathlib
import resource
import signal
import threading
import time
import typing

# Operations of Python's bytecode that compute nothing.
IDLE = ("LOAD_CONST", "LOAD_SMALL_INT", "LOAD_FAST", "STORE_FAST", "LOAD_DEREF", "LOAD_GLOBAL", "LOAD_CLOSURE",
        "RETURN_", "RESUME", "COPY_FREE_VARS", "NOP", "CACHE")
CPU_CLOCK = 2  # Linux's number of a process's clock: all threads, also those that ended
SECONDS_FOR_REST, SECONDS_BETWEEN_POLLS = 0.5, 0.002
CALLS: list[None] = []  # one entry per call of a sample; a child process that the body forks makes no further calls
os.register_at_fork(after_in_child=CALLS.clear)


def times_of_threads() -> tuple[int, int]:
    """How long threads of this process waited for a processor so far, and how long others than this one ran: by Linux's schedstat."""
    waited, ran, own = 0, 0, str(threading.get_native_id())
    for path in glob.iglob("/proc/self/task/*/schedstat"):
        try:
            with open(path, "rb", buffering=0) as file:
                times = [int(number) for number in file.read().split()]
            waited += times[1]
            ran += times[0] if path.split("/")[4] != own else 0
        except (OSError, IndexError):  # the thread ended, or the system does not count it
            continue
    return waited, ran


def switches_of_thread() -> tuple[int, int]:
    """How often the system took the processor from this thread, and how often the thread waited for something else."""
    used = resource.getrusage(resource.RUSAGE_THREAD)
    return used.ru_nivcsw, used.ru_nvcsw


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


class Clock(typing.NamedTuple):
    """Clocks in nanoseconds: wall time, processor time of all threads and of this one, processor time of child processes, and the times for which threads
    waited and ran; and the switches of this thread."""

    wall: typing.Callable[[], int] = time.perf_counter_ns
    cpu: typing.Callable[[], int] = time.process_time_ns
    of_children: typing.Callable[[], int] = time_of_children
    of_thread: typing.Callable[[], int] = time.thread_time_ns
    threads: typing.Callable[[], tuple[int, int]] = times_of_threads
    switches: typing.Callable[[], tuple[int, int]] = switches_of_thread


class Use(typing.NamedTuple):
    """What a sample used of the processors (processor_use.hpp)."""

    own_ns: int = 0  # processor time of this thread
    others_ns: int = 0  # of other threads and of child processes
    waited_ns: int = 0  # of all threads, for a processor
    interruptions: int = 0  # of this thread
    blocks: int = 0  # of this thread: it waited for something else
    ended_ns: int = 0  # of others_ns, of threads that may have ended: how long these waited is unknown

    def is_of_one_computing_thread(self) -> bool:
        """A thread that spins until a waiting one is done has most of the processor time, too."""
        return not self.blocks and (self.others_ns <= 10_000 or (not self.waited_ns and self.others_ns * 20 <= self.own_ns))


class Sample(typing.NamedTuple):
    """Times of all calls together."""

    elapsed_ns: int
    cpu_ns: int | None  # None: unknown
    returned: typing.Any = None  # result of the last call, if it was kept
    why_no_cpu: str = ""
    use: Use = Use()


def call_repeatedly(body: typing.Callable, calls: list[None]) -> None:
    """Calls the body once for each entry of the list."""
    for _ in calls:
        body()


def call_and_keep(body: typing.Callable, calls: list[None]) -> typing.Any:
    returned = None
    for _ in calls:
        returned = body()
    return returned


def children_by(clock: Clock) -> tuple[int | None, str]:
    """Nanoseconds so far, or None and the reason."""
    try:
        return clock.of_children(), ""
    except Unknown as unknown:
        return None, str(unknown)


def take_sample(body: typing.Callable, iterations: int, *, waits: typing.Sequence[typing.Callable[[], None]] = (),
                clock: Clock = Clock(), keep: bool = False, meters_waiting: bool = True) -> Sample:
    """Calls the body `iterations` times, with Python's garbage collector off.

    waits  functions that wait for a device, before the clock starts and before it stops
    keep   keeps the result of the last call, for the price of one assignment a call
    meters_waiting  looks up how long threads wait, which takes some 20 us for each thread, before and after the sample
    """
    call = call_and_keep if keep else call_repeatedly
    CALLS[:] = [None] * iterations
    process = os.getpid()
    had_collector = gc.isenabled()
    gc.disable()
    try:
        for wait in waits:
            wait()
        children, _ = children_by(clock)  # before the clocks start, because it may take time
        waited, ran = clock.threads() if meters_waiting else (0, 0)
        interruptions, blocks = clock.switches()
        earlier = clock.of_thread()  # the clock of the process is read between two of the thread's: what lies between them is no work of others
        cpu = clock.cpu()
        own = clock.of_thread()
        wall = clock.wall()
        returned = call(body, CALLS)
        for wait in waits:
            wait()
        elapsed = clock.wall() - wall
        own = clock.of_thread() - own
        cpu = clock.cpu() - cpu
        of_thread = clock.of_thread() - earlier
        interruptions_now, blocks_now = clock.switches()
        waited_now, ran_now = clock.threads() if meters_waiting else (0, 0)
        children_now, why = children_by(clock)
        known = children is not None and children_now is not None
        cpu += max(0, children_now - children) if known else 0
        blocks = blocks_now - blocks + bool(waits)  # a device goes on while this thread is interrupted
        others = max(0, cpu - of_thread)
        ended = max(0, others - max(0, ran_now - ran)) if meters_waiting else 0
        use = Use(own, others, max(0, waited_now - waited), interruptions_now - interruptions, blocks, ended)
        return Sample(elapsed, cpu if known else None, returned, why, use)
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
