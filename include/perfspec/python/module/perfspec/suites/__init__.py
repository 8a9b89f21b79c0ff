# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Models of PyTorch's usual suites, from their configurations with random weights, and the two subjects of an experiment on one.

    import perfspec.suites as suites

    suites.declare(lambda: suites.timm("resnet18"), mode="max-autotune")     # the subjects eager and compiled

Nothing is downloaded. Where a suite's package is not installed, its claims are not judged.
"""

from __future__ import annotations

from . import huggingface_models, timm_models, torchbench_models, torchvision_models
from .declaring import declare
from .found import found
from .model import Model, prepared

__all__ = ["Model", "SUITES", "declare", "found", "huggingface", "make", "prepared", "timm", "torchbench", "torchvision"]

SUITES = {"torchvision": torchvision_models, "timm": timm_models, "huggingface": huggingface_models, "torchbench": torchbench_models}


def make(suite, name: str, *, batch: int = 2, dtype: str = "float32", device: str = "cpu", training: bool = False) -> Model:
    """A model of a suite with its inputs, from seed 0.

    suite     "timm" and the like, or a module with NAMES and make(name, batch)
    dtype     float32, bfloat16, float16; amp: float32 under autocast to bfloat16
    training  in training mode, without dropout
    """
    return prepared(found(suite), name, batch=batch, dtype=dtype, device=device, training=training)


def torchvision(name: str, **options) -> Model:
    """A model of torchvision on random images; options as in `make`."""
    return make("torchvision", name, **options)


def timm(name: str, **options) -> Model:
    """A model of timm, any that timm.create_model knows, on random images of its own size; options as in `make`."""
    return make("timm", name, **options)


def huggingface(name: str, **options) -> Model:
    """A small model of transformers, of two layers, on random tokens; options as in `make`."""
    return make("huggingface", name, **options)


def torchbench(name: str, **options) -> Model:
    """A model of TorchBench, where torchbenchmark is installed, with its own inputs; options as in `make`."""
    return make("torchbench", name, **options)
