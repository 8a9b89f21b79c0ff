# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What bodies keep from one call to the next: what a comparison of outputs puts back, and what to say of the rest."""

from __future__ import annotations

import collections
import functools
import inspect
import itertools
import typing
import weakref

from . import libraries
from .compiler.asking import asks
from .compiler.breaks import is_of_library
from .faults import Refusal
from .promises import is_lazy

RANDOM = (("get_state", "set_state"), ("getstate", "setstate"))  # of generators in torch and NumPy, and in random
MOST_ITEMS = 10_000  # of a container that are looked at


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
    compared on the first. Share one object: where each subject makes its own of a loader that shuffles, they get other items.

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


def variables_of(body: typing.Callable) -> dict[str, typing.Any]:
    """What a body uses by name."""
    if not inspect.isfunction(body):
        return {f"self.{name}": value for name, value in getattr(getattr(body, "__self__", body), "__dict__", {}).items()}
    if is_of_library(body.__code__.co_filename):  # torch's own around compiled code
        return {}
    seen = inspect.getclosurevars(body)
    return {**seen.globals, **seen.nonlocals}


def marks_of(body: typing.Callable) -> dict[str, tuple]:
    """Variables that a body uses by name: each value, and something that differs after the value changed. Nothing where that cannot be told."""
    try:
        return {name: (value, mark_of(value)) for name, value in variables_of(body).items() if not inspect.ismodule(value)}
    except Exception:  # such as of a cell that is still empty
        return {}


def is_model(kind: type) -> bool:
    loaded = libraries.torch()
    return loaded is not None and issubclass(kind, loaded.nn.Module)


def mark_of(value: typing.Any) -> typing.Any:
    """The type is asked, and not the value: a mock and a proxy answer to any name."""
    kind = type(value)
    if is_model(kind):
        return [version_of(each) for each in (*value.parameters(), *value.buffers())]
    if issubclass(kind, (list, tuple, set, dict)):
        items = itertools.islice(value.values() if issubclass(kind, dict) else value, MOST_ITEMS)
        return len(value), [(id(each), version_of(each)) for each in items]
    if is_random(kind):
        state = held(value).state_dict()
        return state.tolist() if hasattr(state, "tolist") else repr(state)
    return id(value), version_of(value)


def is_random(kind: type) -> bool:
    return hasattr(kind, "bit_generator") or any(hasattr(kind, get) and hasattr(kind, set) for get, set in RANDOM)


def version_of(value: typing.Any) -> int:
    """How often a tensor was written; 0 of anything else, and of tensors made under torch.inference_mode, which do not count."""
    try:
        return value._version if hasattr(type(value), "_version") else 0
    except Exception:
        return 0


def what_changed(before: dict[str, tuple], after: dict[str, tuple]) -> str:
    """What a body changed, with what to write: `rng (a Generator): state=[rng]`; empty where nothing is known."""
    told = []
    for name, (value, mark) in after.items():
        kind = type(value)
        if is_lazy(value) and not isinstance(value, Inputs):
            told.append(f"{name} (a {kind.__name__}) gives other items: {name} = perfspec.inputs({name})")
        elif name in before and before[name][1] != mark:
            has_state = hasattr(kind, "load_state_dict") or is_random(kind)
            told.append(f"{name} (a {kind.__name__}) changes: " + (f"state=[{name}]" if has_state else f"state=[perfspec.state(get=lambda: …, set=lambda kept: …)] of {name}")
                        + (f", or if it is not to train, {name}.eval()" if is_model(kind) and value.training else ""))
    return "; ".join(told)
