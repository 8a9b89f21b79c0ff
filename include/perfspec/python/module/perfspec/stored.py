# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Outputs in files, from one worker to another. Files hold only data: reading one runs no code of it."""

from __future__ import annotations

import io
import os
import pathlib
import pickle

from . import libraries
from .faults import Refusal
from .outputs import Leaf
from .verifying import Expected

OF_TORCH, PLAIN = (b"perfspec outputs of Python 1, " + each + b"\n" for each in (b"torch", b"plain"))


class PlainUnpickler(pickle.Unpickler):
    """Reads numbers, texts, lists and dictionaries; refuses classes and functions."""

    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"it names {module}.{name}")


def packed(value):
    """An array of NumPy as plain values."""
    numpy = libraries.numpy()
    if numpy is not None and isinstance(value, numpy.ndarray):
        return {"dtype": value.dtype.str, "shape": list(value.shape), "bytes": value.tobytes()}
    return value


def unpacked(value):
    if not isinstance(value, dict):
        return value
    numpy, torch = libraries.numpy(), libraries.torch()
    if numpy is None:
        raise Refusal("it has arrays of NumPy, but this worker's file does not import numpy: import it there, too")
    array = numpy.frombuffer(value["bytes"], value["dtype"]).reshape(value["shape"]).copy()
    return array if torch is None else torch.from_numpy(array)


def content_of(expected: Expected) -> bytes:
    content = {**expected._asdict(), "leaves": [[name, packed(value)] for name, value in expected.leaves]}
    if (torch := libraries.torch()) is None:
        return PLAIN + pickle.dumps(content, protocol=4)
    buffer = io.BytesIO()
    torch.save(content, buffer)
    return OF_TORCH + buffer.getvalue()


def write(file: str, expected: Expected) -> None:
    """Writes a new file. Raises Refusal if the file exists."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(content_of(expected))
    except OSError as error:
        raise Refusal(f"cannot write {file}: {error.strerror or error}") from None


def load(data: bytes):
    torch = libraries.torch()
    if data.startswith(PLAIN):
        return PlainUnpickler(io.BytesIO(data[len(PLAIN):])).load()
    if not data.startswith(OF_TORCH):
        raise Refusal("a worker in Python did not write it")
    if torch is None:
        raise Refusal("it has tensors, but this worker's file does not import torch: import it there, too")
    return torch.load(io.BytesIO(data[len(OF_TORCH):]), weights_only=True)


def read(file: str) -> Expected:
    """Raises Refusal for any other file than one of `write`."""
    try:
        content = load(pathlib.Path(file).read_bytes())
        return Expected(**{**content, "leaves": [Leaf(name, unpacked(value)) for name, value in content["leaves"]]})
    except Refusal as refusal:
        raise Refusal(f"cannot read {file}: {refusal}") from None
    except Exception as error:  # pickle and torch raise exceptions of any type
        raise Refusal(f"cannot read {file}: {type(error).__name__}: {error}") from None
