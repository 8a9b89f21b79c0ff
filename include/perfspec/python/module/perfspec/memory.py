# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""How far one call drives up the memory of the process."""

from __future__ import annotations

import ctypes
import gc
import pathlib
import typing

from . import descendants
from .faults import Refusal

STATUS = pathlib.Path("/proc/self/status")
CLEAR = pathlib.Path("/proc/self/clear_refs")


def kibibytes(status: str, name: str) -> int | None:
    """`VmHWM:	    5120 kB` in bytes."""
    for line in status.splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    return None


def give_back_free() -> None:
    """Freed memory goes back to the system, where the C library is glibc; else a call may use it again unseen."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def call_alone(call: typing.Callable[[], typing.Any], traces: typing.Callable[[], object], compiled: typing.Callable[[], bool]) -> None:
    """Raises Refusal where child processes work in the call: the peak of their memory is not known, since a child begins with that of its parent."""
    try:
        before = traces()
        call()
        worked = traces() != before and not compiled()
    except descendants.Unknown as unknown:
        raise Refusal(f"the memory of child processes is not known: {unknown}", "unavailable") from None
    if worked:
        raise Refusal("child processes work in a call, and their memory is not counted: let the body do its work in this process", "unavailable")


def peak_of(call: typing.Callable[[], typing.Any], *, status: pathlib.Path = STATUS, clear: pathlib.Path = CLEAR,
            traces: typing.Callable[[], object] = descendants.traces, compiled: typing.Callable[[], bool] = lambda: False,
            await_rest: typing.Callable[[], object] = descendants.await_rest) -> int:
    """Bytes between what was resident before the call and the most that was during it.

    compiled    whether the call compiled, for which compilers are started: their memory is not that of the body
    await_rest  returns once child processes have ended what was asked of them before
    raises      Refusal where the system does not tell, or not of this call alone, and where child processes work in it
    """
    await_rest()
    give_back_free()
    try:
        before = kibibytes(status.read_text(), "VmHWM")
    except OSError:
        before = None
    if before is None:
        raise Refusal("this system does not report the memory of a process: /proc/self/status is needed")
    try:
        clear.write_text("5")
        was_reset = True
    except OSError:
        was_reset = False
    level = kibibytes(status.read_text(), "VmRSS") or 0
    call_alone(call, traces, compiled)
    peak = kibibytes(status.read_text(), "VmHWM") or 0
    if not was_reset and peak <= before:
        raise Refusal("the peak of memory is not known: /proc/self/clear_refs is not writable here, and the process was larger before")
    return max(0, peak - level)
