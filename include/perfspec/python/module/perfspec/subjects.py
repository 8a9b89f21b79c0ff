# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The subjects of the user's file: functions that build a body, by name."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import os
import typing

from .compiler.fallbacks import Fallback
from .comparing import Accuracy
from .faults import Refusal, meant
from .body_state import with_state_dict

WRITE = "write `return lambda: model(x)` at its end: what the function does before runs once, untimed, and the lambda is what is measured"


@dataclasses.dataclass
class Subject:
    """A function that builds a body, the body, and the history of its calls."""

    name: str
    build: typing.Callable[..., typing.Any]
    training: bool = False
    settings: dict[str, str] = dataclasses.field(default_factory=dict)  # of the run, with which the body was built
    body: typing.Callable[[], typing.Any] | None = None
    state: list = dataclasses.field(default_factory=list)  # objects that the body changes, such as models and optimizers
    initial: list = dataclasses.field(default_factory=list)  # their state_dict() after loading
    precise: typing.Callable[[], typing.Any] | None = None  # returns the outputs of the body in double precision
    accuracy: Accuracy = Accuracy()  # of the comparison with a reference
    loaded_ns: int = 0
    was_called: bool = False  # its first call is checked
    returns_nothing: bool = False  # its first call returned None
    computes: bool = False  # in one thread and without blocking, in its last sample
    calls: int = 0
    quiet_calls: int = 0  # calls in a row in which torch compiled nothing
    fallback: Fallback = dataclasses.field(default_factory=Fallback)
    settled: bool = False  # whether there ever were enough quiet calls: torch is to compile nothing from then on


class Body(typing.NamedTuple):
    """What `body` returns."""

    call: typing.Callable[[], typing.Any]
    state: list
    precise: typing.Callable[[], typing.Any] | None = None
    accuracy: Accuracy = Accuracy()


def listed(names: list[str], most: int = 20) -> str:
    """The first names, and the number of others."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def place_of(build: typing.Callable) -> str:
    """`models.py:5` of a subject's function; its repr() if it has no code, such as a partial."""
    code = getattr(inspect.unwrap(build), "__code__", None)
    return f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}" if code else repr(build)


class Registry:
    """Subjects in the order of the file."""

    def __init__(self) -> None:
        self.subjects: dict[str, Subject] = {}

    def add(self, name: str, build: typing.Callable, training: bool) -> None:
        if not name:
            raise Refusal("a subject has an empty name: write @perfspec.subject(\"name\")")
        if name in self.subjects:
            raise Refusal(f"two subjects are called {name} ({place_of(self.subjects[name].build)} and {place_of(build)}): give one another name by "
                          f"@perfspec.subject(\"another name\"), or move what both files need into one without subjects")
        self.subjects[name] = Subject(name, build, training)

    def names(self) -> list[str]:
        return list(self.subjects)

    def find(self, name: str) -> Subject:
        if name in self.subjects:
            return self.subjects[name]
        raise Refusal(f"there is no subject {name}{meant(name, self.subjects)}; the file has {listed(self.names())}")


registry = Registry()


def takes_arguments(function: typing.Callable) -> bool:
    """Whether it cannot be called without arguments. Without a known signature it is taken for callable."""
    try:
        inspect.signature(function).bind()
    except TypeError:
        return True
    except ValueError:
        return False
    return False


def subject(name=None, *, training: bool = False):
    """Makes a function a subject. It builds what the body needs, and returns the body: a callable without arguments. It may have
    parameters batch, dtype and device, each with a default: a run sets them by --perf-with batch=8.

    name      the function's own name, if left out
    training  the body runs with gradients; all others run under torch.no_grad

        @perfspec.subject
        @perfspec.subject("another name")
        @perfspec.subject(training=True)
    """
    if callable(name):
        return subject()(name)
    if name is not None and not isinstance(name, str):
        raise Refusal(f"@perfspec.subject({name!r}): give a name in quotes")

    def register(build):
        if not callable(build):
            raise Refusal(f"@perfspec.subject stands above {type(build).__name__}: put it above a function that returns the body")
        own = getattr(build, "__name__", "") if name is None else name
        if takes_arguments(build):
            raise Refusal(f"the function of {own} takes arguments, but is called without any: make its inputs inside of it, and give each setting of a run a default, such as batch=8")
        registry.add(own, build, training)
        return build

    return register


def body(call, *, state=(), precise=None, accuracy=Accuracy()):
    """A body with its state, its outputs in double precision, and its accuracy.

    state     models, optimizers, generators of random numbers and perfspec.state(get=…, set=…) that it changes. A comparison of outputs starts from
              their state after loading, and restores the present one
    precise   returns the same outputs from the same state, computed in double precision. It is called if outputs lie beyond the tolerance: a candidate
              is right if it is about as far from double precision as this subject
    accuracy  perfspec.accuracy(…) of the comparison with a reference

        return perfspec.body(step, state=[model, optimizer])
        return perfspec.body(lambda: model(x), precise=lambda: copy.deepcopy(model).double()(x.double()))
    """
    if precise is not None and (not callable(precise) or takes_arguments(precise)):
        raise Refusal("perfspec.body: precise is no callable without arguments: write precise=lambda: …, which returns the outputs in double precision")
    return Body(call, [with_state_dict(each) for each in state], precise, accuracy)


def states_of(objects: list) -> list:
    """Copies of their states."""
    return [copy.deepcopy(each.state_dict()) for each in objects]


def take_body(subject: Subject, built: typing.Any) -> None:
    """Stores the body that a subject's function returned. Raises Refusal if it is no body."""
    call, state, precise, accuracy = built if isinstance(built, Body) else Body(built, [])
    returned = "nothing" if call is None else f"{type(call).__name__}, which is not callable"
    if inspect.iscoroutine(call) or inspect.isgenerator(call):
        returned = f"a {type(call).__name__}"
    elif callable(call):
        if not takes_arguments(call):
            subject.state, subject.initial = state, states_of(state)
            subject.body, subject.precise, subject.accuracy = call, precise, accuracy
            return
        returned = f"{getattr(call, '__name__', type(call).__name__)}, which takes arguments"
    if inspect.iscoroutine(call):
        call.close()
    raise Refusal(f"the function of {subject.name} returned {returned}, and no body: {WRITE}", "load_threw")
