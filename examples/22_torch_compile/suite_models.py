# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Models of suites as pairs of subjects, "timm/resnet18 eager" and "timm/resnet18 compiled": those that EXAMPLE_MODELS names, as in
EXAMPLE_MODELS=timm/resnet18,torchvision/alexnet, on one image or text. Without it one small block, which needs no suite."""
import functools
import os

import perfspec
import perfspec.suites as suites

perfspec.needs("torch")
import torch  # noqa: E402


def block() -> suites.Model:
    """Small operators in a row, which compiling makes one loop."""
    torch.manual_seed(0)
    return suites.Model(torch.nn.Sequential(torch.nn.LayerNorm(128), torch.nn.SiLU(), torch.nn.Softsign()).eval(), (torch.randn(512, 128),))


def make(name: str) -> suites.Model:
    suite, _, model = name.partition("/")
    return suites.make(suite, model, batch=1) if model else block()


for name in os.environ.get("EXAMPLE_MODELS", "block").split(","):
    suites.declare(functools.partial(make, name), eager=f"{name} eager", compiled=f"{name} compiled")
