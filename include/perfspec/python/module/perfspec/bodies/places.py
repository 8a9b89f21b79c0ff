# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Where the values lie that a body returned, and how each is destroyed and put back."""

from __future__ import annotations

import collections.abc
import contextlib
import dataclasses
import math
import operator
import typing

from .. import libraries
from ..libraries import is_a
from ..outputs import DEEPEST

DESTROYED = object()  # in place of what is neither a number nor a text


class Untestable(Exception):
    """A value that cannot be destroyed, so whoever made it counts as having computed it."""


def destroyed_numbers(at: typing.Any, largest: float) -> typing.Any:
    """Numbers as large as the values, and of both signs: no function that works in place, as relu_ or sort do, leaves them as they are.

    at  0, 1, 2, …, as an array of either library"""
    return (largest or 1.0) * (at % 2 * 2 - 1) * (at % 7 / 7 + 1.5)


def destroyed_integers(values: typing.Any) -> typing.Any:
    """Others in the range of the values, since they may be indices."""
    low, high = values.min(), values.max()
    return values * 0 + (low - 1 if low > 0 else low + 1) if low == high else high - (values - low)


def in_memory(tensor: typing.Any) -> typing.Any:
    """Each element of a tensor once, as it lies in memory: of a sparse one the values, and of one that was expanded what it repeats."""
    torch = libraries.torch()
    if tensor.is_quantized or tensor.is_meta or getattr(tensor, "is_nested", False):
        raise Untestable
    tensor = tensor.data  # without the count of changes: what is restored has not changed for a backward pass that comes later
    if tensor.layout != torch.strided:
        tensor = tensor._values() if tensor.layout == torch.sparse_coo else tensor.values()
    for dimension, step in enumerate(tensor.stride()):
        tensor = tensor.narrow(dimension, 0, 1) if step == 0 and tensor.shape[dimension] > 1 else tensor
    return tensor


def other_than(value: typing.Any, above: bool) -> typing.Any:
    """Another number or text of the same class, so that a body that computes with it comes to its end: one that is stopped in its middle may keep a lock.

    above  else below: a body may return the largest or the smallest of what it finds there and computes"""
    if type(value) is int:
        return value + 1 if above else value - 1
    if type(value) is float:
        step = abs(value) if math.isfinite(value) and value else 1.0
        return (value if math.isfinite(value) else 0.0) + (step if above else -2 * step)
    if type(value) is str:
        return value + "~" if above else " " + value
    return DESTROYED


class TensorPlace:
    """A tensor that a body returned."""

    def __init__(self, tensor: typing.Any) -> None:
        self.tensor = tensor = in_memory(tensor)
        self.lies_in = "tensor", tensor.untyped_storage().data_ptr()  # now: a CUDA graph takes the memory of its last result back
        self.where = *self.lies_in, tensor.data_ptr(), tuple(tensor.shape)

    def address(self) -> int | None:
        """In the memory of this process; nothing on a device."""
        return self.tensor.data_ptr() if self.tensor.device.type == "cpu" else None

    def writing(self) -> typing.ContextManager:
        return libraries.torch().inference_mode(self.tensor.is_inference())

    def keep(self) -> None:
        self.before = self.tensor.clone()

    def destroy(self, above: bool) -> None:
        torch, before = libraries.torch(), self.before
        if before.dtype == torch.bool:
            values = before.logical_not()
        elif before.is_floating_point() or before.is_complex():
            wide = before.abs().float().nan_to_num()
            values = destroyed_numbers(torch.arange(before.numel(), device=before.device), wide.max().item()).reshape(before.shape)
        else:
            values = destroyed_integers(before)
        with self.writing():
            self.tensor.copy_(values)

    def look(self) -> None:
        self.after = self.tensor.clone()

    def is_destroyed_in(self, later: TensorPlace) -> bool:
        return libraries.torch().equal(later.tensor, self.after)

    def restore(self) -> None:
        with self.writing():
            self.tensor.copy_(self.before)


class ArrayPlace:
    """An array of NumPy that a body returned."""

    def __init__(self, array: typing.Any) -> None:
        if array.dtype.kind not in "biufc":
            raise Untestable
        whole = array
        while isinstance(whole.base, type(array)):
            whole = whole.base
        self.array, self.lies_in = array, ("array", whole.ctypes.data)
        self.where = *self.lies_in, array.ctypes.data, tuple(array.shape)

    def address(self) -> int | None:
        return self.array.ctypes.data

    @contextlib.contextmanager
    def writing(self) -> typing.Iterator[None]:
        """Also to one that is read-only, where its memory is its own."""
        before = self.array.flags.writeable
        self.array.flags.writeable = True
        try:
            yield
        finally:
            self.array.flags.writeable = before

    def keep(self) -> None:
        self.before = self.array.copy()

    def destroy(self, above: bool) -> None:
        numpy, before = libraries.numpy(), self.before
        if before.dtype.kind == "b":
            values = ~before
        elif before.dtype.kind in "fc":
            largest = float(numpy.nan_to_num(numpy.abs(before).astype("float64")).max())
            values = destroyed_numbers(numpy.arange(before.size), largest).reshape(before.shape)
        else:
            values = destroyed_integers(before)
        with numpy.errstate(all="ignore"), self.writing():
            numpy.copyto(self.array, values, casting="unsafe")

    def look(self) -> None:
        self.after = self.array.copy()

    def is_destroyed_in(self, later: ArrayPlace) -> bool:
        return libraries.numpy().array_equal(later.array, self.after)

    def restore(self) -> None:
        with self.writing():
            self.array[...] = self.before


class PlainPlace:
    """A number or text, and the list, dictionary or object that a body returned it in."""

    def __init__(self, holder: typing.Any, key: typing.Any, get: typing.Callable, put: typing.Callable) -> None:
        self.holder, self.key, self.get, self.put = holder, key, get, put
        self.lies_in = "object", id(holder)
        self.where = *self.lies_in, key

    def address(self) -> int | None:
        return None

    def keep(self) -> None:
        self.before = self.get(self.holder, self.key)

    def destroy(self, above: bool) -> None:
        self.after = DESTROYED if isinstance(self.holder, list) else other_than(self.before, above)  # other numbers in order would be sorted already
        self.put(self.holder, self.key, self.after)

    def look(self) -> None:
        pass

    def is_destroyed_in(self, later: PlainPlace) -> bool:
        found = later.get(later.holder, later.key)
        return found is self.after or (type(found) is type(self.after) and self.after is not DESTROYED and found == self.after)

    def restore(self) -> None:
        self.put(self.holder, self.key, self.before)


class FixedPlace:
    """A number or text in a tuple, which cannot be destroyed. It comes back where the very tuple does, which the first call made."""

    def __init__(self, holder: tuple, key: int) -> None:
        self.holder = holder
        self.lies_in = "object", id(holder)
        self.where = *self.lies_in, key

    def address(self) -> int | None:
        return None

    def keep(self) -> None:
        pass

    look = restore = keep

    def destroy(self, above: bool) -> None:
        pass

    def is_destroyed_in(self, later: FixedPlace) -> bool:
        return later.holder is self.holder


Place = typing.Union[TensorPlace, ArrayPlace, PlainPlace, FixedPlace]


def tensor_or_array(value: typing.Any) -> list[Place] | None:
    """Its place, none where it is empty; None for anything else."""
    torch, numpy = libraries.torch(), libraries.numpy()
    if torch is not None and is_a(value, torch.Tensor):
        return [TensorPlace(value)] if value.numel() and in_memory(value).numel() else []
    if numpy is not None and is_a(value, numpy.ndarray):
        return [ArrayPlace(value)] if value.size else []
    return None


def parts_of(value: typing.Any) -> tuple[list, typing.Callable, typing.Callable | None] | None:
    """Keys of what a container holds, how to get what is there, and how to put something else there, if one can; None for a single value."""
    if isinstance(value, collections.abc.Mapping):
        return list(value), operator.getitem, operator.setitem if isinstance(value, collections.abc.MutableMapping) else None
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [each.name for each in dataclasses.fields(value)], getattr, object.__setattr__  # frozen ones, too
    if isinstance(value, (list, tuple)):
        return list(range(len(value))), operator.getitem, operator.setitem if isinstance(value, list) else None
    return None


def places_in(value: typing.Any, depth: int = 0) -> list[Place]:
    """Where the values lie that a body returned, but for empty ones. Raises Untestable for one of which that says nothing."""
    if (found := tensor_or_array(value)) is not None:
        return found
    parts = parts_of(value)
    if parts is None or depth > DEEPEST:
        raise Untestable
    keys, get, put = parts
    places = []
    for key in keys:
        each = get(value, key)
        if parts_of(each) is not None or tensor_or_array(each) is not None:
            places += places_in(each, depth + 1)
        elif each is not None and each != "":
            if put is None and not isinstance(value, tuple):
                raise Untestable
            places.append(FixedPlace(value, key) if put is None else PlainPlace(value, key, get, put))
    return places
