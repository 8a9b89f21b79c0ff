# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether a call changed an input that the body holds, so that later calls have less to do, as of a body that sorts its list in place."""

from __future__ import annotations

import collections
import functools
import inspect
import itertools
import typing

from .. import libraries
from ..faults import Refusal
from ..libraries import is_a
from .own_memory import OwnMemory, own_memory
from .reached import reached_by

FEWEST_ELEMENTS = 100  # of one tensor, array or list: fewer are a counter, or take no time
FEWEST_IN_ORDER = 8  # of one that a call only brings into another order
MOST_ELEMENTS = 10_000_000  # that are copied
MOST_WITHIN = 10_000_000  # of all lists and arrays within objects
ROUNDS = 5  # which decide where they agree
MOST_ROUNDS = 15  # otherwise
FACTOR = 1.5  # how much longer a call takes with what was there at first
LEAST = 20_000  # nanoseconds more, below which nobody sees the difference
LEAST_OF_ORDER = 300  # that many where a call only brings elements into another order, as a sort does: no counter or table looks like that
PLAIN = (bool, int, float, complex, str, bytes)


def attributes_of(owner: typing.Any) -> list:
    """Those that its class does not make up when somebody asks for them."""
    try:
        return list(object.__getattribute__(owner, "__dict__").values())
    except Exception:  # it has no such dictionary
        return []


def reachable(body: typing.Callable) -> typing.Iterator[typing.Any]:
    """What the body itself holds: the variables around it and of its file that it names, its default arguments, and what is bound to it."""
    while isinstance(body, functools.partial):
        yield from body.args
        yield from body.keywords.values()
        body = body.func
    if inspect.ismethod(body):
        yield from attributes_of(body.__self__)
        body = body.__func__
    for cell in getattr(body, "__closure__", None) or ():
        try:
            yield cell.cell_contents
        except ValueError:  # the variable has no value yet
            continue
    yield from getattr(body, "__defaults__", None) or ()
    of_file = getattr(body, "__globals__", {})
    yield from (of_file[name] for name in getattr(getattr(body, "__code__", None), "co_names", ()) if name in of_file)


class Kept(typing.NamedTuple):
    """An input, and a copy of what was in it."""

    value: typing.Any
    before: typing.Any
    counts_in_order: bool = False  # as changed only where it has the same elements in another order: the state of an object may be meant to change

    def is_reordered(self) -> bool:
        if is_a(self.value, list):
            return self.is_changed() and has_the_same(self.value, self.before)
        if not is_array(self.value) or not self.is_changed():
            return False
        numpy = libraries.numpy()
        return bool((numpy.sort(self.value, axis=None) == numpy.sort(self.before, axis=None)).all())

    def is_changed(self) -> bool:
        """A list that grew or shrank belongs to something else, such as the blocks that are taken from it: putting it back would break that."""
        if is_a(self.value, list):
            if len(self.value) != len(self.before):
                return False
            return self.value != self.before if is_plain(self.before) else any(one is not other for one, other in zip(self.value, self.before))
        same = (self.value == self.before) | ((self.value != self.value) & (self.before != self.before))
        return not bool(same.all())

    def put(self, values: typing.Any) -> None:
        if is_a(self.value, list):
            self.value[:] = values
        elif is_array(self.value):
            self.value[...] = values
        else:
            with libraries.torch().inference_mode(self.value.is_inference()):
                self.value.detach().copy_(values)


def has_the_same(one: list, other: list) -> bool:
    """Whether two lists have the same elements: the very same, or equal numbers and texts."""
    if collections.Counter(map(id, one)) == collections.Counter(map(id, other)):
        return True
    return is_plain(one) and collections.Counter(one) == collections.Counter(other)


def is_plain(value: list) -> bool:
    """Whether all of it are numbers and texts. Others may compare as they like."""
    return all(is_a(each, PLAIN) for each in value)


def is_array(value: typing.Any) -> bool:
    numpy = libraries.numpy()
    return numpy is not None and is_a(value, numpy.ndarray)


def copied(value: typing.Any) -> typing.Any:
    return value.copy() if is_a(value, list) or is_array(value) else value.detach().clone()


def is_of_use(elements: int, fewest: int) -> bool:
    return fewest <= elements <= MOST_ELEMENTS


def may_be_put_back(value: typing.Any, memory: OwnMemory, fewest: int = FEWEST_ELEMENTS) -> bool:
    """Whether it is an input of a kind that can be compared, copied and written to.

    memory  of the process: what is mapped from a file is not written to"""
    torch = libraries.torch()
    if is_a(value, list):
        return is_of_use(len(value), fewest)
    if is_array(value):
        is_kind = is_of_use(value.size, fewest) and value.dtype.kind in "biufcSU" and value.flags.writeable
        return is_kind and memory.may_be_written(value.ctypes.data)
    if torch is None or not is_a(value, torch.Tensor):
        return False
    is_dense = value.layout == torch.strided and not value.is_quantized and not value.is_meta and not getattr(value, "is_nested", False)
    return is_dense and is_of_use(value.numel(), fewest) and (value.device.type != "cpu" or memory.may_be_written(value.data_ptr()))


def kept_of(values: typing.Iterable[typing.Any], fewest: int = FEWEST_ELEMENTS, counts_in_order: bool = False) -> list[Kept]:
    found, memory = [], own_memory()
    for each in values:
        try:
            if may_be_put_back(each, memory, fewest):
                found.append(Kept(each, copied(each), counts_in_order or (is_a(each, list) and not is_plain(each))))
        except Exception:  # tensors of other libraries raise what they like
            continue
    return found


def lists_within(objects: list, known: set[int]) -> typing.Iterator[typing.Any]:
    """Lists and arrays among what a body can reach, the nearest first, but for those that are known by their ids."""
    left = MOST_WITHIN
    for each in objects:
        if id(each) in known or not (type(each) is list or is_array(each)):
            continue
        size = len(each) if is_a(each, list) else each.size
        if FEWEST_IN_ORDER <= size <= left:
            left -= size
            yield each


class Companion(typing.NamedTuple):
    """A dictionary or set, and what was in it. One that has elements of a list, as an index of it does, belongs to it."""

    value: typing.Any
    before: typing.Any

    def is_changed(self) -> bool:
        if is_a(self.value, set):
            return set.__ne__(self.value, self.before)
        now = list(dict.items(self.value))
        return len(now) != len(self.before) or any(one is not other for pair, old in zip(now, self.before.items()) for one, other in zip(pair, old))

    def belongs_to(self, elements: list) -> bool:
        some = itertools.islice(self.before, FEWEST_IN_ORDER)
        return any(each in elements for each in some) or (is_a(self.value, dict) and any(each in elements for each in itertools.islice(self.before.values(), FEWEST_IN_ORDER)))


class Inputs(typing.NamedTuple):
    """What a call may change."""

    kept: list[Kept]
    companions: list[Companion] = []


NOTHING_HELD = Inputs([])


def companions_within(objects: list) -> list[Companion]:
    found, left = [], MOST_WITHIN
    for each in objects:
        if type(each) in (dict, set) and FEWEST_IN_ORDER <= len(each) <= left:
            left -= len(each)
            found.append(Companion(each, each.copy()))
    return found


def inputs_of(body: typing.Callable, file: str) -> Inputs:
    """What the body holds itself, and lists and arrays within what it holds. Tensors within objects, such as the weights of a model, are not looked at.

    file  of the subjects: what is beside it is theirs"""
    own, objects = kept_of(reachable(body)), reached_by(body, file).objects
    kept = own + kept_of(lists_within(objects, {id(each.value) for each in own}), FEWEST_IN_ORDER, counts_in_order=True)
    return Inputs(kept, companions_within(objects) if any(is_a(each.value, list) for each in kept) else [])


def changed_among(inputs: Inputs) -> list[Kept]:
    """But for lists of which an index has changed, too: putting them back alone would break it."""
    changed = [each for each in inputs.companions if each.is_changed()]
    found = []
    for each in inputs.kept:
        try:
            if (each.is_reordered() if each.counts_in_order else each.is_changed()) and not (is_a(each.value, list) and any(one.belongs_to(each.before) for one in changed)):
                found.append(each)
        except Exception:  # its size changed, or its elements compare as they like
            continue
    return found


def times_of_calls(changed: list[Kept], timed: typing.Callable[[], int], number: int) -> tuple[int, int]:
    """Nanoseconds of a call with what was there at first, and of one with what a call leaves. Before both the same is written, because that moves data
    into the caches, and others out of them.

    number  of the round. Every other one begins with what a call leaves: a body may have more to do in every second call, whatever is in its inputs."""
    first, left = [each.before for each in changed], [copied(each.value) for each in changed]

    def after(values: list, others: list) -> int:
        for put in (others, values):
            for each, value in zip(changed, put):
                each.put(value)
        return timed()

    if number % 2:
        later = after(left, first)
        return after(first, left), later
    at_first = after(first, left)
    return at_first, after(left, first)


def rounds_of_less_work(changed: list[Kept], timed: typing.Callable[[], int]) -> list[tuple[int, int]]:
    """Times of calls, round by round, where those with what a call leaves take clearly less; none where they do not. A call that something else
    interrupts hides the difference, or looks like one, so that rounds that disagree are followed by more, of which two thirds decide."""
    least = LEAST_OF_ORDER if all(map(Kept.is_reordered, changed)) else LEAST
    rounds: list[tuple[int, int]] = []
    for most in (ROUNDS, MOST_ROUNDS):
        rounds += [times_of_calls(changed, timed, number) for number in range(len(rounds), most)]
        clear = sum(at_first > max(FACTOR * later, later + least) for at_first, later in rounds)
        if clear == len(rounds) or 2 * clear < len(rounds):
            break
    return rounds if 3 * clear >= 2 * len(rounds) else []


def require_as_much_work(changed: list[Kept], timed: typing.Callable[[], int], name: str) -> None:
    """changed  inputs that the first call changed; what is in them now is there afterwards, too
    timed    calls the body once, and returns nanoseconds"""
    if not changed:
        return
    now = [copied(each.value) for each in changed]
    try:
        rounds = rounds_of_less_work(changed, timed)
    except Exception:  # the body needs more than these put back
        return
    finally:
        for each, value in zip(changed, now):
            each.put(value)
    if rounds:
        at_first, later = (min(each) / 1e6 for each in zip(*rounds))
        raise Refusal(f"the body of {name} changes the {type(changed[0].value).__name__} that it reads, and then has less to do: a call takes {at_first:.3g} ms with "
                      f"what was there at first, and {later:.3g} ms with what a call leaves: let the body work on a copy", "body_threw")
