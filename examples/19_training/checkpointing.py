# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A training step that keeps what each block computes for the backward pass, and one that computes it once more there."""
import functools

import perfspec
import perfspec.suites as suites

perfspec.needs("torch")
import torch  # noqa: E402
import torch.utils.checkpoint  # noqa: E402

WIDTH, BLOCKS, BATCH = 128, 12, 1024


class Block(torch.nn.Module):
    """What follows attention in a transformer: the hidden layer, four times as wide, is most of what the backward pass needs."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.up, self.down = torch.nn.LayerNorm(WIDTH), torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


def recomputing(blocks: torch.nn.Sequential):
    """The same blocks, of which the forward pass keeps the inputs alone."""
    steps = [functools.partial(torch.utils.checkpoint.checkpoint, each, use_reentrant=False) for each in blocks]
    return lambda x: functools.reduce(lambda y, step: step(y), steps, x)


def make() -> suites.Model:
    torch.manual_seed(0)
    blocks = torch.nn.Sequential(*(Block() for _ in range(BLOCKS)))
    return suites.Model(blocks, (torch.randn(BATCH, WIDTH),), compile=lambda model, **options: recomputing(model))


suites.declare(make, training=True, eager="all kept", compiled="recomputed")
