# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A subject that also calls a function that torch gave up while this file was imported, and runs eagerly from then on."""
import perfspec
import torch

X = torch.ones(64, 64)


def loop(x):
    for _ in range(2):
        print(end="")
    return x @ x


given_up_before = torch.compile(loop, backend="eager")
with torch.inference_mode():
    given_up_before(X)


@perfspec.subject("given up at import")
def given_up_at_import():
    made = torch.compile(lambda x: x + 1, backend="eager")
    return lambda: made(given_up_before(X))
