# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""By how much one call raises the memory of the process."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import pathlib
import re
import typing

from . import timing
from .faults import Refusal

STATUS = pathlib.Path("/proc/self/status")
CLEAR = pathlib.Path("/proc/self/clear_refs")


def bytes_in(status: pathlib.Path, name: str) -> int | None:
    """`VmHWM:	    5120 kB` in bytes."""
    with contextlib.suppress(OSError):
        found = re.search(rf"^{name}:\s*(\d+)", status.read_text(), re.MULTILINE)
        return int(found[1]) * 1024 if found else None


def call_alone(call: typing.Callable[[], typing.Any], traces: typing.Callable[[], object], compiled: typing.Callable[[], bool]) -> None:
    """Raises Refusal if child processes work in the call: the peak of their memory is not known, since a child starts with that of its parent."""
    try:
        before = traces()
        call()
        worked = traces() != before and not compiled()
    except timing.Unknown as unknown:
        raise Refusal(f"the memory of child processes is not known: {unknown}", "unavailable") from None
    if worked:
        raise Refusal("child processes work in a call, but their memory is not counted: let the body do its work in this process", "unavailable")


def peak_of(call: typing.Callable[[], typing.Any], *, status: pathlib.Path = STATUS, clear: pathlib.Path = CLEAR,
            traces: typing.Callable[[], object] = timing.traces, compiled: typing.Callable[[], bool] = lambda: False,
            await_rest: typing.Callable[[], object] = timing.await_rest) -> int:
    """Bytes by which the resident memory rises in the call at most. Raises Refusal if the system does not tell it, and if child
    processes work in it, unless they are compilers that the call started."""
    await_rest()
    gc.collect()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):  # otherwise a call may use freed memory again unseen
        trim(0)
    if (before := bytes_in(status, "VmHWM")) is None:
        raise Refusal("perfspec cannot read the memory of this process, because this system has no /proc/self/status")
    was_reset = False
    with contextlib.suppress(OSError):
        was_reset = bool(clear.write_text("5"))
    resident = bytes_in(status, "VmRSS") or 0
    call_alone(call, traces, compiled)
    peak = bytes_in(status, "VmHWM") or 0
    if not was_reset and peak <= before:
        raise Refusal("the peak of memory is unknown, because the process was larger before, and /proc/self/clear_refs, which resets its peak, is not writable here")
    return max(0, peak - resident)
