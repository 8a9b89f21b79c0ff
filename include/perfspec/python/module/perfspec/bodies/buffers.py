# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Buffers of models, which calls change: statistics of batches, and ranges that an observer for quantisation saw."""

from __future__ import annotations

import contextlib
import typing

from .. import libraries
from ..libraries import is_a


class Kept(typing.NamedTuple):
    """A buffer, by its module and name, and a copy of what was in it."""

    module: typing.Any
    name: str
    buffer: typing.Any
    before: typing.Any

    def put_back(self) -> None:
        with libraries.torch().inference_mode(self.buffer.is_inference()):
            held = self.buffer.data  # without the count of changes: what is put back has not changed for a backward pass that comes later
            if held.shape != self.before.shape:  # an observer begins with an empty one
                held.resize_(self.before.shape)
            held.copy_(self.before)
        self.module._buffers[self.name] = self.buffer


@contextlib.contextmanager
def as_they_are(objects: list) -> typing.Iterator[None]:
    """After this block the buffers of the models among the objects hold what they held before it, and are the same tensors."""
    torch = libraries.torch()
    models = [] if torch is None else [each for each in objects if is_a(each, torch.nn.Module)]
    kept = [Kept(model, name, each, each.detach().clone()) for model in models for name, each in model._buffers.items() if each is not None]
    try:
        yield
    finally:
        for each in kept:
            each.put_back()
