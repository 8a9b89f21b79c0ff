# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The two subjects of an experiment: a model as it is, and compiled."""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import typing

from ..subjects import body, subject
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


def declare(make: typing.Callable[[], Model], *, backend: str = "inductor", mode: str | None = None, dynamic: bool | None = None,
            fullgraph: bool = False, training: bool = False, eager: str = "eager", compiled: str = "compiled") -> None:
    """Declares two subjects: the model that `make` returns, and the same under torch.compile with these options.

    make             builds the model; called once for each subject, so that neither changes the other. A run may set its parameters batch, dtype
                     and device
    mode             of torch.compile; None and "default" are the same
    training         measure a step of SGD instead of a call, in the mode in which `make` leaves the model
    eager, compiled  names of the subjects, if a file declares several pairs
    """
    given = {"backend": backend, "mode": None if mode == "default" else mode, "dynamic": dynamic, "fullgraph": fullgraph}
    options = {name: value for name, value in given.items() if value is not None}
    make_body = training_body if training else inference_body

    def build(compiles, **settings):
        built = make(**settings)
        return make_body(built, compiled_model(built, options) if compiles else built.model)

    for name, compiles in ((eager, False), (compiled, True)):
        build_one = functools.partial(build, compiles)
        build_one.__signature__ = inspect.signature(make)  # the settings that a run can ask for
        subject(name, training=training)(build_one)
