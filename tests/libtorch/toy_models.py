# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A linear layer whose weights follow a formula, so that toy_linear.hpp computes the same without a file."""

import torch
from torch import nn

INPUTS, OUTPUTS = 8, 4


def linear() -> nn.Module:
    layer = nn.Linear(INPUTS, OUTPUTS)
    with torch.no_grad():
        layer.weight.copy_(torch.arange(INPUTS * OUTPUTS).reshape(OUTPUTS, INPUTS) / 16.0 - 1.0)
        layer.bias.copy_(torch.arange(OUTPUTS) / 4.0)
    return layer


class Stages(nn.Module):
    """What Inductor fuses, what it takes from LibTorch, which calls operators for it, and what it hands back to LibTorch by name."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = linear()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.sort(torch.relu(self.linear(x)), -1).values
        return torch.linalg.eigvalsh(y.unsqueeze(-1) * y.unsqueeze(-2)) + 1.0


MODELS = {"linear": (linear, (INPUTS,)), "stages": (Stages, (INPUTS,))}
