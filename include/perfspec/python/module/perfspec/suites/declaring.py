# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The two subjects of an experiment: a model as it is, and compiled."""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import typing

from ..compiler.compiling import stamp
from ..faults import Refusal
from ..memory import peak_of
from ..settings import parameters_of
from ..subjects import Body, body, subject
from ..worker import MAX_TO_SETTLE, SETTLED
from .model import Model, converted, mean_square

LEARNING_RATE = 1e-3


def in_double(built: Model) -> Model:
    """The same model with the same weights and inputs, in double precision and eager."""
    import torch

    wide = lambda tensor: tensor.double() if tensor.is_floating_point() else tensor  # noqa: E731
    model = copy.deepcopy(built.model).to(torch.float64)
    return built._replace(model=model, args=converted(built.args, wide), kwargs=converted(built.kwargs, wide), autocast=contextlib.nullcontext)


def inference_body(built: Model, model: typing.Callable):
    def call():
        with built.autocast():
            return model(*built.args, **built.kwargs)

    def precise():
        double = in_double(built)
        return double.model(*double.args, **double.kwargs)

    return body(call, precise=precise if hasattr(built.model, "state_dict") else None)


def loss_and_gradients(loss, parameters: list) -> dict:
    """The output of a step. The loss of the first step alone would not show a wrong backward pass."""
    return {"loss": loss.detach(), "gradients": {name: each.grad for name, each in parameters}}


def training_body(built: Model, model: typing.Callable):
    """A step of SGD."""
    import torch

    optimizer = torch.optim.SGD(built.model.parameters(), lr=LEARNING_RATE)
    loss_of = built.loss or mean_square
    parameters = [(name, each) for name, each in built.model.named_parameters() if each.requires_grad]

    def step():
        optimizer.zero_grad()
        with built.autocast():
            loss = loss_of(model(*built.args, **built.kwargs))
        loss.backward()
        optimizer.step()
        return loss_and_gradients(loss, parameters)

    def precise():
        double = in_double(built)
        double.model.zero_grad()
        loss = loss_of(double.model(*double.args, **double.kwargs))
        loss.backward()
        return loss_and_gradients(loss, [(name, each) for name, each in double.model.named_parameters() if each.requires_grad])

    return body(step, state=[built.model, optimizer], precise=precise)


def compiled_model(built: Model, options: dict) -> typing.Callable:
    if built.compile is not None:
        return built.compile(built.model, **options)
    import torch

    return torch.compile(built.model, **options)


class BuildOnce:
    """A subject's function that builds its body once, for the subject itself and for the subject that measures its memory."""

    def __init__(self, build: typing.Callable, parameters: list[inspect.Parameter]) -> None:
        self.build, self.built = build, None
        self.__signature__ = inspect.Signature(parameters)  # the settings that a run can ask for

    def __call__(self, **settings):
        if self.built is None:
            self.built = self.build(**settings)
        return self.built


class Peak:
    """A body that returns by how many bytes a call raises the memory of the process, after calls that set up and compile."""

    def __init__(self, call: typing.Callable) -> None:
        self.call, self.quiet = call, 0  # calls in a row in which torch compiled nothing

    def settle(self) -> None:
        for _ in range(MAX_TO_SETTLE):
            if self.quiet >= SETTLED:
                return
            before = stamp()
            self.call()
            self.quiet = self.quiet + 1 if stamp() == before else 0
        raise Refusal(f"torch still compiles after {MAX_TO_SETTLE} calls, so the memory of one would be that of this one alone", "body_threw")

    def __call__(self) -> int:
        self.settle()
        return peak_of(self.call, compiled=lambda: True)  # nothing but a compiler starts processes here


class MemoryOf:
    """The function of a subject that measures the memory of one call of another subject."""

    def __init__(self, build: BuildOnce) -> None:
        self.build, self.__signature__ = build, build.__signature__

    def __call__(self, **settings):
        built = self.build(**settings)
        call = built.call if isinstance(built, Body) else built
        return Peak(call)


def declare(make: typing.Callable[[], Model], *, backend: str = "inductor", mode: str | None = None, dynamic: bool | None = None,
            fullgraph: bool = False, training: bool = False, eager: str = "eager", compiled: str = "compiled") -> None:
    """Declares two subjects: the model that `make` returns, and the same under torch.compile with these options. Two more, "memory of eager" and
    "memory of compiled", return the bytes that a call needs, for `metric("bytes", less_is_better, x)`, without those of setting up and compiling.

    make             builds the model; called once for each subject, so that neither changes the other. A run may set its parameters batch, dtype
                     and device
    mode             of torch.compile; None and "default" are the same
    training         measure a step of SGD instead of a call, in the mode in which `make` leaves the model
    eager, compiled  names of the subjects, if a file declares several pairs
    """
    options = {"backend": backend, "mode": None if mode == "default" else mode, "dynamic": dynamic, "fullgraph": fullgraph}
    options = {name: value for name, value in options.items() if value is not None}
    make_body = training_body if training else inference_body
    parameters = [each for name, each in inspect.signature(make).parameters.items() if name in parameters_of(make)]

    def build(compiles: bool, **settings):
        built = make(**settings)
        return make_body(built, compiled_model(built, options) if compiles else built.model)

    for name, compiles in ((eager, False), (compiled, True)):
        build_once = BuildOnce(functools.partial(build, compiles), parameters)
        subject(name, training=training)(build_once)
        subject(f"memory of {name}", training=training)(MemoryOf(build_once))
