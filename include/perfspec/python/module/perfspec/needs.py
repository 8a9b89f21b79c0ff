# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What a file of subjects needs and may not find."""

from __future__ import annotations

import importlib
import sys

from .faults import Refusal


def needs(*modules: str) -> None:
    """Says which modules the file, or the function of a subject, needs. Where one is not installed, the claims are not judged, and tests are skipped.
    A module that is there and cannot be imported makes them invalid, as an import does.

        perfspec.needs("torch", "timm")
        import timm, torch
    """
    for name in modules:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not (name + ".").startswith(error.name + "."):
                raise  # it is there, and lacks another one
            raise Refusal(f"{name} is not installed for {sys.executable}: install it there, or name another Python by PERFSPEC_PYTHON", "unavailable") from None
