# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Settings of a run for subjects, --perf-with NAME=VALUE: parameters of a subject's function."""

from __future__ import annotations

import inspect
import typing

from . import libraries
from .faults import Refusal

EXAMPLES = {"batch": "8", "dtype": "torch.float32", "device": '"cpu"'}  # a default of each setting


def parameters_of(function: typing.Callable) -> dict[str, typing.Any]:
    """The settings that a function takes by name, and their defaults. `**any` does not count: the function may ignore it."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {each.name: each.default for each in parameters if each.name in EXAMPLES and each.kind in by_name}


def settings_in(fields: dict[str, str]) -> dict[str, str]:
    """The settings among the fields of a request."""
    return {name: value for name, value in fields.items() if name in EXAMPLES}


def require_device(name: str) -> None:
    """Raises Refusal if torch knows that this machine lacks the device."""
    loaded, (kind, _, number) = libraries.torch(), name.partition(":")
    if loaded is None or kind != "cuda":
        return
    count = loaded.cuda.device_count() if loaded.cuda.is_available() else 0
    if count <= (int(number) if number.isdigit() else 0):
        raise Refusal(f"torch finds no device {name} on this machine", "unavailable")


def value_of(name: str, text: str, default: typing.Any) -> typing.Any:
    """The argument, of the type of the parameter's default."""
    if name == "batch":
        return int(text)
    loaded = libraries.torch()
    if loaded is not None and isinstance(default, loaded.dtype):
        return getattr(loaded, text)
    return loaded.device(text) if loaded is not None and isinstance(default, loaded.device) else text


def arguments_for(subject: str, function: typing.Callable, settings: dict[str, str]) -> dict[str, typing.Any]:
    """Raises Refusal for a setting that the function does not take, so that nothing is measured at another setting."""
    defaults = parameters_of(function)
    for name, text in settings.items():
        if name not in defaults:
            raise Refusal(f"this run asks for {name}={text} (--perf-with), but {subject} does not take it: write its function as "
                          f"`def …({name}={EXAMPLES[name]}):` "
                          f"(in pytest: perf.subject(\"{subject}\", load=make), where make takes {name}={EXAMPLES[name]}), or leave {name} out of the run", "unavailable")
        if name == "device":
            require_device(text)
    return {name: value_of(name, text, defaults[name]) for name, text in settings.items()}
