# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What a body can reach: what it holds, what that holds, and what the code beside the file of the subjects keeps in classes and modules."""

from __future__ import annotations

import collections
import gc
import pathlib
import sys
import types
import typing

from ..sources import FOREIGN

MOST_OBJECTS = 20_000  # that are looked at: some ten milliseconds
UNSEEN = (types.FrameType, types.CodeType, str, bytes, bool, int, float, complex, type(None))  # hold nothing that a body returns
OWNED = (type, types.ModuleType)  # are looked into where they are the user's: those of libraries hold half of the process


class Owner:
    """Knows the user's code: what lies in the folder of the file of the subjects, but for an environment that lies there, too."""

    def __init__(self, file: str) -> None:
        self.folder = pathlib.Path(file).resolve().parent
        self.known: dict[str, bool] = {}

    def owns_file(self, file: typing.Any) -> bool:
        if not isinstance(file, str):
            return False
        if file not in self.known:
            path = pathlib.Path(file).resolve()
            self.known[file] = self.folder in path.parents and not set(FOREIGN) & set(path.relative_to(self.folder).parts)
        return self.known[file]

    def owns(self, module: typing.Any) -> bool:
        return self.owns_file(getattr(module, "__file__", None))

    def seen_in(self, each: typing.Any) -> list:
        """What an object refers to. Of the user's functions, what their code names of their modules; of the user's classes and modules, what they hold;
        nothing of those of libraries."""
        if isinstance(each, types.ModuleType):
            return list(vars(each).values()) if self.owns(each) else []
        if isinstance(each, type):
            return [*each.__bases__, *vars(each).values()] if self.owns(sys.modules.get(each.__module__)) else []
        if not isinstance(each, types.FunctionType):
            return gc.get_referents(each)
        is_own = self.owns_file(each.__code__.co_filename)
        named = [each.__globals__[name] for name in names_in(each.__code__) if name in each.__globals__] if is_own else []
        return [each.__closure__, each.__defaults__, each.__kwdefaults__, each.__dict__, *named]


def names_in(code: types.CodeType) -> list[str]:
    """All names that a function's code mentions, and that of functions within it."""
    names = list(code.co_names)
    for each in code.co_consts:
        names += names_in(each) if isinstance(each, types.CodeType) else []
    return names


def reached_by(body: typing.Callable, file: str) -> typing.Iterator[typing.Any]:
    """All that a body can reach, what is nearest first.

    file  of the subjects: what is beside it is theirs"""
    owner = Owner(file)
    seen, left = {id(body)}, collections.deque([body])
    while left and len(seen) < MOST_OBJECTS:
        each = left.popleft()
        if not isinstance(each, OWNED):
            yield each
        for part in owner.seen_in(each):
            if not isinstance(part, UNSEEN) and id(part) not in seen:
                seen.add(id(part))
                left.append(part)
