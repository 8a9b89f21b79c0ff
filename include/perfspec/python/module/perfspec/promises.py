# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Results of bodies that stand for work to be done, such as coroutines, generators and futures."""

from __future__ import annotations

import collections.abc
import concurrent.futures
import functools
import inspect
import io
import typing

from .faults import Refusal


def promise_in(returned: typing.Any, levels: int = 4) -> str:
    """What a result promises; empty for a true result. Searches lists, tuples and dictionaries, `levels` deep."""
    if levels == 0:  # a list may hold itself
        return ""
    if isinstance(returned, dict):  # a dictionary of functions is a result
        some = list(returned.values())[:100]
        return next((promise_in(x, levels - 1) for x in some if inspect.isawaitable(x) or is_future(x) or is_lazy(x)), "")
    if isinstance(returned, (list, tuple)):
        return next(filter(None, (promise_in(x, levels - 1) for x in returned[:100])), "") if not hasattr(returned, "_fields") else ""
    if inspect.iscoroutine(returned):
        returned.close()  # otherwise Python warns that it was never awaited
    if inspect.isawaitable(returned) or inspect.isasyncgen(returned):
        what = "a coroutine" if inspect.iscoroutine(returned) else f"an awaitable, {type(returned).__name__}"
        # asyncio.run takes some 0.1 ms for a loop of its own
        return f"{what}: run it to its end in the body, by loop.run_until_complete. Make the loop outside of the body, loop = asyncio.new_event_loop()"
    if is_lazy(returned):
        return f"a {type(returned).__name__}, which computes when it is read: make a list of it in the body"
    name = type(returned).__name__
    if name == "LazyFrame" or hasattr(type(returned), "__dask_graph__"):  # of Polars and Dask, not imported here
        return f"a {name}, which is a plan of what to compute: return its result, as by collect() or compute()"
    if is_future(returned):
        return f"a {name}: return its result, as by result() or wait()"
    if inspect.isroutine(returned) or isinstance(returned, functools.partial):
        return f"a function, {getattr(returned, '__name__', 'partial')}: call it in the body"
    return ""


def is_lazy(returned: typing.Any) -> bool:
    """Whether it computes its elements when they are read. A file does not count."""
    return isinstance(returned, collections.abc.Iterator) and not isinstance(returned, io.IOBase)


def is_future(returned: typing.Any) -> bool:
    """Also one that is done: it may have been pending when the clock stopped."""
    if isinstance(returned, concurrent.futures.Future):
        return True
    names = ("done", "result", "wait", "value", "ready", "get")
    methods = {each for each in names if callable(getattr(type(returned), each, None))}
    return {"done", "result"} <= methods or {"done", "wait", "value"} <= methods or {"ready", "get", "wait"} <= methods


def require_result(returned: typing.Any) -> None:
    if promise := promise_in(returned):
        raise Refusal(f"nothing has run yet: the body returned {promise}", "body_threw")
