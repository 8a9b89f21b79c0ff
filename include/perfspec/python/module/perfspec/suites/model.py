# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A model of a suite with its inputs, and what prepares it for a run."""

from __future__ import annotations

import collections
import collections.abc
import contextlib
import copy
import typing

from ..faults import Refusal


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


def at_least_single(tensor):
    """A tensor in half precision as float32, because a sum of squares may leave the range of half precision."""
    return tensor if tensor.element_size() >= 4 else tensor.float()


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
        raise Refusal("the model returned no tensor of floating point to take a loss of: give perfspec.suites.Model(…, loss=…)")
    return at_least_single(tensors[0]).square().mean()


def without_dropout(model) -> None:
    """eager and compiled draw different random numbers, so outputs with dropout cannot be compared."""
    import torch

    for part in model.modules():
        if isinstance(part, torch.nn.modules.dropout._DropoutNd):
            part.p = 0.0


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
    if training:
        without_dropout(model)
    move = lambda tensor: tensor.to(device=device, dtype=torch_dtype if tensor.is_floating_point() else None)  # noqa: E731
    device_type = device.partition(":")[0]
    autocast = (lambda: torch.autocast(device_type, torch.bfloat16)) if dtype == "amp" else built.autocast
    return built._replace(model=model, args=converted(tuple(built.args), move), kwargs=converted(dict(built.kwargs), move), autocast=autocast)
