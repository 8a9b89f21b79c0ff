# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether calls of a body use up what it works on, so that later calls find nothing: an iterator, a file that is read to its end, a queue of jobs."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import inspect
import io
import operator
import os
import typing

from ..faults import Refusal
from ..libraries import is_a
from .held_inputs import FACTOR, FEWEST_IN_ORDER, LEAST, reachable
from .reached import reached_by

ADAPTERS = (map, filter, zip, enumerate)  # which say what they read from
CONTAINERS = (list, dict, set, collections.deque, bytearray)
ADVICE = "make it in the body, or make a list of it in the function"


def is_iterator(each: typing.Any) -> bool:
    return hasattr(type(each), "__next__")


def is_read(file: typing.Any) -> bool:
    """Whether a file is read to its end. What is no file on a disk counts as unread, and so does one that is written to, such as a log."""
    try:
        if file.writable():
            return False
        number = file.fileno()
        return os.fstat(number).st_size > 0 and os.lseek(number, 0, os.SEEK_CUR) >= os.fstat(number).st_size
    except (OSError, ValueError):  # it is a pipe, or closed
        return False


def is_used_up(iterator: typing.Any) -> bool:
    """Whether nothing is left to read. Some iterators do not tell; they count as unused."""
    try:
        if inspect.isgenerator(iterator):
            return inspect.getgeneratorstate(iterator) == inspect.GEN_CLOSED
        if is_a(iterator, ADAPTERS):
            return any(is_used_up(each) for each in iterator.__reduce__()[1] if is_iterator(each))
        if is_a(iterator, io.IOBase):
            return is_read(iterator)
        if type(iterator).__module__.startswith("torch.utils.data"):  # of a DataLoader: its length hint is that of the whole
            return iterator._num_yielded >= len(iterator)
        return operator.length_hint(iterator, 1) == 0
    except Exception:  # of a class that has a hint, and cannot tell it
        return False


def unused_iterators(body: typing.Callable) -> list[typing.Any]:
    """What the body itself holds, and has something left."""
    return [each for each in reachable(body) if is_iterator(each) and not is_used_up(each)]


def still_in(used: list, held: typing.Iterable) -> list:
    """Those of some objects that are held. A body may drop an iterator that ended, and make another one."""
    ids = {id(each) for each in held}
    return [each for each in used if id(each) in ids]


def require_unused(iterators: list[typing.Any], body: typing.Callable, again: typing.Callable[[], object], name: str) -> None:
    """After the first call.

    iterators  which had something left before it
    again      calls the body once more"""
    if not any(map(is_used_up, iterators)):
        return
    with contextlib.suppress(Exception):  # of a body that cannot do without
        again()
    if used := [each for each in still_in(iterators, reachable(body)) if is_used_up(each)]:
        raise Refusal(f"the first call of the body of {name} used up a {type(used[0]).__name__}, and later calls find nothing in it: {ADVICE}", "body_threw")


class Supply(typing.NamedTuple):
    """Something that a call may use up."""

    value: typing.Any
    entries: int | None  # at first; None of an iterator

    def is_used_up(self) -> bool:
        return is_used_up(self.value) if self.entries is None else len(self.value) == 0

    def may_be_used(self) -> bool:
        """After a call: iterators, and what has fewer entries than before it."""
        return self.entries is None or len(self.value) < self.entries

    def described(self) -> str:
        return f"a {type(self.value).__name__}" + (f" of {self.entries}" if self.entries is not None else "")


def supplies_of(body: typing.Callable, file: str) -> list[Supply]:
    """Iterators with something left, and containers of eight entries or more, that the body can reach.

    file  of the subjects: what is beside it is theirs"""
    found = []
    for each in reached_by(body, file).objects:
        try:
            if is_a(each, CONTAINERS):
                found += [Supply(each, len(each))] if len(each) >= FEWEST_IN_ORDER else []
            elif is_iterator(each) and not is_used_up(each):
                found.append(Supply(each, None))
        except Exception:  # a class that does not tell how many it has
            continue
    return found


@dataclasses.dataclass
class Supplies:
    """What the calls of a body may use up. An object may empty something in its first call and need it no more, as one does that sets itself up; so
    only a call that takes much less time than the first one tells that its work is gone."""

    left: list[Supply] = dataclasses.field(default_factory=list)
    first_ns: int = 0

    def begin(self, found: list[Supply], first_ns: int) -> None:
        """found     before the first call
        first_ns  what that took"""
        self.left, self.first_ns = [each for each in found if each.may_be_used()], first_ns

    def used_up(self) -> list[Supply]:
        return [each for each in self.left if each.is_used_up()]

    def require_some(self, timed: typing.Callable[[], int], reached: typing.Callable[[], list], name: str) -> None:
        """After calls. Raises Refusal where they used up something, and the next one has nothing to do.

        timed    calls the body once, and returns nanoseconds
        reached  what the body can reach now"""
        used = self.used_up()
        if not used:
            return
        try:
            later = timed()
        except Exception:  # the next call shows what a body says that cannot do without
            return
        held = {id(each) for each in reached()}
        still = [each for each in used if each.is_used_up() and id(each.value) in held]
        self.left = [each for each in self.left if not any(each is other for other in used)]
        if still and self.first_ns > max(FACTOR * later, later + LEAST):
            raise Refusal(f"calls of the body of {name} used up {still[0].described()}, and later ones have nothing to do: the first one took {self.first_ns / 1e6:.3g} ms, and "
                          f"the last one {later / 1e6:.3g} ms: {ADVICE}", "body_threw")
