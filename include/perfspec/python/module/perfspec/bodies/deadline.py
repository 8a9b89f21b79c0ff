# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""An end for a call that may never end: of a body, for instance, that searches for a value which is destroyed now."""

from __future__ import annotations

import contextlib
import signal
import threading
import typing


class TooLong(BaseException):
    """No Exception, so that a body that catches those ends, too."""


def stop(*_: object) -> None:
    raise TooLong("it goes on for too long")


@contextlib.contextmanager
def within(seconds: float) -> typing.Iterator[None]:
    """Raises TooLong in this block after so many seconds. Code in C ends first. Without effect where the system has no such timer, in another thread than
    the first, and where the user's own timer runs."""
    can = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread() and signal.getitimer(signal.ITIMER_REAL)[0] == 0
    if not can:
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)
