# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A model of one's own: two inputs of different dtypes by name, and a dictionary of outputs."""

import torch
from torch import nn

WORDS, WIDTH, LENGTH, CLASSES = 1000, 64, 48, 5


class Classifier(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, WIDTH)
        self.attention = nn.MultiheadAttention(WIDTH, 4, batch_first=True)
        self.mixing = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, words: torch.Tensor, mask: torch.Tensor) -> dict[str, torch.Tensor]:
        x = self.embedding(words) * mask.unsqueeze(-1)
        x = x + self.attention(x, x, x, need_weights=False)[0]
        x = x + self.mixing(x)
        return {"scores": self.head(x.mean(1)), "features": x}


def inputs(batch: int) -> dict[str, torch.Tensor]:
    return {"words": torch.randint(WORDS, (batch, LENGTH)), "mask": torch.ones(batch, LENGTH)}


def quantised() -> nn.Module:
    """The same model with int8 weights in its linear layers, whose inputs are quantised as they come."""
    return torch.ao.quantization.quantize_dynamic(Classifier().eval(), {nn.Linear}, dtype=torch.qint8)


MODELS = {"classifier": (Classifier, inputs), "classifier_int8": (quantised, inputs)}
