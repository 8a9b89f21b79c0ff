# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The result of a body as a flat list of named values, copied because the next call may write to the same buffer."""

from __future__ import annotations

import collections.abc
import dataclasses
import numbers
import typing

from . import libraries

DEEPEST = 50
LONG = 2000  # bits of an integer whose decimal digits Python may refuse to write: it takes 640 at least, and 4300 by itself


class Incomparable(Exception):
    """A result has a value that cannot be compared."""


class Leaf(typing.NamedTuple):
    """A tensor, array, number, text or None, and its place: `output[0].logits`."""

    name: str
    value: typing.Any


def parts_of(value: typing.Any) -> list[tuple[str, typing.Any]] | None:
    """The elements of a container with their access, such as `[0]`; None for a single value. The order of dictionaries does not count."""
    if dataclasses.is_dataclass(value) and not isinstance(value, (type, collections.abc.Mapping)):
        return [(f".{each.name}", getattr(value, each.name)) for each in dataclasses.fields(value)]
    if isinstance(value, collections.abc.Mapping):
        return sorted(((f"[{key!r}]", each) for key, each in value.items()), key=lambda part: part[0])
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return [(f".{name}", each) for name, each in zip(value._fields, value)]
    if isinstance(value, (list, tuple)):
        return [(f"[{at}]", each) for at, each in enumerate(value)]
    if (torch := libraries.torch()) and (known := torch.utils._pytree.SUPPORTED_NODES.get(type(value))):  # such as DynamicCache of transformers
        parts, context = known.flatten_fn(value)
        return None if context and not parts else [(f"[{at}]", each) for at, each in enumerate(parts)]  # a constant, by register_constant
    return None


def dense(tensor: typing.Any, name: str) -> typing.Any:
    """A dense copy in CPU memory, not quantized."""
    torch = libraries.torch()
    if tensor.is_meta or getattr(tensor, "is_nested", False):
        raise Incomparable(f"{name} is a {'meta' if tensor.is_meta else 'nested'} tensor, whose values cannot be compared: return plain tensors")
    with torch.no_grad():
        tensor = tensor.detach()
        with torch.inference_mode(tensor.is_inference()):  # to_dense() writes to tensors, which fails elsewhere for one made in inference mode
            tensor = tensor.dequantize() if tensor.is_quantized else tensor
            tensor = tensor if tensor.layout == torch.strided else tensor.to_dense()
        return tensor.resolve_conj().resolve_neg().to("cpu", copy=True).contiguous()


def copied(value: typing.Any, name: str) -> typing.Any:
    torch, numpy = libraries.torch(), libraries.numpy()
    if torch is not None and isinstance(value, torch.Tensor):
        return dense(value, name)
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        if value.dtype.kind not in "biufc":
            raise Incomparable(f"{name} is an array of {value.dtype}, which cannot be compared: return numbers")
        return numpy.array(value)
    if value is None or isinstance(value, (str, bytes, bool, int, float, complex)):
        return value
    if isinstance(value, numbers.Number):
        return float(value)
    if torch is not None and isinstance(value, torch.nn.Module):
        raise Incomparable(f"{name} is the model itself, a {type(value).__name__}: call it in the body, as in `return lambda: model(x)`")
    raise Incomparable(f"{name} is a {type(value).__name__}, which cannot be compared: return tensors, numbers, texts, and lists or dictionaries of them")


def flattened(value: typing.Any, name: str = "output", depth: int = 0) -> list[Leaf]:
    """All values of an output. Raises Incomparable."""
    if depth > DEEPEST:
        raise Incomparable(f"{name[:60]}… is nested too deeply to be compared: return tensors, numbers, texts, and lists or dictionaries of them")
    parts = parts_of(value)
    if parts is None:
        return [Leaf(name, copied(value, name))]
    return [leaf for part, each in parts for leaf in flattened(each, name + part, depth + 1)]


def is_empty(leaf: Leaf) -> bool:
    """Whether it has nothing to compare."""
    if leaf.value is None or isinstance(leaf.value, (str, bytes)):
        return not leaf.value
    return is_array(leaf.value) and 0 in tuple(leaf.value.shape)


def is_array(value: typing.Any) -> bool:
    return hasattr(value, "shape") and hasattr(value, "dtype")


def dtype_of(value: typing.Any) -> str:
    """`float32`; float64, int64 or bool for a number of Python."""
    if is_array(value):
        return str(value.dtype).replace("torch.", "")
    names = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}
    return next((name for kind, name in names.items() if isinstance(value, kind)), type(value).__name__)


def shape_of(value: typing.Any) -> tuple[int, ...]:
    return tuple(value.shape) if is_array(value) else ()


def described(value: typing.Any) -> str:
    """`float32[1,1000]`, or the value itself if it is no array."""
    if is_array(value):
        return f"{dtype_of(value)}[{','.join(map(str, shape_of(value)))}]"
    text = hex(value) if isinstance(value, int) and value.bit_length() > LONG else repr(value)
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:40] + '…'}" if value is not None else "None"
