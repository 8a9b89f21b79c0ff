# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether a body computes what it returns. One that returns what an earlier call computed agrees with any reference, and takes no time.

A body may also keep a tensor to write its result there in each call, as CUDA graphs do. To tell the two apart, the values of a result that lies
where the one before lay are destroyed, and the body runs again: who computes does not return the destroyed values. The rule of perfspec's
libtorch/outputs/remembered-inl.hpp.
"""

from __future__ import annotations

import collections.abc
import contextlib
import dataclasses
import enum
import operator
import typing

from .. import libraries
from ..libraries import is_a
from ..outputs import DEEPEST
from .deadline import TooLong
from .own_memory import own_memory
from .reached import reached_by

DESTROYED = object()  # whoever computes with it raises


class Source(str, enum.Enum):
    """Where a result comes from."""

    COMPUTED = "computed"
    HELD = "held"  # nothing wrote it, and the body held it before its first call: its own input, or what was computed while it was built
    REMEMBERED = "remembered"  # an earlier call computed it
    COPIED = "copied"  # from what the body held before its first call, into memory of its own
    LOOKED_UP = "looked up"  # the body held it, and cannot do without its values: it searched for it


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

    def destroy(self) -> None:
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

    def destroy(self) -> None:
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

    def destroy(self) -> None:
        self.put(self.holder, self.key, DESTROYED)

    def look(self) -> None:
        pass

    def is_destroyed_in(self, later: PlainPlace) -> bool:
        return later.get(later.holder, later.key) is DESTROYED

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

    destroy = look = restore = keep

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


class Held(typing.NamedTuple):
    """Where all lies that a body can reach, as `lies_in` of a place says it."""

    places: set
    is_whole: bool = True

    def may_hold(self, place: Place) -> bool:
        """Where there was too much to look at, nobody knows what else it held."""
        return place.lies_in in self.places or not self.is_whole


def places_of(objects: list) -> set:
    found = set()
    for each in objects:
        found.add(("object", id(each)))
        try:
            found.update(place.lies_in for place in tensor_or_array(each) or [])
        except Exception:  # it cannot be destroyed either, or has no memory
            pass
    return found


def held_by(body: typing.Any, file: str) -> Held:
    found = reached_by(body, file)
    return Held(places_of(found.objects), found.is_whole)


class Made(typing.NamedTuple):
    """What calls of bodies made and left where others reach it, as in a cache that two subjects share. While it is kept, its places are no others'."""

    places: set = set()
    objects: list = []


def made_by_calls(called: list, file: str) -> Made:
    """called  pairs of a body that was called, and what it held before its first call"""
    if not called or not all(held.is_whole for _, held in called):
        return Made()
    found = reached_by([body for body, _ in called], file)
    return Made(places_of(found.objects).difference(*(held.places for _, held in called)), found.objects)


def places_or_none(returned: typing.Any) -> list[Place]:
    """Where its values lie; nothing where one of them counts as computed, and where none can be destroyed."""
    try:
        places = places_in(returned)
    except Exception:  # tensors of other libraries raise what they like
        return []
    return [] if all(isinstance(each, FixedPlace) for each in places) else places


def where_all(places: list[Place]) -> list[tuple]:
    return [each.where for each in places]


class Answer(enum.Enum):
    """What a further run returns whose values were destroyed before it."""

    DESTROYED = enum.auto()
    OTHERS = enum.auto()
    NONE = enum.auto()  # it fails, goes on for too long, or returns something else from elsewhere: it read them


def answer_to_destroyed(kept: list[list[Place] | None], again: typing.Callable[[], typing.Any],
                        lies_right: typing.Callable[[list[Place]], bool] = lambda later: True) -> Answer:
    """Destroys values, runs the body, and restores them.

    kept        for each value of a result, where it may come from; None for one that says nothing
    lies_right  whether the further result lies where it is to lie"""
    destroyed, memory = [], own_memory()
    try:
        for place in (each for some in kept for each in some or ()):
            if (address := place.address()) is not None and not memory.may_be_written(address):
                raise Untestable
            place.keep()
            destroyed.append(place)
            place.destroy()
        for place in destroyed:
            place.look()  # when all are destroyed, because they may share memory
        later = places_in(again())
        if len(later) != len(kept) or not lies_right(later):
            return Answer.NONE
        came_back = all(any(one.is_destroyed_in(each) for one in some) for some, each in zip(kept, later) if some is not None)
        return Answer.DESTROYED if came_back else Answer.OTHERS
    except (Exception, TooLong):  # values that cannot be destroyed, or a body that computes with them
        return Answer.NONE
    finally:
        for place in reversed(destroyed):  # the last one first: where two share memory, the first one knows what was there
            try:
                place.restore()
            except Exception:  # a CUDA graph has taken its memory back
                pass


def source_of(first: list[Place], second: list[Place], held: Held, again: typing.Callable[[], typing.Any],
              equals: typing.Callable[[list[Place]], list[list[Place] | None]] = lambda places: []) -> Source:
    """Where two results of one body come from, of which the first still lay in memory when the second came.

    held    what the body could reach before its first call
    again   calls the body once more, from the same state and seeds
    equals  for each value of a result, where the body can reach the same: its result may be a copy of that; None for a value of which that says nothing"""
    if not second:
        return Source.COMPUTED
    if where_all(first) == where_all(second):
        answer = answer_to_destroyed([[each] for each in second], again, lambda later: where_all(later) == where_all(second))
        if answer == Answer.OTHERS:
            return Source.COMPUTED
        was_held = all(map(held.may_hold, second))
        if answer == Answer.NONE:  # a search for what is destroyed now finds nothing
            return Source.LOOKED_UP if was_held else Source.COMPUTED
        return Source.HELD if was_held else Source.REMEMBERED
    kept = equals(second)
    tested = [each for each in kept if each is not None]
    if not tested or not all(tested) or answer_to_destroyed(kept, again) != Answer.DESTROYED:
        return Source.COMPUTED
    return Source.COPIED if all(any(map(held.may_hold, some)) for some in tested) else Source.REMEMBERED


def not_computed(reference: Source, candidate: Source) -> str:
    """The side of which times say nothing of computing its outputs; empty for neither. A layer that passes on its input, as dropout does, computes
    nothing on both sides; a candidate alone that does computed while it was built."""
    if reference == Source.REMEMBERED:
        return "reference"
    return "candidate" if candidate == Source.REMEMBERED or (candidate == Source.HELD and reference == Source.COMPUTED) else ""
