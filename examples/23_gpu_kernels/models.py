# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Eight small layers, for AOTInductor. Their weight is an input, so the package computes what the eager module in C++ computes."""

import torch
from torch import nn

WIDTH = 256


class SmallLayers(nn.Module):
    def forward(self, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        for _ in range(8):
            x = torch.relu(nn.functional.linear(x, weight))
        return x


def inputs(batch: int) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.randn(batch, WIDTH), torch.randn(WIDTH, WIDTH) / 16


MODELS = {"small_layers": (SmallLayers, inputs)}
