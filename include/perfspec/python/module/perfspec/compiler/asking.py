# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Which subjects asked torch.compile for something: what they run is to be compiled."""

from __future__ import annotations

import collections
import contextlib
import functools
import importlib.abc
import importlib.util
import os
import sys
import types
import typing
import weakref

from .breaks import is_of_library

# With one of these torch.compile does nothing, and a claim on what it compiled would be one on eager code.
SWITCHES_OF_COMPILER = ("TORCHDYNAMO_DISABLE", "TORCH_COMPILE_DISABLE")


class Asks:
    """Who called torch.compile: subjects by name, and the file itself as the empty name."""

    def __init__(self) -> None:
        self.by: set[str] = set()
        self.given: dict[str, list[str]] = collections.defaultdict(list)  # what each gave torch.compile: `Linear (models.py:12)`
        self.current = ""
        self.returned: list[tuple[str, weakref.ref]] = []  # to lines of the file itself: what they gave torch.compile, and what they got
        self.returned_elsewhere = False  # to a function that the file called when it was imported, or a decorator

    @contextlib.contextmanager
    def of(self, name: str) -> typing.Iterator[None]:
        """What asks in here belongs to this subject."""
        before, self.current = self.current, name
        try:
            yield
        finally:
            self.current = before

    def noted(self, compile: typing.Callable) -> typing.Callable:
        """The same function, which notes who calls it. Who calls it with disable=True wants eager code."""
        @functools.wraps(compile)
        def asked(*arguments, **named):
            if named.get("disable", False):
                return compile(*arguments, **named)
            frame, what = sys._getframe(1), given(arguments, named, sys._getframe(1))
            self.by.add(self.current)
            self.given[self.current].append(what)
            returned = compile(*arguments, **named)
            if not self.current:
                self.keep(what if is_line_of_user(frame) else "", returned)
            return returned

        return asked

    def keep(self, what: str, returned: typing.Any) -> None:
        """Notes what the file itself got from torch.compile.

        what  empty where it is not known who keeps that"""
        try:
            self.returned += [(what, weakref.ref(returned))] if what else []
            self.returned_elsewhere |= not what
        except TypeError:  # there are no weak references to it
            self.returned_elsewhere = True

    def dropped(self) -> str:
        """What the file gave torch.compile, where nobody kept anything that it returned: `Linear (models.py:7)`. Empty where somebody may run it."""
        if self.returned_elsewhere or any(kept() is not None for _, kept in self.returned):
            return ""
        return " and ".join(dict.fromkeys(what for what, _ in self.returned))

    def given_by(self, name: str) -> str:
        """What a subject gave torch.compile, or the file where it gave nothing: `Linear (models.py:12) or Tanh (models.py:13)`."""
        return " or ".join(dict.fromkeys(filter(None, self.given[name] or self.given[""])))

    def watch(self) -> None:
        """Notes calls of torch.compile from the moment on at which somebody imports torch."""
        sys.meta_path.insert(0, AfterImport("torch", self.note_of))

    def note_of(self, module) -> None:
        if hasattr(module, "compile"):
            module.compile = self.noted(module.compile)


def is_line_of_user(frame: types.FrameType) -> bool:
    """Whether it is no function, but a line of a file that is imported."""
    return frame.f_code.co_name == "<module>" and not is_of_library(frame.f_code.co_filename)


def given(arguments: tuple, named: dict, frame: types.FrameType | None) -> str:
    """What torch.compile was called with, and where; empty where it makes a decorator."""
    what = arguments[0] if arguments else named.get("model")
    if what is None:
        return ""
    owner = getattr(what, "__self__", what)  # model.compile() gives a method of the model
    name = getattr(owner, "__qualname__", type(owner).__name__).rpartition("<locals>.")[2]
    while frame is not None and is_of_library(frame.f_code.co_filename):
        frame = frame.f_back
    return name + (f" ({os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno})" if frame else "")


class AfterImport(importlib.abc.MetaPathFinder):
    """Calls a function with a module when it has been imported, once."""

    def __init__(self, name: str, then: typing.Callable) -> None:
        self.name, self.then = name, then

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_tell(module):
            execute(module)
            self.then(module)

        spec.loader.exec_module = execute_and_tell
        return spec


asks = Asks()
