# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A subject that also calls a function that torch gave up while this file was imported, or when another subject called it, and runs eagerly from
then on."""
import os

import perfspec
import torch

X = torch.ones(64, 64)


def loop(x):
    for _ in range(2):
        print(end="")
    return x @ x


given_up_before = torch.compile(loop, backend="eager")
if os.environ.get("GIVEN_UP_BY") != "another subject":
    with torch.inference_mode():
        given_up_before(X)


@perfspec.subject("another one")
def another_one():
    return lambda: given_up_before(X)


@perfspec.subject("given up at import")
def given_up_at_import():
    made = torch.compile(lambda x: x + 1, backend="eager")
    return lambda: made(given_up_before(X))
