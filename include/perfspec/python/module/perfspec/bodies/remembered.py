# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether a body computes what it returns. One that returns what an earlier call computed agrees with any reference, and takes no time.

A body may also keep a tensor to write its result there in each call, as CUDA graphs do. To tell the two apart, the values of a result that lies
where the one before lay are destroyed, and the body runs again: who computes does not return the destroyed values. The rule of perfspec's
libtorch/outputs/remembered-inl.hpp.
"""

from __future__ import annotations

import enum
import typing

from .deadline import TooLong
from .own_memory import own_memory
from .places import FixedPlace, Place, PlainPlace, Untestable, places_in, tensor_or_array
from .reached import reached_by


class Source(str, enum.Enum):
    """Where a result comes from."""

    COMPUTED = "computed"
    HELD = "held"  # nothing wrote it, and the body held it before its first call: its own input, or what was computed while it was built
    REMEMBERED = "remembered"  # an earlier call computed it
    COPIED = "copied"  # from what the body held before its first call, into memory of its own
    LOOKED_UP = "looked up"  # the body held it, and cannot do without its values: it searched for it


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
    """Destroys values, runs the body, and restores them. Where they come back, numbers do so a second time, from above: the smallest of what a body
    computes and of what it finds was no result of an earlier call.

    kept        for each value of a result, where it may come from; None for one that says nothing
    lies_right  whether the further result lies where it is to lie"""
    answer = answer_to(kept, again, lies_right, above=False)
    has_numbers = any(isinstance(each, PlainPlace) for some in kept for each in some or ())
    return answer_to(kept, again, lies_right, above=True) if answer == Answer.DESTROYED and has_numbers else answer


def answer_to(kept: list[list[Place] | None], again: typing.Callable[[], typing.Any], lies_right: typing.Callable[[list[Place]], bool],
              above: bool) -> Answer:
    destroyed, memory = [], own_memory()
    try:
        for place in (each for some in kept for each in some or ()):
            if (address := place.address()) is not None and not memory.may_be_written(address):
                raise Untestable
            place.keep()
            destroyed.append(place)
            place.destroy(above)
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
