# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What a body can reach that is equal to what it returned. Its result may be a copy of that: `return kept.clone()`."""

from __future__ import annotations

import typing

from .. import libraries
from .places import ArrayPlace, Place, PlainPlace, TensorPlace, parts_of, tensor_or_array
from .reached import reached_by

PLAIN = (bool, int, float, complex, str, bytes)


def kind_of(place: Place) -> tuple:
    """What two tensors or arrays have in common that can hold the same."""
    if isinstance(place, TensorPlace):
        return "tensor", tuple(place.tensor.shape), place.tensor.dtype, place.tensor.device
    return "array", place.array.shape, place.array.dtype


def is_equal(one: Place, other: Place) -> bool:
    """Whether two places of one kind, that are arrays or tensors, hold the same."""
    if isinstance(one, TensorPlace):
        return libraries.torch().equal(one.tensor, other.tensor)
    return bool(libraries.numpy().array_equal(one.array, other.array))


def is_initial(place: Place) -> bool:
    """Whether all its elements are 0, or all are 1, as biases and weights of norms are at first: much else holds the same by chance."""
    values = place.tensor if isinstance(place, TensorPlace) else place.array
    return bool((values == 0).all() or (values == 1).all())


class Holder(typing.NamedTuple):
    """A list, dictionary or object that was returned, and its numbers and texts: by their keys, and which of all values they are."""

    value: typing.Any
    numbers: dict[typing.Any, int]

    def places_in(self, other: typing.Any) -> list[tuple[int, Place]]:
        _, get, put = parts_of(other)
        return [(at, PlainPlace(other, key, get, put)) for key, at in self.numbers.items()]


def signature_of(value: typing.Any) -> tuple | None:
    """Its class, its length, and its numbers and texts; nothing for a single value. Those with the same one hold the same."""
    parts = parts_of(value)
    if parts is None:
        return None
    keys, get, _ = parts
    each = ((key, get(value, key)) for key in keys)
    return type(value), len(keys), frozenset((key, type(part), part) for key, part in each if isinstance(part, PLAIN) and part != "")


def by_signature(holders: list[Holder]) -> dict[tuple, list[Holder]]:
    found: dict[tuple, list[Holder]] = {}
    for each in holders:
        found.setdefault(signature_of(each.value), []).append(each)
    return found


def holders_of(wanted: list[Place]) -> list[Holder]:
    holders: dict[int, Holder] = {}
    for at, each in enumerate(wanted):
        if isinstance(each, PlainPlace):
            holders.setdefault(id(each.holder), Holder(each.holder, {})).numbers[each.key] = at
    return list(holders.values())


class Wanted:
    """What somebody returned, and where the same may be."""

    def __init__(self, places: list[Place]) -> None:
        self.values = [(at, each) for at, each in enumerate(places) if isinstance(each, (TensorPlace, ArrayPlace)) and not is_initial(each)]
        holders = holders_of(places)
        self.holders = by_signature(holders)
        self.shapes = {(type(each.value), len(parts_of(each.value)[0])) for each in holders}

    def places_in(self, found: typing.Any) -> list[tuple[int, Place]]:
        """Where an object holds the same as some of the places, by their numbers."""
        places = tensor_or_array(found)
        if places is not None:
            return [(at, place) for place in places for at, each in self.values if kind_of(place) == kind_of(each) and is_equal(place, each)]
        if not self.may_be_one(found):
            return []
        return [place for each in self.holders.get(signature_of(found), ()) for place in each.places_in(found)]

    def may_be_one(self, found: typing.Any) -> bool:
        """Whether its class and length are right. What is in it is read for no other: a mapping of the user's may load what it is asked for."""
        if not any(type(found) is each for each, _ in self.shapes):
            return False
        return any(type(found) is each and (length == len(found) if hasattr(each, "__len__") else True) for each, length in self.shapes)


def equals_of(places: list[Place], body: typing.Callable, file: str) -> list[list[Place] | None]:
    """For each of some values, where the body can reach the same: a part of it, or another one that is equal. None for one that is like many others.

    file  of the subjects: what is beside it is theirs"""
    wanted = Wanted(places)
    equals: list[list[Place] | None] = [None if isinstance(each, (TensorPlace, ArrayPlace)) and is_initial(each) else [] for each in places]
    for each in reached_by(body, file).objects:
        try:
            found = wanted.places_in(each)
        except Exception:  # a tensor without memory, or a class that compares as it likes
            continue
        for at, place in found:
            equals[at].append(place)
    return equals
