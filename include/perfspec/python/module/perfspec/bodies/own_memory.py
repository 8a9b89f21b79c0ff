# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Which memory may be written to for a look, and restored: not what is read-only, and not a file that is mapped, which would be changed on disk."""

from __future__ import annotations

import bisect
import typing

NO_FILES = ("/dev/", "/memfd:", "/SYSV")  # shared memory that is no file of the user's


class OwnMemory:
    """The memory of this process, as /proc tells it now."""

    def __init__(self, lines: typing.Iterable[str]) -> None:
        ranges = sorted(read(line) for line in lines if line.strip())
        self.begins = [begin for begin, _, _ in ranges]
        self.ranges = ranges

    def may_be_written(self, address: int) -> bool:
        """Also where nothing is known: on systems without /proc."""
        at = bisect.bisect_right(self.begins, address) - 1
        if not self.ranges or at < 0 or address >= self.ranges[at][1]:
            return not self.ranges
        return self.ranges[at][2]


def read(line: str) -> tuple[int, int, bool]:
    """`7f12-7f34 rw-p 00000000 00:00 0 [heap]`: begin, end, and whether it may be written."""
    words = line.split(None, 5)
    begin, end = (int(each, 16) for each in words[0].split("-"))
    path = words[5].strip() if len(words) > 5 else ""
    is_file = words[1][3] == "s" and path != "" and not path.startswith(NO_FILES)
    return begin, end, words[1][1] == "w" and not is_file


def own_memory() -> OwnMemory:
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
            return OwnMemory(file)
    except OSError:
        return OwnMemory([])
