# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A model of a suite, ready to be run."""

from __future__ import annotations

import collections
import collections.abc
import contextlib
import copy
import typing

from ..faults import Refusal


class Model(typing.NamedTuple):
    """A model and what it is called with.

    loss      of what it returned, a single number; of images, tokens and the like the mean square is taken
    compile   makes the candidate of the model, where it is not torch.compile; takes the model and options of declare
    autocast  makes a context in which both run; with torch.compile that context is compiled, too
    """

    model: typing.Callable
    args: tuple = ()
    kwargs: typing.Mapping = {}
    loss: typing.Callable | None = None
    compile: typing.Callable | None = None
    autocast: typing.Callable = contextlib.nullcontext


def at_least_single(tensor):
    """In float32 where it is in half precision, whose range a sum of squares may leave."""
    return tensor if tensor.element_size() >= 4 else tensor.float()


def tensors_of(output) -> list:
    """The tensors of floating point in what a model returned, in their order."""
    import torch

    if isinstance(output, (list, tuple, collections.abc.Mapping)):  # the pytree knows some types of them, and no subclasses
        parts = output.values() if isinstance(output, collections.abc.Mapping) else output
        return [tensor for part in parts for tensor in tensors_of(part)]
    return [each for each in torch.utils._pytree.tree_leaves(output) if isinstance(each, torch.Tensor) and each.is_floating_point()]


def mean_square(output):
    """A loss that needs no labels."""
    if not (tensors := tensors_of(output)):
        raise Refusal("the model returned no tensor of floating point to take a loss of: give perfspec.suites.Model(…, loss=…)")
    return at_least_single(tensors[0]).square().mean()


def without_dropout(model) -> None:
    """eager and compiled draw other random numbers, so their outputs could not be compared."""
    import torch

    for part in model.modules():
        if isinstance(part, torch.nn.modules.dropout._DropoutNd):
            part.p = 0.0


def converted(value, to: typing.Callable):
    """The same with `to` applied to all tensors."""
    import torch

    if isinstance(value, (dict, collections.UserDict)):
        made = copy.copy(value)
        made.update((name, converted(each, to)) for name, each in value.items())
        return made
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(converted(each, to) for each in value))
    if isinstance(value, (list, tuple)):
        return type(value)(converted(each, to) for each in value)
    return torch.utils._pytree.tree_map_only(torch.Tensor, to, value)


def as_asked(built: Model, dtype: str, device: str, training: bool) -> Model:
    import torch

    kind = torch.float32 if dtype == "amp" else getattr(torch, dtype)
    model = built.model.to(device=device, dtype=kind).train(training)
    if training:
        without_dropout(model)
    move = lambda tensor: tensor.to(device=device, dtype=kind if tensor.is_floating_point() else None)  # noqa: E731
    place = device.partition(":")[0]
    autocast = (lambda: torch.autocast(place, torch.bfloat16)) if dtype == "amp" else built.autocast
    return built._replace(model=model, args=converted(tuple(built.args), move), kwargs=converted(dict(built.kwargs), move), autocast=autocast)
