# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A suite by its name: one of perfspec's, or a file of the user's."""

from __future__ import annotations

import difflib
import importlib.util
import pathlib
import sys
import types

from ..faults import Refusal
from ..process import spec_of

ADVICE = "it has NAMES = [...] and make(name, batch), which returns perfspec.suites.Model(model, args)"


def found(suite: str | types.ModuleType) -> types.ModuleType:
    """The module of a suite. Raises Refusal for a name that is not there, and for a file that is no suite."""
    from . import SUITES

    if isinstance(suite, types.ModuleType):
        return suite
    if suite in SUITES:
        return SUITES[suite]
    if suite.endswith(".py"):
        return imported(pathlib.Path(suite))
    near = difflib.get_close_matches(suite, SUITES, n=1)
    raise Refusal(f"there is no suite {suite}{f', did you mean {near[0]}?' if near else ''}; there are {', '.join(SUITES)}, and files such as my_suite.py", "load_threw")


def imported(path: pathlib.Path) -> types.ModuleType:
    if not path.is_file():
        raise Refusal(f"{path}: there is no such file: a suite is one of perfspec's, or a file; {ADVICE}", "load_threw")
    spec = spec_of(f"suite of {path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))
    spec.loader.exec_module(module)
    if not isinstance(getattr(module, "NAMES", None), (list, tuple)) or not (hasattr(module, "make") or hasattr(module, "prepare")):
        raise Refusal(f"{path} is no suite: {ADVICE}", "load_threw")
    return module


def knows(suite: types.ModuleType, name: str) -> bool:
    return name in suite.NAMES or (hasattr(suite, "knows") and suite.knows(name))
