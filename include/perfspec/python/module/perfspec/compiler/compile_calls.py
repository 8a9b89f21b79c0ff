# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Which subjects call torch.compile: they are to run compiled code."""

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

from .compiling import is_of_library

# Each of these makes torch.compile do nothing, so that claims on compiled code would be claims on eager code.
SWITCHES_OF_COMPILER = ("TORCHDYNAMO_DISABLE", "TORCH_COMPILE_DISABLE")


class CompileCalls:
    """Calls of torch.compile by each subject, and by the file itself under the empty name."""

    def __init__(self) -> None:
        self.callers: set[str] = set()
        self.models: dict[str, list[str]] = collections.defaultdict(list)  # arguments of torch.compile, by caller: `Linear (models.py:12)`
        self.current = ""
        self.results: list[tuple[str, weakref.ref]] = []  # model and result of each call by a line of the file itself
        self.has_other_results = False  # of calls by functions while the file was imported, or by decorators

    @contextlib.contextmanager
    def of(self, name: str) -> typing.Iterator[None]:
        """Calls within belong to this subject."""
        before, self.current = self.current, name
        try:
            yield
        finally:
            self.current = before

    def forget_subjects(self) -> None:
        """For those of another test, which may have the same names."""
        self.callers &= {""}
        self.models = collections.defaultdict(list, {"": self.models[""]})

    def recording(self, compile: typing.Callable) -> typing.Callable:
        """torch.compile, which records its callers. A call with disable=True asks for eager code, and is not recorded."""
        @functools.wraps(compile)
        def recorded(*arguments, **named):
            if named.get("disable", False):
                return compile(*arguments, **named)
            frame = sys._getframe(1)
            model = described_model(arguments, named, frame)
            self.callers.add(self.current)
            self.models[self.current].append(model)
            result = compile(*arguments, **named)
            if not self.current:
                is_line_of_file = frame.f_code.co_name == "<module>" and not is_of_library(frame.f_code.co_filename)
                self.record_result(model if is_line_of_file else "", result)
            return result

        return recorded

    def record_result(self, model: str, result: typing.Any) -> None:
        """model  empty if other code than a line of the file may keep the result"""
        try:
            self.results += [(model, weakref.ref(result))] if model else []
            self.has_other_results |= not model
        except TypeError:  # its type has no weak references
            self.has_other_results = True

    def dropped(self) -> str:
        """The models that the file compiled, if it kept none of the results: `Linear (models.py:7)`; empty if one may run."""
        if self.has_other_results or any(result() is not None for _, result in self.results):
            return ""
        return " and ".join(dict.fromkeys(model for model, _ in self.results))

    def models_of(self, name: str) -> str:
        """The models that a subject compiled, or those of the file if it compiled none: `Linear (models.py:12) or Tanh (models.py:13)`."""
        return " or ".join(dict.fromkeys(filter(None, self.models[name] or self.models[""])))

    def watch(self) -> None:
        """Records calls of torch.compile once torch is imported."""
        sys.meta_path.insert(0, AfterImport("torch", self.wrap_compile))

    def wrap_compile(self, module) -> None:
        if hasattr(module, "compile"):
            module.compile = self.recording(module.compile)


def described_model(arguments: tuple, named: dict, frame: types.FrameType | None) -> str:
    """The argument of torch.compile, and the line of the call; empty for a call that makes a decorator."""
    model = arguments[0] if arguments else named.get("model")
    if model is None:
        return ""
    owner = getattr(model, "__self__", model)  # model.compile() passes a method of the model
    name = getattr(owner, "__qualname__", type(owner).__name__).rpartition("<locals>.")[2]
    while frame is not None and is_of_library(frame.f_code.co_filename):
        frame = frame.f_back
    return name + (f" ({os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno})" if frame else "")


class AfterImport(importlib.abc.MetaPathFinder):
    """Calls a function with a module once it has been imported."""

    def __init__(self, name: str, callback: typing.Callable) -> None:
        self.name, self.callback = name, callback

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module
            spec.loader.exec_module = lambda module: (execute(module), self.callback(module))
        return spec


calls_of_compile = CompileCalls()
