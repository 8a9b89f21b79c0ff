# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Models of timm, with random weights."""

from __future__ import annotations

from .model import Model

NEEDS = ("timm",)
NAMES = ["convnext_atto", "deit_tiny_patch16_224", "efficientnet_lite0", "ghostnet_100", "levit_128s", "mobilenetv3_small_100", "mobilevit_xxs",
         "regnetx_002", "resnet18", "resnet26", "tinynet_e", "vit_tiny_patch16_224"]


def knows(name: str) -> bool:
    import timm

    return timm.is_model(name)


def make(name: str, batch: int) -> Model:
    import timm
    import torch

    model = timm.create_model(name, pretrained=False)
    return Model(model, (torch.randn(batch, *model.default_cfg["input_size"]),))
