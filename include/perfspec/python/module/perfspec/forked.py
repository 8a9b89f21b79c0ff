# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Child processes that a body forks, and that return from it as if they were the worker: `lambda: os.fork()`.

Each would call the body as often as its parent still does, and fork again: 2 processes, 4, 8, ….
"""

from __future__ import annotations

import mmap
import os
import typing

from .faults import Refusal

MAX_SUBJECTS = 1 << 12  # with a place each


class Children:
    """Whether one returned: it says so in memory that it shares with its parent, in a place of its subject, and ends. It may be so late that its
    parent is at another subject by then."""

    def __init__(self, leave: typing.Callable[[int], typing.Any] = os._exit) -> None:
        self.leave = leave
        self.calls: list[None] = []  # one entry for each call of the sample that is taken
        self.is_child = False
        self.places: dict[str, int] = {}
        self.place = 0  # of the subject whose code runs
        self.returned = mmap.mmap(-1, MAX_SUBJECTS)

    def begin(self, subject: str) -> None:
        """From now on the code of this subject runs."""
        self.place = self.places.setdefault(subject, len(self.places) % MAX_SUBJECTS)

    def owed(self, iterations: int) -> list[None]:
        """The calls of a sample, to loop over. In each child the list becomes empty, which ends the loop; nothing is asked within it."""
        self.calls = [None] * iterations
        return self.calls

    def begin_child(self) -> None:
        """Call it in each child, as it begins."""
        self.is_child = True
        self.calls.clear()

    def end_child(self) -> None:
        """Ends this process where it is a child. It is called where the code of users has returned."""
        if self.is_child:
            self.returned[self.place] = 1
            self.leave(0)

    def require_none(self) -> None:
        """Raises Refusal where one returned from code of the subject that runs now."""
        if self.returned[self.place]:
            raise Refusal("a child process returned from the code that forked it: end it there by os._exit(0), and wait for it by os.waitpid", "body_threw")


children = Children()
