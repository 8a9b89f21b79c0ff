# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Models of PyTorch's usual suites, from their configurations with random weights, and the two subjects that measure one.

    perfspec.suites.declare(lambda: perfspec.suites.make("timm", "resnet18"), mode="max-autotune")

Nothing is downloaded. If a suite's package is not installed, its claims are skipped.
"""

from __future__ import annotations

import importlib.util
import pathlib
import re
import sys
import types

from ..faults import Refusal, meant
from ..libraries import needs
from ..process import spec_of
from .model import Model, configured, declare
from .packages import SUITES

__all__ = ["Model", "SUITES", "declare", "knows", "make", "module_of"]

DTYPES = ("float32", "bfloat16", "float16", "amp")
ADVICE = "a file needs NAMES = [...] and make(name, batch), which returns perfspec.suites.Model(model, args)"


def module_of(suite: str | types.ModuleType) -> types.ModuleType:
    """The module of a suite. Raises Refusal for an unknown name, and for a file that is no suite."""
    if not isinstance(suite, str):
        return suite
    if suite in SUITES:
        return SUITES[suite]
    if suite.endswith(".py"):
        return imported(pathlib.Path(suite))
    raise Refusal(f"there is no suite {suite}{meant(suite, SUITES)}; use {', '.join(SUITES)}, or a file such as my_suite.py",
                  "load_threw")


def imported(path: pathlib.Path) -> types.ModuleType:
    if not path.is_file():
        raise Refusal(f"{path}: there is no such file: a suite is {', '.join(SUITES)} or a file; {ADVICE}", "load_threw")
    name = re.sub(r"\W", "_", f"suite {path.resolve()}")
    if name not in sys.modules:  # data classes and torch.compile look up the modules of its classes by their names
        spec = spec_of(name, path)
        sys.modules[name] = importlib.util.module_from_spec(spec)
        sys.path.insert(0, str(path.resolve().parent))
        try:
            spec.loader.exec_module(sys.modules[name])
        except BaseException:
            del sys.modules[name]
            raise
    module = sys.modules[name]
    if not isinstance(getattr(module, "NAMES", None), (list, tuple)) or not (hasattr(module, "make") or hasattr(module, "prepare")):
        raise Refusal(f"{path} is no suite: {ADVICE}", "load_threw")
    return module


def knows(suite: types.ModuleType, name: str) -> bool:
    if name in suite.NAMES or not hasattr(suite, "knows"):
        return name in suite.NAMES
    return all(map(importlib.util.find_spec, getattr(suite, "NEEDS", ()))) and suite.knows(name)


def make(suite: str | types.ModuleType, name: str, *, batch: int = 2, dtype: str = "float32", device: str = "cpu", training: bool = False) -> Model:
    """A model of a suite with its inputs, from seed 0. Raises Refusal for an unknown name or dtype, and if the suite's packages are missing.

    suite     torchvision and timm: any model that these know; or a file or module with NAMES and make(name, batch)
    dtype     float32, bfloat16, float16; amp: float32 under autocast to bfloat16
    training  in training mode, without dropout
    """
    if dtype not in DTYPES:
        raise Refusal(f"dtype is {dtype!r}, expected one of {', '.join(DTYPES)}")
    if batch < 1:
        raise Refusal(f"batch is {batch}, expected a whole number of at least 1")
    suite = module_of(suite)
    if hasattr(suite, "prepare"):
        return suite.prepare(name, batch=batch, dtype=dtype, device=device, training=training)
    needs("torch", *getattr(suite, "NEEDS", ()))
    import torch

    torch.manual_seed(0)
    return configured(suite.make(name, batch), dtype, device, training)
