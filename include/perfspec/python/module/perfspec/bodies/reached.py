# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What a body can reach: what it holds, what that holds, and what the code beside the file of the subjects keeps in classes and modules.

Nothing here asks an object for an attribute, or for its class: classes of users answer what they like, or load what they stand for.
"""

from __future__ import annotations

import collections
import gc
import pathlib
import sys
import types
import typing

from ..libraries import is_a
from ..sources import FOREIGN, file_of

MOST_OBJECTS = 60_000  # that are looked at: some fifty milliseconds
MOST_OF_ONE = 4_000  # that one object holds, from each end: a set of data must not hide all that comes after it
UNSEEN = (types.FrameType, types.CodeType, str, bytes, bool, int, float, complex, type(None))  # hold nothing that a body returns
OWNED = (type, types.ModuleType)  # are looked into where they are the user's: those of libraries hold half of the process


class Reached(typing.NamedTuple):
    """What is nearest comes first."""

    objects: list
    is_whole: bool  # else some were left out


class Owner:
    """Knows the user's code: what lies in the folder of the file of the subjects, but for an environment that lies there, too."""

    def __init__(self, file: str) -> None:
        self.folder = pathlib.Path(file).resolve().parent
        self.known: dict[str, bool] = {}

    def owns_file(self, file: str | None) -> bool:
        if file is None:
            return False
        if file not in self.known:
            path = pathlib.Path(file).resolve()
            self.known[file] = self.folder in path.parents and not set(FOREIGN) & set(path.relative_to(self.folder).parts)
        return self.known[file]

    def owns(self, module: typing.Any) -> bool:
        return self.owns_file(file_of(module))

    def seen_in(self, each: typing.Any) -> list:
        """What an object refers to. Of the user's functions, what their code names; of the user's classes and modules, what they hold; nothing of those
        of libraries."""
        if is_a(each, types.ModuleType):
            return list(object.__getattribute__(each, "__dict__").values()) if self.owns(each) else []
        if is_a(each, type):
            return self.seen_in_class(each)
        if is_a(each, types.FunctionType):
            named = self.named_by(each) if self.owns_file(each.__code__.co_filename) else []
            return [each.__closure__, each.__defaults__, each.__kwdefaults__, each.__dict__, *named]
        return gc.get_referents(each)

    def seen_in_class(self, each: type) -> list:
        module = type.__getattribute__(each, "__dict__").get("__module__")
        if not (type(module) is str and self.owns(sys.modules.get(module))):
            return []
        return [*type.__getattribute__(each, "__bases__"), *type.__getattribute__(each, "__dict__").values()]

    def named_by(self, function: types.FunctionType) -> list:
        """What a function's code names of its module, and the modules that it imports itself."""
        names, of_file = names_in(function.__code__), function.__globals__
        package = of_file.get("__package__")
        imported = [sys.modules.get(at) for name in names if name not in of_file for at in (name, f"{package}.{name}")]
        return [of_file[name] for name in names if name in of_file] + [each for each in imported if each is not None]


def names_in(code: types.CodeType) -> list[str]:
    """All names that a function's code mentions, and that of functions within it."""
    names = list(code.co_names)
    for each in code.co_consts:
        names += names_in(each) if isinstance(each, types.CodeType) else []
    return names


def ends_of(parts: list) -> list:
    """The first and the last ones: an entry that a call added is the last one."""
    return parts if len(parts) <= 2 * MOST_OF_ONE else parts[:MOST_OF_ONE] + parts[-MOST_OF_ONE:]


def reached_by(body: typing.Callable, file: str) -> Reached:
    """All that a body can reach.

    file  of the subjects: what is beside it is theirs"""
    owner, is_whole = Owner(file), True
    seen, left, objects = {id(body)}, collections.deque([body]), []
    while left:
        each = left.popleft()
        if not is_a(each, OWNED):
            objects.append(each)
        parts = owner.seen_in(each)
        taken = ends_of(parts)
        is_whole = is_whole and len(taken) == len(parts)
        for part in taken:
            if is_a(part, UNSEEN) or id(part) in seen:
                continue
            if len(seen) >= MOST_OBJECTS:
                is_whole = False
                break
            seen.add(id(part))
            left.append(part)
    return Reached(objects, is_whole)
