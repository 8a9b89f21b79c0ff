# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Subjects in Python, which perfspec's tests in C++ measure.

    import perfspec, torch

    @perfspec.subject
    def eager():
        model = torch.nn.Linear(64, 64).eval()  # load: runs once, untimed
        x = torch.randn(8, 64)
        return lambda: model(x)                 # the body: what is measured
"""

from .body_state import Inputs as inputs, state
from .comparing import accuracy
from .libraries import needs
from .subjects import body, subject

__all__ = ["accuracy", "body", "inputs", "needs", "state", "subject"]
