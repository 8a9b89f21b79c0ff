# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A model of one's own: two inputs of different dtypes by name, and a dictionary of outputs; quantized, and pruned."""

import torch
from torch import nn
from torch.nn.utils import prune

WORDS, WIDTH, LENGTH, CLASSES = 1000, 64, 48, 5


class Classifier(nn.Module):
    def __init__(self, hidden: int = 4 * WIDTH) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, WIDTH)
        self.attention = nn.MultiheadAttention(WIDTH, 4, batch_first=True)
        self.mixing = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, hidden), nn.GELU(), nn.Linear(hidden, WIDTH))
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, words: torch.Tensor, mask: torch.Tensor) -> dict[str, torch.Tensor]:
        x = self.embedding(words) * mask.unsqueeze(-1)
        x = x + self.attention(x, x, x, need_weights=False)[0]
        x = x + self.mixing(x)
        return {"scores": self.head(x.mean(1)), "features": x}


def inputs(batch: int) -> dict[str, torch.Tensor]:
    return {"words": torch.randint(WORDS, (batch, LENGTH)), "mask": torch.ones(batch, LENGTH)}


def quantized() -> nn.Module:
    """The same model with int8 weights in its linear layers, whose inputs are quantized as they come."""
    return torch.ao.quantization.quantize_dynamic(Classifier().eval(), {nn.Linear}, dtype=torch.qint8)


def masked() -> Classifier:
    """A wide classifier whose hidden channels are pruned by masks: seven of eight, those with the smallest weights. It is as large as before."""
    model = Classifier(hidden=32 * WIDTH)
    into, _, out_of = model.mixing[1:]
    prune.ln_structured(into, "weight", amount=7 / 8, n=2, dim=0)
    kept = into.weight_mask.any(dim=1)
    prune.custom_from_mask(into, "bias", kept)  # a channel is not gone while it has a bias
    prune.custom_from_mask(out_of, "weight", kept.expand_as(out_of.weight))
    return model


def pruned() -> Classifier:
    """The same without the masked channels: this one is smaller."""
    model = masked()
    into, _, out_of = model.mixing[1:]
    kept = into.weight_mask.any(dim=1)
    smaller = nn.Linear(WIDTH, int(kept.sum())), nn.Linear(int(kept.sum()), WIDTH)
    with torch.no_grad():
        smaller[0].weight.copy_(into.weight[kept])
        smaller[0].bias.copy_(into.bias[kept])
        smaller[1].weight.copy_(out_of.weight[:, kept])
        smaller[1].bias.copy_(out_of.bias)
    model.mixing[1], model.mixing[3] = smaller
    return model


MODELS = {"classifier": (Classifier, inputs), "classifier_int8": (quantized, inputs), "masked": (masked, inputs), "pruned": (pruned, inputs)}
