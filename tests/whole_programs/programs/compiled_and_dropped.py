# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A model that is given to torch.compile, and what that returns is thrown away."""
import perfspec
import torch

X = torch.ones(64, 64)
MODEL = torch.nn.Linear(64, 64).eval()
torch.compile(MODEL, backend="eager")


@perfspec.subject
def eager():
    return lambda: MODEL(X)


@perfspec.subject
def compiled():
    return lambda: MODEL(X)
