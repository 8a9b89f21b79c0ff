# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What bodies keep from one call to the next: what a comparison of outputs puts back, and what to say of the rest."""

from __future__ import annotations

import collections
import collections.abc
import functools
import inspect
import itertools
import typing
import weakref

from .compiler.asking import asks
from .compiler.breaks import is_of_library
from .faults import Refusal

RANDOM = (("get_state", "set_state"), ("getstate", "setstate"))  # of generators in torch and NumPy, and in random


class State(typing.NamedTuple):
    """What two functions get and set, by the names that models have."""

    state_dict: typing.Callable[[], typing.Any]
    load_state_dict: typing.Callable[[typing.Any], typing.Any]


def state(*, get: typing.Callable[[], typing.Any], set: typing.Callable[[typing.Any], typing.Any]) -> State:
    """What a body keeps in variables, for `perfspec.body(step, state=[perfspec.state(get=lambda: last[0], set=lambda kept: last.__setitem__(0, kept))])`."""
    return State(get, set)


def held(value: typing.Any) -> typing.Any:
    """The value with state_dict() and load_state_dict(). Raises Refusal for what has none, and is no generator of random numbers."""
    if hasattr(value, "state_dict") and hasattr(value, "load_state_dict"):
        return value
    if bits := getattr(value, "bit_generator", None):
        return State(lambda: bits.state, functools.partial(setattr, bits, "state"))
    for get, set in RANDOM:
        if hasattr(value, get) and hasattr(value, set):
            return State(getattr(value, get), getattr(value, set))
    raise Refusal(f"perfspec.body: state has {type(value).__name__}, which has no state_dict(): name models, optimizers and generators of random numbers, or "
                  f"perfspec.state(get=…, set=…)")


class Inputs:
    """The first items of a stream, such as a DataLoader, in turn and again from the first: the n-th call of each subject gets the n-th. Outputs are
    compared on the first.

        batches = perfspec.inputs(loader)
        …
        return lambda: model(next(batches))
    """

    made: typing.ClassVar[weakref.WeakSet] = weakref.WeakSet()

    def __init__(self, stream: typing.Iterable, count: int = 16) -> None:
        self.items, self.taken = list(itertools.islice(stream, count)), collections.Counter()
        if not self.items:
            raise Refusal("perfspec.inputs: the stream has no items")
        Inputs.made.add(self)

    def __iter__(self) -> Inputs:
        return self

    def __next__(self) -> typing.Any:
        self.taken[asks.current] += 1
        return self.items[(self.taken[asks.current] - 1) % len(self.items)]


def marks_of(body: typing.Callable) -> dict[str, tuple]:
    """Variables that a body uses by name: each value, and something that differs after the value changed."""
    if not inspect.isfunction(body):
        named = {f"self.{name}": value for name, value in getattr(getattr(body, "__self__", body), "__dict__", {}).items()}
    elif is_of_library(body.__code__.co_filename):  # torch's own around compiled code
        named = {}
    else:
        seen = inspect.getclosurevars(body)
        named = {**seen.globals, **seen.nonlocals}
    return {name: (value, mark_of(value)) for name, value in named.items() if not inspect.ismodule(value)}


def mark_of(value: typing.Any) -> typing.Any:
    try:
        if hasattr(value, "state_dict"):
            return [tensor._version for tensor in value.state_dict().values() if hasattr(tensor, "_version")]
        if isinstance(value, (list, tuple, set, dict)):
            return [(id(each), getattr(each, "_version", 0)) for each in (value.items() if isinstance(value, dict) else value)]
        state = held(value).state_dict()
        return state.tolist() if hasattr(state, "tolist") else repr(state)
    except Exception:  # of tensors that count no versions
        return id(value)


def what_changed(before: dict[str, tuple], after: dict[str, tuple]) -> str:
    """What a body changed, with what to write: `rng (a Generator): state=[rng]`; empty where nothing is known."""
    told = []
    for name, (value, mark) in after.items():
        kind = f"{name} (a {type(value).__name__})"
        if isinstance(value, collections.abc.Iterator) and not isinstance(value, Inputs):
            told.append(f"{kind} gives other items: {name} = perfspec.inputs({name})")
        elif before.get(name, (None, None))[1] != mark:
            has_state = hasattr(value, "load_state_dict") or any(hasattr(value, each) for each in ("bit_generator", "set_state", "setstate"))
            told.append(f"{kind} changes: " + (f"state=[{name}]" if has_state else f"state=[perfspec.state(get=lambda: …, set=lambda kept: …)] of {name}"))
    return "; ".join(told)
