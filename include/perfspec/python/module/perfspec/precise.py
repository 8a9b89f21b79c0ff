# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Outputs beyond the tolerance, beside the same in double precision: a candidate may be as far from that as its reference is, twice or three times.

The rule of `same` in PyTorch's torch/_dynamo/utils.py, and of perfspec's libtorch/outputs/accuracy.hpp.
"""

from __future__ import annotations

import math
import typing

from . import errors
from .outputs import dtype_of, shape_of

OF_HALF = ("float16", "bfloat16")
FEW = 1000  # elements


def size_of(shape: tuple[int, ...]) -> int:
    return math.prod(shape)


def multiplier_for(reference: typing.Any) -> float:
    """3 for half precision, few elements, and feature maps of one pixel; else 2."""
    shape = shape_of(reference)
    one_pixel = len(shape) == 4 and shape[-2:] == (1, 1)
    return 3.0 if dtype_of(reference) in OF_HALF or size_of(shape) < FEW or one_pixel else 2.0


def root_mean_square(values: typing.Any) -> float:
    if isinstance(values, list):
        return math.sqrt(sum(each * each for each in values) / len(values))
    return math.sqrt(float((values * values).mean()))


def distance(precise: typing.Any, found: typing.Any) -> float:
    """Root mean square of the difference."""
    return errors.errors_between(precise, errors.wide(found), 0.0, 0.0, False).root_mean_square


def near_enough(reference: typing.Any, candidate: typing.Any, precise: typing.Any, tolerance: float) -> tuple[bool, str]:
    """Whether the candidate is about as right as the reference, and a text that says so. All are of one shape and not empty."""
    if shape_of(precise) != shape_of(reference):
        return False, f"; in double precision it has another shape, [{','.join(map(str, shape_of(precise)))}]"
    exact = errors.wide(precise)
    own, others = distance(exact, reference), distance(exact, candidate)
    allowed = multiplier_for(reference) * own + tolerance / 10 * min(1.0, root_mean_square(exact))
    text = f"root mean square error to double precision {others:.3g}, of the reference {own:.3g}"
    return others <= allowed, f"; {text}"  # NaN is near to nothing
