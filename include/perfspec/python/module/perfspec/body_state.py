# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""State that bodies keep from call to call: a comparison of outputs restores what a body names, and reports what it does not name."""

from __future__ import annotations

import collections
import contextlib
import functools
import inspect
import itertools
import typing
import weakref

from . import libraries
from .compiler.compile_calls import calls_of_compile
from .compiler.compiling import is_of_library
from .faults import Refusal
from .promises import is_lazy

RANDOM = (("get_state", "set_state"), ("getstate", "setstate"))  # of generators in torch and NumPy, and in random
MOST_ITEMS = 10_000  # of a container that are compared


class State(typing.NamedTuple):
    """Two functions, by the names that models have."""

    state_dict: typing.Callable[[], typing.Any]
    load_state_dict: typing.Callable[[typing.Any], typing.Any]


def state(*, get: typing.Callable[[], typing.Any], set: typing.Callable[[typing.Any], typing.Any]) -> State:
    """State that a body keeps in variables, for `perfspec.body(step, state=[perfspec.state(get=lambda: last[0], set=lambda kept: last.__setitem__(0, kept))])`."""
    return State(get, set)


def with_state_dict(value: typing.Any) -> typing.Any:
    """The value, or an adapter of it, with state_dict() and load_state_dict(). Raises Refusal if it has no state and is no generator."""
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
    """The first items of a stream, such as a DataLoader, in turn and then again from the first: the n-th call of each subject gets the n-th item.
    Outputs are compared on the first item. Subjects share one object: each would get different items of a loader that shuffles.

        batches = perfspec.inputs(loader)
        …
        return lambda: model(next(batches))
    """

    instances: typing.ClassVar[weakref.WeakSet] = weakref.WeakSet()

    def __init__(self, stream: typing.Iterable, count: int = 16) -> None:
        self.items, self.calls = list(itertools.islice(stream, count)), collections.Counter()
        if not self.items:
            raise Refusal("perfspec.inputs: the stream has no items")
        Inputs.instances.add(self)

    def __iter__(self) -> Inputs:
        return self

    def __next__(self) -> typing.Any:
        self.calls[calls_of_compile.current] += 1
        return self.items[(self.calls[calls_of_compile.current] - 1) % len(self.items)]


def variables_of(body: typing.Callable) -> dict[str, typing.Any]:
    """The variables that a body uses, by name."""
    if not inspect.isfunction(body):
        return {f"self.{name}": value for name, value in getattr(getattr(body, "__self__", body), "__dict__", {}).items()}
    if is_of_library(body.__code__.co_filename):  # torch's wrapper of compiled code
        return {}
    variables = inspect.getclosurevars(body)
    return {**variables.globals, **variables.nonlocals}


def uses_compiled(body: typing.Callable) -> bool:
    """Whether the body, or a variable that it uses, is a result of torch.compile."""
    with contextlib.suppress(Exception):  # variables cannot be listed
        return any(map(is_compiled, (body, *variables_of(body).values())))
    return False


def is_compiled(value: typing.Any) -> bool:
    own = getattr(value, "__dict__", {})
    return type(value).__name__ == "OptimizedModule" or "_torchdynamo_orig_callable" in own or own.get("_compiled_call_impl") is not None


def marks_of(body: typing.Callable) -> dict[str, tuple]:
    """Each variable that a body uses: its value, and a mark that differs after the value changed. Empty if variables cannot be listed."""
    try:
        return {name: (value, mark_of(value)) for name, value in variables_of(body).items() if not inspect.ismodule(value)}
    except Exception:  # for example, a cell is still empty
        return {}


def is_model(kind: type) -> bool:
    loaded = libraries.torch()
    return loaded is not None and issubclass(kind, loaded.nn.Module)


def mark_of(value: typing.Any) -> typing.Any:
    """Looks up names in the type, because mocks and proxies have any name."""
    kind = type(value)
    if is_model(kind):
        return [version_of(each) for each in (*value.parameters(), *value.buffers())]
    if issubclass(kind, (list, tuple, set, dict)):
        items = itertools.islice(value.values() if issubclass(kind, dict) else value, MOST_ITEMS)
        return len(value), [(id(each), version_of(each)) for each in items]
    if any(each.__module__.startswith("torch.optim") for each in kind.__mro__):  # optimizers and schedulers
        return contents(value.state_dict())
    if is_random(kind):
        state = with_state_dict(value).state_dict()
        return state.tolist() if hasattr(state, "tolist") else repr(state)
    return id(value), version_of(value)


def contents(value: typing.Any) -> typing.Any:
    """Names, numbers and the versions of tensors in dictionaries and lists."""
    if isinstance(value, dict):
        return [(name, contents(each)) for name, each in value.items()]
    if isinstance(value, (list, tuple)):
        return [contents(each) for each in value]
    return value if isinstance(value, (str, int, float)) else (id(value), version_of(value))


def is_random(kind: type) -> bool:
    return hasattr(kind, "bit_generator") or any(hasattr(kind, get) and hasattr(kind, set) for get, set in RANDOM)


def version_of(value: typing.Any) -> int:
    """How often a tensor was written; 0 for other values, and for tensors made under torch.inference_mode."""
    try:
        return value._version if hasattr(type(value), "_version") else 0
    except Exception:
        return 0


def what_changed(before: dict[str, tuple], after: dict[str, tuple], named: typing.Iterable = ()) -> str:
    """The variables that a body changed, with what to write: `rng (a Generator) changes: write state=[rng]`; or empty.

    named  what the body names as its state, which changes when it is restored"""
    texts = []
    for name, (value, mark) in after.items():
        kind = type(value)
        if is_lazy(value) and not isinstance(value, Inputs):
            texts.append(f"{name} (a {kind.__name__}) gives other items in each run: write {name} = perfspec.inputs({name})")
        elif name in before and before[name][1] != mark and not any(value is each for each in named):
            has_state = hasattr(kind, "load_state_dict") or is_random(kind)
            texts.append(f"{name} (a {kind.__name__}) changes: write " + (f"state=[{name}]" if has_state else f"state=[perfspec.state(get=lambda: …, set=lambda kept: …)] for {name}")
                         + (f", or {name}.eval() if it should not train" if is_model(kind) and value.training else ""))
    return "; ".join(texts)
