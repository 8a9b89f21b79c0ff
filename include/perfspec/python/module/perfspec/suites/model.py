# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A model of a suite with its inputs, and its two subjects: as it is, and compiled."""

from __future__ import annotations

import collections
import collections.abc
import contextlib
import copy
import functools
import importlib
import inspect
import typing

from ..faults import Refusal
from ..subjects import body, subject

LEARNING_RATE = 1e-3


class Model(typing.NamedTuple):
    """A model and its arguments.

    loss      a single number from an output; the default is the mean square
    compile   makes the candidate from the model and the options of declare; the default is torch.compile
    autocast  makes a context in which both subjects run; torch.compile compiles that context, too
    """

    model: typing.Callable
    args: tuple = ()
    kwargs: typing.Mapping = {}
    loss: typing.Callable | None = None
    compile: typing.Callable | None = None
    autocast: typing.Callable = contextlib.nullcontext


def tensors_of(output) -> list:
    """The floating-point tensors of an output, in their order."""
    import torch

    if isinstance(output, (list, tuple, collections.abc.Mapping)):  # the pytree knows no subclasses of these
        parts = output.values() if isinstance(output, collections.abc.Mapping) else output
        return [tensor for part in parts for tensor in tensors_of(part)]
    return [each for each in torch.utils._pytree.tree_leaves(output) if isinstance(each, torch.Tensor) and each.is_floating_point()]


def mean_square(output):
    """A loss that needs no labels."""
    if not (tensors := tensors_of(output)):
        raise Refusal("the model returned no floating-point tensor for the default loss: give perfspec.suites.Model(…, loss=…)")
    first = tensors[0]
    return (first if first.element_size() >= 4 else first.float()).square().mean()  # which half precision may not hold


def converted(value, to: typing.Callable):
    """A copy with `to` applied to all tensors."""
    import torch

    if isinstance(value, (dict, collections.UserDict)):
        result = copy.copy(value)
        result.update((name, converted(each, to)) for name, each in value.items())
        return result
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(converted(each, to) for each in value))
    if isinstance(value, (list, tuple)):
        return type(value)(converted(each, to) for each in value)
    return torch.utils._pytree.tree_map_only(torch.Tensor, to, value)


def configured(built: Model, dtype: str, device: str, training: bool) -> Model:
    import torch

    torch_dtype = torch.float32 if dtype == "amp" else getattr(torch, dtype)
    model = built.model.to(device=device, dtype=torch_dtype).train(training)
    for part in model.modules() if training else ():  # eager and compiled draw different random numbers
        if isinstance(part, torch.nn.modules.dropout._DropoutNd):
            part.p = 0.0
    move = lambda tensor: tensor.to(device=device, dtype=torch_dtype if tensor.is_floating_point() else None)  # noqa: E731
    device_type = device.partition(":")[0]
    autocast = (lambda: torch.autocast(device_type, torch.bfloat16)) if dtype == "amp" else built.autocast
    return built._replace(model=model, args=converted(tuple(built.args), move), kwargs=converted(dict(built.kwargs), move), autocast=autocast)


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
        if not compiles:
            return make_body(built, built.model)
        compile_model = built.compile or importlib.import_module("torch").compile
        return make_body(built, compile_model(built.model, **options))

    for name, compiles in ((eager, False), (compiled, True)):
        build_one = functools.partial(build, compiles)
        build_one.__signature__ = inspect.signature(make)  # the settings that a run can set
        subject(name, training=training)(build_one)
