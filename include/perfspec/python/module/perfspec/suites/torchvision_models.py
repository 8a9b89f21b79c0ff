# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Models of torchvision, with random weights."""

from __future__ import annotations

from .model import Model

NEEDS = ("torchvision",)
NAMES = ["alexnet", "densenet121", "efficientnet_b0", "googlenet", "mnasnet1_0", "mobilenet_v2", "mobilenet_v3_small", "regnet_y_400mf", "resnet18",
         "resnet50", "shufflenet_v2_x1_0", "squeezenet1_1", "vit_b_16"]
OPTIONS = {"googlenet": {"aux_logits": False, "init_weights": True}}


def knows(name: str) -> bool:
    import torchvision

    return name in torchvision.models.list_models(module=torchvision.models)


def make(name: str, batch: int) -> Model:
    import torch
    import torchvision

    side = 299 if name == "inception_v3" else 224
    return Model(torchvision.models.get_model(name, weights=None, **OPTIONS.get(name, {})), (torch.randn(batch, 3, side, side),))
