# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Models of PyTorch's usual suites, from their configurations with random weights, and the two subjects that measure one.

    import perfspec.suites as suites

    suites.declare(lambda: suites.make("timm", "resnet18"), mode="max-autotune")     # the subjects eager and compiled

Nothing is downloaded. If a suite's package is not installed, its claims are not judged.
"""

from __future__ import annotations

import difflib
import importlib.util
import pathlib
import re
import sys
import types
import zlib

from ..faults import Refusal
from ..needs import needs
from ..process import spec_of
from . import huggingface_models, timm_models, torchbench_models, torchvision_models
from .declaring import declare
from .model import Model, configured

__all__ = ["Model", "SUITES", "declare", "knows", "make", "module_of"]

SUITES = {"torchvision": torchvision_models, "timm": timm_models, "huggingface": huggingface_models, "torchbench": torchbench_models}
DTYPES = ("float32", "bfloat16", "float16", "amp")
ADVICE = "it has NAMES = [...] and make(name, batch), which returns perfspec.suites.Model(model, args)"


def module_of(suite: str | types.ModuleType) -> types.ModuleType:
    """The module of a suite. Raises Refusal for an unknown name, and for a file that is no suite."""
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
    name = re.sub(r"\W", "_", f"suite {path.stem} {zlib.crc32(bytes(path.resolve())):08x}")
    module = sys.modules.get(name) or executed(name, path)
    if not isinstance(getattr(module, "NAMES", None), (list, tuple)) or not (hasattr(module, "make") or hasattr(module, "prepare")):
        raise Refusal(f"{path} is no suite: {ADVICE}", "load_threw")
    return module


def executed(name: str, path: pathlib.Path) -> types.ModuleType:
    """Imports the file. Data classes and torch.compile look up the modules of its classes by their names."""
    spec = spec_of(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def knows(suite: types.ModuleType, name: str) -> bool:
    return name in suite.NAMES or (hasattr(suite, "knows") and suite.knows(name))


def make(suite: str | types.ModuleType, name: str, *, batch: int = 2, dtype: str = "float32", device: str = "cpu", training: bool = False) -> Model:
    """A model of a suite with its inputs, from seed 0. Raises Refusal for an unknown name or dtype, and if the suite's packages are missing.

    suite     torchvision and timm: any model that these know; huggingface: small ones of two layers, on random tokens; torchbench, if torchbenchmark
              is installed; or a module with NAMES and make(name, batch)
    dtype     float32, bfloat16, float16; amp: float32 under autocast to bfloat16
    training  in training mode, without dropout
    """
    if dtype not in DTYPES:
        raise Refusal(f"dtype is {dtype!r}: it is one of {', '.join(DTYPES)}")
    if batch < 1:
        raise Refusal(f"batch is {batch}: it is a whole number from 1")
    suite = module_of(suite)
    if hasattr(suite, "prepare"):
        return suite.prepare(name, batch=batch, dtype=dtype, device=device, training=training)
    needs("torch", *getattr(suite, "NEEDS", ()))
    import torch

    torch.manual_seed(0)
    return configured(suite.make(name, batch), dtype, device, training)
