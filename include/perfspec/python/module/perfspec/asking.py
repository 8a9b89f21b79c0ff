# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Which subjects asked torch.compile for something: what they run is to be compiled."""

from __future__ import annotations

import contextlib
import functools
import importlib.abc
import importlib.util
import sys
import typing


class Asks:
    """Who called torch.compile: subjects by name, and the file itself as the empty name."""

    def __init__(self) -> None:
        self.by: set[str] = set()
        self.current = ""

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
            if not named.get("disable", False):
                self.by.add(self.current)
            return compile(*arguments, **named)

        return asked

    def watch(self) -> None:
        """Notes calls of torch.compile from the moment on at which somebody imports torch."""
        sys.meta_path.insert(0, AfterImport("torch", self.note_of))

    def note_of(self, module) -> None:
        if hasattr(module, "compile"):
            module.compile = self.noted(module.compile)


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
