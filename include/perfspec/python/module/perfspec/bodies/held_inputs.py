# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What a body holds and reads: whether its first call used up an iterator, so that later calls find nothing; and whether a call changed an input, so
that later calls have less to do, as of a body that sorts its list in place."""

from __future__ import annotations

import collections
import functools
import inspect
import operator
import typing

from .. import libraries
from ..faults import Refusal
from .reached import reached_by

ADAPTERS = (map, filter, zip, enumerate)  # which say what they read from
FEWEST_ELEMENTS = 100  # of one tensor, array or list: fewer are a counter, or take no time
FEWEST_IN_ORDER = 8  # of one that a call only brings into another order
MOST_ELEMENTS = 10_000_000  # that are copied
MOST_WITHIN = 1_000_000  # of all lists and arrays within objects
ROUNDS = 5  # which decide where they agree
MOST_ROUNDS = 15  # otherwise
FACTOR = 1.5  # how much longer a call takes with what was there at first
LEAST = 20_000  # nanoseconds more, below which nobody sees the difference
LEAST_OF_ORDER = 300  # that many where a call only brings elements into another order, as a sort does: no counter or table looks like that
PLAIN = (bool, int, float, complex, str, bytes)


def reachable(body: typing.Callable) -> typing.Iterator[typing.Any]:
    """What the body itself holds: the variables around it and of its file that it names, its default arguments, and what is bound to it."""
    while isinstance(body, functools.partial):
        yield from body.args
        yield from body.keywords.values()
        body = body.func
    if inspect.ismethod(body):
        yield from vars(body.__self__).values() if hasattr(body.__self__, "__dict__") else ()
        body = body.__func__
    for cell in getattr(body, "__closure__", None) or ():
        try:
            yield cell.cell_contents
        except ValueError:  # the variable has no value yet
            continue
    yield from getattr(body, "__defaults__", None) or ()
    of_file = getattr(body, "__globals__", {})
    yield from (of_file[name] for name in getattr(getattr(body, "__code__", None), "co_names", ()) if name in of_file)


def is_used_up(iterator: typing.Any) -> bool:
    """Whether nothing is left to read. Some iterators do not tell; they count as unused."""
    if inspect.isgenerator(iterator):
        return inspect.getgeneratorstate(iterator) == inspect.GEN_CLOSED
    if isinstance(iterator, ADAPTERS):
        return any(is_used_up(each) for each in iterator.__reduce__()[1] if hasattr(each, "__next__"))
    try:
        return operator.length_hint(iterator, 1) == 0
    except Exception:  # of a class that has a hint, and cannot tell it
        return False


def unused_iterators(body: typing.Callable) -> list[typing.Any]:
    return [each for each in reachable(body) if hasattr(each, "__next__") and not is_used_up(each)]


def require_unused(iterators: list[typing.Any], name: str) -> None:
    """iterators  which had something left before the call"""
    if used := [each for each in iterators if is_used_up(each)]:
        raise Refusal(f"the first call of the body of {name} used up a {type(used[0]).__name__}, and later calls find nothing in it: make it in the "
                      f"body, or make a list of it in the function", "body_threw")


class Kept(typing.NamedTuple):
    """An input, and a copy of what was in it."""

    value: typing.Any
    before: typing.Any
    counts_in_order: bool = False  # as changed only where it has the same elements in another order: the state of an object may be meant to change

    def is_reordered(self) -> bool:
        if isinstance(self.value, list):
            return self.value != self.before and collections.Counter(self.value) == collections.Counter(self.before)
        if not is_array(self.value) or not self.is_changed():
            return False
        numpy = libraries.numpy()
        return bool((numpy.sort(self.value, axis=None) == numpy.sort(self.before, axis=None)).all())

    def is_changed(self) -> bool:
        if isinstance(self.value, list):
            return self.value != self.before
        same = (self.value == self.before) | ((self.value != self.value) & (self.before != self.before))
        return not bool(same.all())

    def put(self, values: typing.Any) -> None:
        if isinstance(self.value, list):
            self.value[:] = values
        elif is_array(self.value):
            self.value[...] = values
        else:
            with libraries.torch().inference_mode(self.value.is_inference()):
                self.value.detach().copy_(values)


def is_array(value: typing.Any) -> bool:
    numpy = libraries.numpy()
    return numpy is not None and isinstance(value, numpy.ndarray)


def copied(value: typing.Any) -> typing.Any:
    return value.copy() if isinstance(value, list) or is_array(value) else value.detach().clone()


def is_of_use(elements: int, fewest: int) -> bool:
    return fewest <= elements <= MOST_ELEMENTS


def may_be_put_back(value: typing.Any, fewest: int = FEWEST_ELEMENTS) -> bool:
    """Whether it is an input of a kind that can be compared, copied and written to."""
    torch = libraries.torch()
    if isinstance(value, list):
        return is_of_use(len(value), fewest) and all(isinstance(each, PLAIN) for each in value)
    if is_array(value):
        return is_of_use(value.size, fewest) and value.dtype.kind in "biufcSU" and value.flags.writeable
    if torch is None or not isinstance(value, torch.Tensor):
        return False
    is_plain = value.layout == torch.strided and not value.is_quantized and not value.is_meta and not getattr(value, "is_nested", False)
    return is_plain and is_of_use(value.numel(), fewest)


def kept_of(values: typing.Iterable[typing.Any], fewest: int = FEWEST_ELEMENTS, counts_in_order: bool = False) -> list[Kept]:
    found = []
    for each in values:
        try:
            found += [Kept(each, copied(each), counts_in_order)] if may_be_put_back(each, fewest) else []
        except Exception:  # tensors of other libraries raise what they like
            continue
    return found


def lists_within(body: typing.Callable, file: str, known: set[int]) -> typing.Iterator[typing.Any]:
    """Lists and arrays that a body can reach at all, the nearest first, but for those that are known by their ids."""
    left = MOST_WITHIN
    for each in reached_by(body, file):
        if id(each) in known or not (type(each) is list or is_array(each)):
            continue
        size = len(each) if isinstance(each, list) else each.size
        if FEWEST_IN_ORDER <= size <= left:
            left -= size
            yield each


def inputs_of(body: typing.Callable, file: str) -> list[Kept]:
    """What the body holds itself, and lists and arrays within what it holds. Tensors within objects, such as the weights of a model, are not looked at.

    file  of the subjects: what is beside it is theirs"""
    own = kept_of(reachable(body))
    return own + kept_of(lists_within(body, file, {id(each.value) for each in own}), FEWEST_IN_ORDER, counts_in_order=True)


def changed_among(inputs: list[Kept]) -> list[Kept]:
    found = []
    for each in inputs:
        try:
            found += [each] if (each.is_reordered() if each.counts_in_order else each.is_changed()) else []
        except Exception:  # its size changed
            continue
    return found


def times_of_calls(changed: list[Kept], timed: typing.Callable[[], int]) -> tuple[int, int]:
    """Nanoseconds of a call with what was there at first, and of one with what a call leaves. Before both the same is written, because that moves data
    into the caches, and others out of them."""
    for each in changed:
        each.put(copied(each.value))
        each.put(each.before)
    at_first = timed()
    for each in changed:
        left = copied(each.value)
        each.put(each.before)
        each.put(left)
    return at_first, timed()


def rounds_of_less_work(changed: list[Kept], timed: typing.Callable[[], int]) -> list[tuple[int, int]]:
    """Times of calls, round by round, where those with what a call leaves take clearly less; none where they do not. A call that something else
    interrupts hides the difference, or looks like one, so that rounds that disagree are followed by more, of which two thirds decide."""
    least = LEAST_OF_ORDER if all(map(Kept.is_reordered, changed)) else LEAST
    rounds: list[tuple[int, int]] = []
    for most in (ROUNDS, MOST_ROUNDS):
        rounds += [times_of_calls(changed, timed) for _ in range(most - len(rounds))]
        clear = sum(at_first > max(FACTOR * later, later + least) for at_first, later in rounds)
        if clear == len(rounds) or 2 * clear < len(rounds):
            break
    return rounds if 3 * clear >= 2 * len(rounds) else []


def require_as_much_work(changed: list[Kept], timed: typing.Callable[[], int], name: str) -> None:
    """changed  inputs that the first call changed
    timed    calls the body once, and returns nanoseconds"""
    if not changed:
        return
    try:
        rounds = rounds_of_less_work(changed, timed)
    except Exception:  # the body needs more than these put back
        return
    if rounds:
        at_first, later = (min(each) / 1e6 for each in zip(*rounds))
        raise Refusal(f"the body of {name} changes the {type(changed[0].value).__name__} that it reads, and then has less to do: a call takes {at_first:.3g} ms with "
                      f"what was there at first, and {later:.3g} ms with what a call leaves: let the body work on a copy", "body_threw")
