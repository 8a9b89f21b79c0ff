# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A subject that also runs code that was compiled, with a break, during the import of this file."""
import perfspec
import torch

X = torch.ones(64, 64)


def broken(x):
    y = x @ x
    torch._dynamo.graph_break()
    return y.relu()


made_before = torch.compile(broken, backend="eager")
with torch.no_grad():
    made_before(X)


@perfspec.subject("compiled at import")
def compiled_at_import():
    made = torch.compile(lambda x: x + 1, backend="eager")
    return lambda: made(made_before(X))
