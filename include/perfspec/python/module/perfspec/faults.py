# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Faults of the user's code, in words for its author."""

from __future__ import annotations

import contextlib
import difflib
import os
import sys
import traceback
import types
import typing

OF_WORKER = os.path.dirname(os.path.abspath(__file__))
OF_MEMORY = ("bad_alloc", "out of memory", "cannot allocate memory", "can't allocate memory", "not enough memory")
LONGEST = 1500  # characters of an exception's text: torch's messages fill pages


class Refusal(Exception):
    """An answer `error`: its reason, and its kind or an empty one."""

    def __init__(self, reason: str, kind: str = "") -> None:
        super().__init__(reason)
        self.kind = kind

    def answer(self, kind: str = "") -> dict[str, str]:
        """kind  where the refusal has none"""
        return {"answer": "error", "reason": str(self), "kind": self.kind or kind}


def meant(name: str, known: typing.Iterable[str]) -> str:
    """`, did you mean models.py?`, or nothing if no known name is like this one."""
    near = difflib.get_close_matches(name, known, n=1)
    return f", did you mean {near[0]}?" if near else ""


def text_of(error: BaseException) -> str:
    try:
        text = str(error).strip()
    except Exception:  # str() of a user's exception may throw
        text = "its text cannot be printed"
    return text if len(text) <= LONGEST else text[:LONGEST] + " …"


def is_of_worker(file: str) -> bool:
    return os.path.abspath(file).startswith(OF_WORKER) or file.endswith("perfspec_worker.py") or file.startswith("<frozen importlib")


def traceback_of(error: BaseException) -> types.TracebackType | None:
    """The traceback without the worker's frames at its start."""
    frame = error.__traceback__
    while frame is not None and is_of_worker(frame.tb_frame.f_code.co_filename):
        frame = frame.tb_next
    return frame


def place_of(error: BaseException, file: str) -> str:
    """`models.py:12`: the last line in the user's file, otherwise in a file of its folder, otherwise in any file of the traceback."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{os.path.basename(error.filename)}:{error.lineno}"
    places = [(os.path.abspath(frame.f_code.co_filename), line) for frame, line in traceback.walk_tb(traceback_of(error))]
    own, folder = os.path.abspath(file), os.path.dirname(os.path.abspath(file)) + os.sep
    in_file = [each for each in places if each[0] == own]
    in_folder = [each for each in places if each[0].startswith(folder) and "site-packages" not in each[0]]
    last = (in_file or in_folder or places)[-1:]
    return f"{os.path.basename(last[0][0])}:{last[0][1]}" if last else ""


def described(error: BaseException, file: str) -> str:
    """`ValueError: no such layer (models.py:12)`"""
    name, text, place = type(error).__name__, text_of(error), place_of(error, file)
    if isinstance(error, SystemExit):
        name, text = "SystemExit", f"it ended the program with {error.code!r}, but a subject must return or raise another exception"
    hint = ""
    if "does not require grad" in text:
        hint = "; gradients are off: if the subject trains, declare it with training=True"
    if isinstance(error, ModuleNotFoundError):
        hint = f"; install it for {sys.executable}, or name another Python by PERFSPEC_PYTHON"
    return f"{name}{': ' if text else ''}{text}{hint}{f' ({place})' if place else ''}"


def show_traceback(error: BaseException) -> None:
    """Prints the user's part of the traceback on standard error."""
    own = traceback_of(error) or error.__traceback__
    lines = traceback.format_exception(type(error), error, own, chain=False)
    with contextlib.suppress(Exception):  # the answer has the reason, too
        sys.stderr.write("".join(lines))
        sys.stderr.flush()


def refusal_of(error: BaseException, doing: str, kind: str, file: str) -> Refusal:
    """The refusal for an exception of the user's code: `the body of eager threw …`. Raises KeyboardInterrupt again, which ends the run."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, KeyboardInterrupt):
        raise error
    show_traceback(error)
    of_memory = isinstance(error, MemoryError) or any(each in text_of(error).lower() for each in OF_MEMORY)
    return Refusal(f"{doing} threw {described(error, file)}", "out_of_memory" if of_memory else kind)
