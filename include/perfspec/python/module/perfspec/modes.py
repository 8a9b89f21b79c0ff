# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Modules of torch that are in training mode, though their subject does not train: dropout draws random numbers then, and batch normalisation takes the
statistics of the batch. An eager and a compiled model draw other numbers."""

from __future__ import annotations

import functools
import inspect
import types
import typing

from . import libraries
from .subjects import Subject

DEEPEST = 4  # functions that hold a model


def held_by(function: typing.Callable) -> list:
    """The variables that a function names, and what is bound to it."""
    if isinstance(function, functools.partial):
        return [function.func, *function.args, *function.keywords.values()]
    if inspect.ismethod(function):
        return [function.__self__]
    try:
        found = inspect.getclosurevars(function)
    except (TypeError, ValueError):  # not of Python, or a variable that has no value yet
        return []
    return [*found.nonlocals.values(), *found.globals.values()]


def models_in(held: typing.Any, deep: int = 0) -> list:
    """Modules of torch that a function uses by name, and those of functions that it uses so."""
    if isinstance(held, libraries.torch().nn.Module):
        return [held]
    if deep == DEEPEST or not isinstance(held, (types.FunctionType, types.MethodType, functools.partial)):
        return []
    return [found for each in held_by(held) for found in models_in(each, deep + 1)]


def depends_on_mode(module: typing.Any) -> bool:
    """Whether it computes something else where it trains."""
    name = type(module).__name__
    if "Dropout" in name or "DropPath" in name:
        return next((getattr(module, each) for each in ("p", "drop_prob") if hasattr(module, each)), 1.0) not in (0, 0.0, None)
    return "BatchNorm" in name or isinstance(module, libraries.torch().nn.MultiheadAttention) and module.dropout > 0


def left_training(subject: Subject) -> list[str]:
    """Names of the kinds of modules that are in training mode, each once; none of a subject that trains, or without torch."""
    if subject.training or libraries.torch() is None:
        return []
    names = {type(each).__name__: None for model in models_in(subject.body) for each in model.modules() if each.training and depends_on_mode(each)}
    return list(names)


def hint_for(subjects: list[Subject]) -> str:
    """A sentence for outputs that differ; empty where no mode explains it."""
    texts = [f"{', '.join(names)} of {each.name} {'is' if len(names) == 1 else 'are'} in training mode" for each in subjects if (names := left_training(each))]
    if not texts:
        return ""
    return (f"\n{'; '.join(texts)}: dropout draws random numbers then, and batch normalisation takes the statistics of the batch. Call model.eval() in the "
            f"function of the subject, or write @perfspec.subject(training=True) where it is to train")
