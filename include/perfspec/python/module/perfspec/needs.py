# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Modules that a file of subjects needs."""

from __future__ import annotations

import importlib
import sys

from .faults import Refusal


def needs(*modules: str) -> None:
    """Names modules that the file, or the function of a subject, needs. If one is not installed, claims are not judged and tests are skipped. If one is
    installed but cannot be imported, claims are invalid, as with `import`.

        perfspec.needs("torch", "timm")
        import timm, torch
    """
    for name in modules:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not (name + ".").startswith(error.name + "."):
                raise  # it is installed, but lacks another module
            raise Refusal(f"{name} is not installed for {sys.executable}: install it there, or name another Python by PERFSPEC_PYTHON", "unavailable") from None
