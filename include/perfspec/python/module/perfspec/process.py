# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The process of a worker: its descriptors, its standard output, its parent, and the import of the user's file."""

from __future__ import annotations

import contextlib
import ctypes
import difflib
import faulthandler
import fcntl
import importlib.machinery
import importlib.util
import os
import pathlib
import signal
import sys
import typing

from .faults import Refusal, described, show_traceback
from .protocol import VERSION, Message, line_of, parsed
from .subjects import listed

HIGH = 100  # programs seldom use descriptors from here on
PR_SET_PDEATHSIG = 1


class Channel(typing.NamedTuple):
    """The descriptor of answers and the file of requests."""

    answers: int
    requests: typing.BinaryIO

    def answer(self, message: Message) -> None:
        data = line_of(message)
        while data:
            data = data[os.write(self.answers, data):]


def moved(descriptor: int) -> int:
    """The same open file under a high number, not inherited by programs."""
    high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, HIGH)
    os.close(descriptor)
    return high


def open_channel(variables: typing.MutableMapping[str, str]) -> Channel:
    """Opens the channel of PERFSPEC_WORKER and removes that variable. Raises SystemExit if perfspec did not start this program."""
    try:
        start = parsed(variables.pop("PERFSPEC_WORKER").encode())
        version, answers, requests = (int(start[name]) for name in ("protocol", "answers", "requests"))
        answers, requests = moved(answers), moved(requests)
        channel = Channel(answers, os.fdopen(requests, "rb"))
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise SystemExit(f"perfspec_worker.py: do not start it yourself; perfspec's tests start it, with their descriptors in PERFSPEC_WORKER ({type(error).__name__}: {error})")
    if version != VERSION:
        reason = f"the test uses version {version} of the workers' protocol, but this worker uses version {VERSION}: install the same version of perfspec for both"
        channel.answer({"answer": "error", "reason": reason})
        raise SystemExit(0)
    descriptors = answers, requests  # not the channel: Python 3.9 crashes at its end if a fork handler holds a file
    os.register_at_fork(after_in_child=lambda: close_quietly(descriptors))
    return channel


def close_quietly(descriptors: tuple[int, ...]) -> None:
    """In a forked child, whose open descriptors would hide the end of this process."""
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)


def send_output_to_error() -> None:
    """Redirects standard output to standard error, for Python and libraries."""
    sys.stdout.flush()
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)
    faulthandler.enable()


def die_with_parent(variables: typing.MutableMapping[str, str]) -> None:
    """On Linux, lets the end of the process PERFSPEC_PARENT end this one, also if that has ended already. Without the variable it does nothing: the system
    would kill this process when only the thread ends that started it."""
    if not (parent := variables.pop("PERFSPEC_PARENT", "")):
        return
    with contextlib.suppress(AttributeError, OSError):  # other systems: the worker notices the end of requests
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if parent != str(os.getppid()) and os.path.isdir("/proc/self") and not os.path.isdir(f"/proc/{parent}"):
        os._exit(0)


def others_like(path: pathlib.Path) -> str:
    """`, did you mean models.py? The folder has models.py, suite.py`; empty if the folder has no file of Python."""
    names = sorted(each.name for each in path.parent.glob("*.py"))
    if not names:
        return ""
    near = difflib.get_close_matches(path.name, names, n=1)
    return (f", did you mean {near[0]}? The" if near else "; the") + f" folder has {listed(names, 8)}"


class UncachedLoader(importlib.machinery.SourceFileLoader):
    """Compiles the file without Python's bytecode cache.

    The cache compares size and time in seconds: it would return old code for a file of the same length that was changed within a second.
    """

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def spec_of(name: str, path: pathlib.Path) -> importlib.machinery.ModuleSpec | None:
    """The import of the user's file under a name. None for a file that is not Python."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or type(spec.loader) is not importlib.machinery.SourceFileLoader:
        return spec
    return importlib.util.spec_from_file_location(name, path, loader=UncachedLoader(name, str(path)))


def import_file(file: str) -> None:
    """Imports the user's file as a module of its name. Raises Refusal with its exception and line."""
    path = pathlib.Path(file).resolve()
    if not path.is_file():
        raise Refusal(f"{file}: there is no such file{others_like(path)}. A relative path begins in the folder of the C++ file that calls python_subjects(…). If std::make_unique or "
                      f"emplace calls it, give an absolute path", "load_threw")
    if path.stem in sys.modules or path.stem in getattr(sys, "stdlib_module_names", ()):
        raise Refusal(f"{file}: there is already a module called {path.stem}: rename the file", "load_threw")
    sys.path.insert(0, str(path.parent))
    sys.argv = [file]
    spec = spec_of(path.stem, path)
    if spec is None:
        raise Refusal(f"{file}: this is no file of Python: give one whose name ends in .py", "load_threw")
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Refusal:
        raise
    except BaseException as error:
        show_traceback(error)
        raise Refusal(f"importing {path.name} threw {described(error, str(path))}", "load_threw") from None
