# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Models with weights from a formula, so that C++ computes the same without a file."""

import dataclasses

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
    """Operators that Inductor fuses, that it calls in LibTorch, and that it passes to LibTorch's dispatcher by name."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = linear()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.sort(torch.relu(self.linear(x)), -1).values
        return torch.linalg.eigvalsh(y.unsqueeze(-1) * y.unsqueeze(-2)) + 1.0


@dataclasses.dataclass
class Answer:
    """Outputs like those of model libraries: tensors by name, and other values."""

    scores: torch.Tensor
    pooled: torch.Tensor
    cache: object = None


class Tokens(nn.Module):
    """Takes two tensors by name, of which one holds integers."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(16, INPUTS)
        self.linear = linear()
        with torch.no_grad():
            self.embedding.weight.copy_(torch.arange(16 * INPUTS).reshape(16, INPUTS) / 64.0)

    def forward(self, ids: torch.Tensor, unused: object = None, mask: torch.Tensor = None) -> Answer:
        embedded = self.embedding(ids) * mask.unsqueeze(-1)
        return Answer(self.linear(embedded), embedded.sum(1))


def tokens_and_mask(batch: int) -> dict[str, torch.Tensor]:
    return {"ids": torch.arange(batch * 4).reshape(batch, 4) % 16, "mask": torch.ones(batch, 4)}


MODELS = {"linear": (linear, (INPUTS,)), "stages": (Stages, (INPUTS,)), "tokens": (Tokens, tokens_and_mask)}
