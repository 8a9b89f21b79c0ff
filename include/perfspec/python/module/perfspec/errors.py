# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Differences between numbers: tensors of torch, arrays of NumPy, and numbers of Python."""

from __future__ import annotations

import math
import typing

from . import libraries
from .outputs import is_array, shape_of


class Errors(typing.NamedTuple):
    """Differences of one output; NaN if it has NaN or infinity."""

    disagreeing: int  # elements beyond the tolerance
    worst: int  # index of the element farthest beyond it, or -1
    pair: tuple[float, float]  # reference and candidate there
    largest_absolute: float
    mean_absolute: float
    largest_relative: float
    root_mean_square: float
    nan: tuple[bool, bool]  # in the reference, in the candidate


def wide(value: typing.Any) -> typing.Any:
    """All numbers as a flat array in double precision; two for each complex one."""
    torch, numpy = libraries.torch(), libraries.numpy()
    if torch is not None:
        dtype = None if is_array(value) else torch.complex128 if isinstance(value, complex) else torch.float64  # torch takes single precision for numbers of Python
        tensor = torch.as_tensor(value, dtype=dtype)
        return (torch.view_as_real(tensor) if tensor.is_complex() else tensor).to(torch.float64).flatten()
    if numpy is not None:
        array = numpy.asarray(value).reshape(-1)
        return (array.view(array.real.dtype) if array.dtype.kind == "c" else array).astype("float64")
    return [value.real, value.imag] if isinstance(value, complex) else [float(value)]


def count_unequal(reference: typing.Any, candidate: typing.Any) -> int:
    """Unequal elements of two outputs of one shape, of which one may be a number of Python."""
    library = libraries.torch() or libraries.numpy()
    as_array = library.as_tensor if hasattr(library, "as_tensor") else library.asarray
    return int((as_array(reference) != as_array(candidate)).sum())


def largest_of(values: typing.Any) -> float:
    """The largest finite absolute value, or 0."""
    if isinstance(values, list):
        return max((abs(each) for each in values if math.isfinite(each)), default=0.0)
    library = libraries.torch() or libraries.numpy()
    return float(library.where(library.isfinite(values), library.abs(values), library.zeros_like(values)).max())


def root_mean_square(values: typing.Any) -> float:
    return math.sqrt(sum(each * each for each in values) / len(values) if isinstance(values, list) else float((values * values).mean()))


def cosine(expected: typing.Any, actual: typing.Any, nan_agree: bool) -> float:
    """The cosine of the angle between two outputs; NaN if one is 0. With nan_agree, without elements that are NaN in both."""
    if nan_agree:
        compared = ~((expected != expected) & (actual != actual))
        expected, actual = expected[compared], actual[compared]
    lengths = root_mean_square(expected) * root_mean_square(actual)
    return float((expected * actual).mean()) / lengths if lengths else math.nan


def agree(expected: float, actual: float, relative: float, absolute: float, nan_agree: bool) -> bool:
    if math.isnan(expected) or math.isnan(actual):
        return nan_agree and math.isnan(expected) and math.isnan(actual)
    return expected == actual or (math.isfinite(expected) and math.isfinite(actual) and abs(actual - expected) <= absolute + relative * abs(expected))


def errors_of_numbers(expected: list[float], actual: list[float], relative: float, absolute: float, nan_agree: bool) -> Errors:
    errors = [abs(b - a) for a, b in zip(expected, actual)]
    wrong = [at for at, (a, b) in enumerate(zip(expected, actual)) if not agree(a, b, relative, absolute, nan_agree)]
    worst = max(wrong, key=lambda at: math.inf if math.isnan(errors[at]) else errors[at], default=-1)
    nan_or_largest = math.nan if any(map(math.isnan, errors)) else max(errors)
    floor = max(absolute, 1e-300)
    return Errors(len(wrong), worst, (expected[worst], actual[worst]), nan_or_largest, sum(errors) / len(errors),
                  max(error / max(abs(a), floor) for error, a in zip(errors, expected)),
                  root_mean_square(errors),
                  (any(map(math.isnan, expected)), any(map(math.isnan, actual))))


def errors_of_arrays(expected: typing.Any, actual: typing.Any, relative: float, absolute: float, nan_agree: bool) -> Errors:
    library = libraries.torch() or libraries.numpy()
    error, size = library.abs(actual - expected), library.abs(expected)
    finite = library.isfinite(expected) & library.isfinite(actual)
    right = (expected == actual) | (finite & (error <= absolute + relative * size))
    if nan_agree:
        right = right | (library.isnan(expected) & library.isnan(actual))
    infinite = library.full_like(error, math.inf)
    distance = library.where(right, -infinite, library.where(library.isnan(error), infinite, error))
    worst = int(distance.argmax()) if not bool(right.all()) else -1
    floor = library.full_like(size, max(absolute, 1e-300))
    return Errors(int((~right).sum()), worst, (float(expected[worst]), float(actual[worst])), float(error.max()), float(error.mean()),
                  float((error / library.maximum(size, floor)).max()), root_mean_square(error),
                  (bool(library.isnan(expected).any()), bool(library.isnan(actual).any())))


def errors_between(expected: typing.Any, actual: typing.Any, relative: float, absolute: float, nan_agree: bool) -> Errors:
    """expected, actual  results of `wide`, of one size that is not 0"""
    compare = errors_of_numbers if isinstance(expected, list) else errors_of_arrays
    return compare(expected, actual, relative, absolute, nan_agree)


def place_in(value: typing.Any, index: int) -> str:
    """`[3,5]`, the place of the element with this flat index; empty for a single number."""
    complex_parts = 2 if "complex" in str(getattr(value, "dtype", type(value))) else 1
    index //= complex_parts
    place = []
    for size in reversed(shape_of(value) if is_array(value) else ()):
        index, coordinate = divmod(index, size)
        place.insert(0, str(coordinate))
    return f"[{','.join(place)}]" if place else ""
