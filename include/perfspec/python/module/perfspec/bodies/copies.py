# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What a body can reach that is equal to what it returned. Its result may be a copy of that: `return kept.clone()`."""

from __future__ import annotations

import typing

from .. import libraries
from .remembered import ArrayPlace, Place, PlainPlace, TensorPlace, parts_of, reached_by, tensor_or_array

PLAIN = (bool, int, float, complex, str, bytes)


def kind_of(place: Place) -> tuple:
    """What two places have in common that can hold the same."""
    if isinstance(place, TensorPlace):
        return "tensor", tuple(place.tensor.shape), place.tensor.dtype, place.tensor.device
    if isinstance(place, ArrayPlace):
        return "array", place.array.shape, place.array.dtype
    return ("object",)


def is_equal(one: Place, other: Place) -> bool:
    """Whether two places of one kind, that are arrays or tensors, hold the same."""
    if isinstance(one, TensorPlace):
        return libraries.torch().equal(one.tensor, other.tensor)
    return bool(libraries.numpy().array_equal(one.array, other.array))


class Holder(typing.NamedTuple):
    """A list, dictionary or object that was returned, and its numbers and texts: by their keys, and which of all values they are."""

    value: typing.Any
    numbers: dict[typing.Any, int]

    def is_like(self, other: typing.Any) -> bool:
        """Whether another one holds the same numbers and texts. Of one class both have the same way to get at them."""
        if type(other) is not type(self.value):
            return False
        keys, get, _ = parts_of(other)
        return len(keys) == len(parts_of(self.value)[0]) and all(is_same(get(other, key), get(self.value, key)) for key in self.numbers)

    def places_in(self, other: typing.Any) -> list[tuple[int, Place]]:
        _, get, put = parts_of(other)
        return [(at, PlainPlace(other, key, get, put)) for key, at in self.numbers.items()]


def is_same(one: typing.Any, other: typing.Any) -> bool:
    return type(one) is type(other) and isinstance(one, PLAIN) and one == other


def holders_of(wanted: list[Place]) -> list[Holder]:
    holders: dict[int, Holder] = {}
    for at, each in enumerate(wanted):
        if isinstance(each, PlainPlace):
            holders.setdefault(id(each.holder), Holder(each.holder, {})).numbers[each.key] = at
    return list(holders.values())


def places_like(wanted: list[Place], holders: list[Holder], found: typing.Any) -> list[tuple[int, Place]]:
    """Where an object holds the same as some of the wanted places, by their numbers."""
    places = tensor_or_array(found)
    if places is None:
        return [place for each in holders if each.is_like(found) for place in each.places_in(found)]
    return [(at, place) for place in places for at, each in enumerate(wanted)
            if kind_of(place) == kind_of(each) and is_equal(place, each)]


def equals_of(wanted: list[Place], body: typing.Callable, file: str) -> list[list[Place]]:
    """For each of some values, where the body can reach the same: a part of it, or another one that is equal.

    file  of the subjects: what is beside it is theirs"""
    equals: list[list[Place]] = [[] for _ in wanted]
    holders = holders_of(wanted)
    for each in list(reached_by(body, file)):
        try:
            found = places_like(wanted, holders, each)
        except Exception:  # a tensor without memory, or a class that compares as it likes
            continue
        for at, place in found:
            equals[at].append(place)
    return equals
