# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Outputs in files, from one worker of a test program to another. Such a file is new, and only the user of the program can write to it."""

from __future__ import annotations

import os
import pickle

from .faults import Refusal
from .verifying import Expected


def write(file: str, expected: Expected) -> None:
    """Writes a new file. Raises Refusal for a file that is there."""
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600), "wb") as opened:
            pickle.dump(expected, opened)
    except OSError as error:
        raise Refusal(f"cannot write {file}: {error.strerror or error}") from None


def read(file: str) -> Expected:
    """Raises Refusal for a file that `write` did not make."""
    try:
        with open(file, "rb") as opened:
            return pickle.load(opened)
    except Exception as error:  # pickle raises anything for a broken file
        raise Refusal(f"cannot read {file}: {type(error).__name__}: {error}") from None
