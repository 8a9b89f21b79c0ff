# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether the first call of a body used up an iterator that its function made: the calls after it find nothing, and are timed."""

from __future__ import annotations

import functools
import inspect
import operator
import typing

from .faults import Refusal

ADAPTERS = (map, filter, zip, enumerate)  # which say what they read from


def reachable(body: typing.Callable) -> typing.Iterator[typing.Any]:
    """What the body itself holds: the variables around it, its default arguments, and what is bound to it."""
    while isinstance(body, functools.partial):
        yield from body.args
        yield from body.keywords.values()
        body = body.func
    if inspect.ismethod(body):
        yield from vars(body.__self__).values() if hasattr(body.__self__, "__dict__") else ()
        body = body.__func__
    for cell in getattr(body, "__closure__", None) or ():
        try:
            yield cell.cell_contents
        except ValueError:  # the variable has no value yet
            continue
    yield from getattr(body, "__defaults__", None) or ()


def is_used_up(iterator: typing.Any) -> bool:
    """Whether nothing is left to read. Some iterators do not tell; they count as unused."""
    if inspect.isgenerator(iterator):
        return inspect.getgeneratorstate(iterator) == inspect.GEN_CLOSED
    if isinstance(iterator, ADAPTERS):
        return any(is_used_up(each) for each in iterator.__reduce__()[1] if hasattr(each, "__next__"))
    try:
        return operator.length_hint(iterator, 1) == 0
    except Exception:  # of a class that has a hint, and cannot tell it
        return False


def unused_iterators(body: typing.Callable) -> list[typing.Any]:
    return [each for each in reachable(body) if hasattr(each, "__next__") and not is_used_up(each)]


def require_unused(iterators: list[typing.Any], name: str) -> None:
    """iterators  which had something left before the call"""
    if used := [each for each in iterators if is_used_up(each)]:
        raise Refusal(f"the first call of the body of {name} used up a {type(used[0]).__name__}, and later calls find nothing in it: make it in the "
                      f"body, or make a list of it in the function", "body_threw")
