# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Models of torchvision and timm, with random weights."""

from __future__ import annotations

import importlib
import types

from .model import Model


def torchvision_model(name: str, batch: int) -> Model:
    import torch
    import torchvision

    options, side = {"aux_logits": False, "init_weights": True}, 299 if name == "inception_v3" else 224
    model = torchvision.models.get_model(name, weights=None, **(options if name == "googlenet" else {}))
    return Model(model, (torch.randn(batch, 3, side, side),))


def timm_model(name: str, batch: int) -> Model:
    import timm
    import torch

    model = timm.create_model(name, pretrained=False)
    return Model(model, (torch.randn(batch, *model.default_cfg["input_size"]),))


SUITES = {
    "torchvision": types.SimpleNamespace(
        NEEDS=["torchvision"], make=torchvision_model,
        knows=lambda name: name in (module := importlib.import_module("torchvision.models")).list_models(module=module),
        NAMES=["alexnet", "densenet121", "efficientnet_b0", "googlenet", "mnasnet1_0", "mobilenet_v2", "mobilenet_v3_small",
               "regnet_y_400mf", "resnet18", "resnet50", "shufflenet_v2_x1_0", "squeezenet1_1", "vit_b_16"]),
    "timm": types.SimpleNamespace(
        NEEDS=["timm"], make=timm_model, knows=lambda name: importlib.import_module("timm").is_model(name),
        NAMES=["convnext_atto", "deit_tiny_patch16_224", "efficientnet_lite0", "ghostnet_100", "levit_128s",
               "mobilenetv3_small_100", "mobilevit_xxs", "regnetx_002", "resnet18", "resnet26", "tinynet_e",
               "vit_tiny_patch16_224"]),
}
