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


MODELS = {"linear": (linear, (INPUTS,))}
