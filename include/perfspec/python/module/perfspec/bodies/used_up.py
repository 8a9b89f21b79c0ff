# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether calls of a body use up what it works on, so that later calls find nothing: an iterator, a file that is read to its end, a queue of jobs."""

from __future__ import annotations

import collections
import dataclasses
import inspect
import io
import operator
import os
import typing

from ..comparing import Statistics, compare
from ..faults import Refusal
from ..libraries import is_a
from ..outputs import Leaf, flattened
from .held_inputs import FACTOR, FEWEST_IN_ORDER, LEAST, LEAST_OF_ORDER
from .reached import reached_by

ADAPTERS = (map, filter, zip, enumerate)  # which say what they read from
CONTAINERS = (list, dict, set, collections.deque, bytearray)
SET_UP = 100  # times as long that a first call takes whose work is gone, where later ones return the same: others may only have set themselves up
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


class Call(typing.NamedTuple):
    """What a call took and returned."""

    nanoseconds: int
    outputs: list[Leaf] | None  # copies; None where they cannot be compared, or are not known

    def returned_as(self, other: Call) -> bool | None:
        if self.outputs is None or other.outputs is None:
            return None
        return compare(Statistics(), self.outputs, other.outputs).same


def call_of(nanoseconds: int, returned: typing.Any) -> Call:
    try:
        return Call(nanoseconds, flattened(returned) if returned is not None else None)
    except Exception:  # a class that cannot be compared
        return Call(nanoseconds, None)


@dataclasses.dataclass
class Supplies:
    """What the calls of a body may use up. An object may empty something in its first call and need it no more, as one does that sets itself up. So only
    a call that takes less time than the first one tells that its work is gone: less, if it also returns something else, and very much less otherwise."""

    left: list[Supply] = dataclasses.field(default_factory=list)
    first: Call = Call(0, None)

    def begin(self, found: list[Supply], nanoseconds: int, returned: typing.Any = None) -> None:
        """found        before the first call
        nanoseconds  of the first call
        returned     by it; None where that is not known"""
        self.left = [each for each in found if each.may_be_used()]
        self.first = call_of(nanoseconds, returned) if self.left else Call(nanoseconds, None)

    def used_up(self) -> list[Supply]:
        return [each for each in self.left if each.is_used_up()]

    def has_less_to_do(self, later: Call, used: list[Supply]) -> bool:
        same = self.first.returned_as(later)
        if same is False:
            return self.first.nanoseconds > FACTOR * later.nanoseconds + LEAST_OF_ORDER
        if same and all(each.entries is None for each in used):  # a file that is read anew, for instance
            return False
        return self.first.nanoseconds > max((SET_UP if same else FACTOR) * later.nanoseconds, later.nanoseconds + LEAST)

    def require_some(self, again: typing.Callable[[], tuple[int, typing.Any]], reached: typing.Callable[[], list], name: str) -> None:
        """After calls. Raises Refusal where they used up something, and the next one has less to do.

        again    calls the body once, and returns nanoseconds and what it returned
        reached  what the body can reach now: it may drop an iterator that ended, and make another one"""
        used = self.used_up()
        if not used:
            return
        self.left = [each for each in self.left if not any(each is other for other in used)]
        try:
            later = call_of(*again())
        except Exception:  # the next call shows what a body says that cannot do without
            return
        held = {id(each) for each in reached()}
        still = [each for each in used if each.is_used_up() and id(each.value) in held]
        if still and self.has_less_to_do(later, still):
            raise Refusal(f"calls of the body of {name} used up {still[0].described()}, and later ones have less to do: the first one took {self.first.nanoseconds / 1e6:.3g} ms, and "
                          f"the last one {later.nanoseconds / 1e6:.3g} ms: {ADVICE}", "body_threw")
