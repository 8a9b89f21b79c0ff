# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Models of TorchBench. Its package torchbenchmark is on no package index."""

from __future__ import annotations

from ..libraries import needs
from .model import Model, configured

NEEDS = ("torchbenchmark",)
NAMES = ["BERT_pytorch", "LearningToPaint", "alexnet", "basic_gnn_gcn", "dcgan", "densenet121", "mnasnet1_0", "mobilenet_v2", "mobilenet_v3_large",
         "phlippe_densenet", "phlippe_resnet", "pytorch_unet", "resnet18", "resnet50", "resnext50_32x4d", "shufflenet_v2_x1_0", "squeezenet1_1", "vgg16"]


def prepare(name: str, *, batch: int, dtype: str, device: str, training: bool) -> Model:
    needs("torch", *NEEDS)
    import torch
    from torchbenchmark import load_model_by_name

    torch.manual_seed(0)
    model, inputs = load_model_by_name(name)(test="train" if training else "eval", device=device, batch_size=batch).get_module()
    positional = isinstance(inputs, (list, tuple))
    return configured(Model(model, tuple(inputs) if positional else (), {} if positional else dict(inputs)), dtype, device, training)
