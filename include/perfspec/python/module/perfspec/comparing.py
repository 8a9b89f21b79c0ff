# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Compares two outputs by the rules of `compare_outputs` in perfspec's libtorch/outputs."""

from __future__ import annotations

import dataclasses
import math
import typing

from . import libraries
from .faults import Refusal
from .outputs import Leaf, described, dtype_of, is_array, shape_of

HALF = ("float16", "bfloat16")
MAX_LINES = 8
FEW = 1000  # elements


class Agreement(typing.NamedTuple):
    same: bool
    text: str
    numbers: int = 0  # elements of the smallest output beyond its tolerance; 0 if something else differs as well


@dataclasses.dataclass
class Statistics:
    """The worst value of each statistic over all outputs."""

    values: dict[str, float] = dataclasses.field(default_factory=dict)

    def add(self, name: str, value: float) -> None:
        worst = self.values.get(name)
        if worst is None or (not math.isnan(worst) and not value <= worst):  # NaN is the worst
            self.values[name] = value


class Accuracy(typing.NamedTuple):
    """The result of `accuracy`."""

    tolerance: float = 0.0
    cosine: float = 0.0
    nan: bool | None = None


def accuracy(*, tolerance: float = 0.0, cosine: float = 0.0, nan: bool | None = None) -> Accuracy:
    """When the outputs of a candidate agree with those of its reference: `perfspec.body(int8, accuracy=perfspec.accuracy(cosine=0.99))`. With a tolerance
    or a cosine, integers need not be equal.

    tolerance  relative; 0: 1e-4, float16 1e-3, bfloat16 1e-2
    cosine     least cosine similarity at which outputs of several elements agree beyond the tolerance; it ignores a common factor
    nan        whether NaN agree; None: only in half precision
    """
    if not 0.0 <= tolerance < 1.0 or not 0.0 <= cosine <= 1.0:
        raise Refusal(f"perfspec.accuracy: tolerance is {tolerance} and cosine is {cosine}: give a tolerance of at least 0 and below 1, such as 0.01, and a cosine from 0 to 1, such as 0.99")
    return Accuracy(tolerance, cosine, nan)


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
    if nan_agree and math.isnan(expected) and math.isnan(actual):
        return True
    return expected == actual or (math.isfinite(expected) and math.isfinite(actual) and abs(actual - expected) <= absolute + relative * abs(expected))


def errors_of_numbers(expected: list[float], actual: list[float], relative: float, absolute: float, nan_agree: bool) -> Errors:
    errors = [abs(b - a) for a, b in zip(expected, actual)]
    wrong = [at for at, (a, b) in enumerate(zip(expected, actual)) if not agree(a, b, relative, absolute, nan_agree)]
    worst = max(wrong, key=lambda at: math.inf if math.isnan(errors[at]) else errors[at], default=-1)
    nan_or_largest = math.nan if any(map(math.isnan, errors)) else max(errors)
    floor = max(absolute, 1e-300)
    return Errors(len(wrong), worst, (expected[worst], actual[worst]), nan_or_largest, sum(errors) / len(errors),
                  max(error / max(abs(a), floor) for error, a in zip(errors, expected)), root_mean_square(errors),
                  (any(map(math.isnan, expected)), any(map(math.isnan, actual))))


def errors_between(expected: typing.Any, actual: typing.Any, relative: float, absolute: float, nan_agree: bool) -> Errors:
    """expected, actual  results of `wide`, of one size that is not 0"""
    if isinstance(expected, list):
        return errors_of_numbers(expected, actual, relative, absolute, nan_agree)
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


def place_in(value: typing.Any, index: int) -> str:
    """`[3,5]`, the place of the element with this flat index; empty for a single number."""
    complex_parts = 2 if "complex" in str(getattr(value, "dtype", type(value))) else 1
    index //= complex_parts
    place = []
    for size in reversed(shape_of(value) if is_array(value) else ()):
        index, coordinate = divmod(index, size)
        place.insert(0, str(coordinate))
    return f"[{','.join(place)}]" if place else ""


class Allowed(typing.NamedTuple):
    """How far a candidate may lie from a reference: absolute plus relative times the reference."""

    relative: float
    absolute: float
    nan_agree: bool

    def text(self) -> str:
        if self.absolute == self.relative:
            return f"{self.relative:.3g} absolute plus relative"
        return f"{self.absolute:.3g} absolute plus {self.relative:.3g} relative"


def usual_tolerance(dtype: str) -> float:
    """The relative tolerance of PyTorch's harness."""
    return {"bfloat16": 1e-2, "float16": 1e-3}.get(dtype, 1e-4)


def is_floating(dtype: str) -> bool:
    return dtype.startswith(("float", "bfloat", "complex"))


def allowed_for(dtypes: tuple[str, str], largest: float, how: Accuracy) -> Allowed:
    """largest  value of the reference. It limits the absolute part: otherwise any small output would be right."""
    coarser = max(dtypes, key=usual_tolerance)
    relative = how.tolerance or usual_tolerance(coarser)
    return Allowed(relative, relative * min(1.0, largest), coarser in HALF if how.nan is None else how.nan)


def nan_text(differences: Errors, nan_agree: bool) -> str:
    in_reference, in_candidate = differences.nan
    if in_reference and in_candidate:
        return "" if nan_agree else "; both hold NaN, which agree in half precision alone, or by perfspec.accuracy(nan=True)"
    return f"; the {'reference' if in_reference else 'candidate'} holds NaN" if in_reference or in_candidate else ""


@libraries.keeping_numpy_quiet()
def compare_numbers(statistics: Statistics, reference: typing.Any, candidate: typing.Any, how: Accuracy) -> Agreement:
    expected, actual = wide(reference), wide(candidate)
    largest = largest_of(expected)
    allowed = allowed_for((dtype_of(reference), dtype_of(candidate)), largest, how)
    differences = errors_between(expected, actual, *allowed)
    for name, value in (("max_abs_error", differences.largest_absolute), ("mean_abs_error", differences.mean_absolute), ("max_rel_error", differences.largest_relative),
                        ("rmse", differences.root_mean_square), ("max_abs_reference", largest), ("tolerance", allowed.relative)):
        statistics.add(name, value)
    as_dtype = "" if dtype_of(reference) == dtype_of(candidate) else f" for {dtype_of(candidate)}"
    if not differences.disagreeing:
        return Agreement(True, f"within {allowed.text()}{as_dtype}, largest error {differences.largest_absolute:.3g}")
    size = math.prod(shape_of(reference))
    if how.cosine and size > 1:
        similarity = cosine(expected, actual, allowed.nan_agree)
        statistics.values["cosine_similarity"] = min(similarity, statistics.values.get("cosine_similarity", 1.0))
        if similarity >= how.cosine:
            return Agreement(True, f"cosine similarity {similarity:.6g}, largest error {differences.largest_absolute:.3g}")
    place = place_in(reference, differences.worst)
    return Agreement(False, f"not within {allowed.text()}{as_dtype} in {differences.disagreeing} of {len(expected)} elements, worst{f' at {place}' if place else ''}: "
                            f"{differences.pair[1]:.6g}, but the reference has {differences.pair[0]:.6g}{nan_text(differences, allowed.nan_agree)}", size)


def compare_exactly(reference: typing.Any, candidate: typing.Any) -> Agreement:
    """Integers, booleans and texts."""
    if not is_array(reference) and not is_array(candidate):
        same = reference == candidate
        return Agreement(same, "equal" if same else f"{described(candidate)}, but the reference has {described(reference)}", int("int" in dtype_of(reference)))
    unequal = count_unequal(reference, candidate)
    kind = "booleans" if dtype_of(reference) == "bool" else "integers"
    return Agreement(unequal == 0, f"{kind} differ in {unequal} elements" if unequal else "equal", math.prod(shape_of(reference)) if kind == "integers" else 0)


def are_comparable(reference: typing.Any, candidate: typing.Any) -> bool:
    """Whether values have one shape, and one dtype or dtypes that a tolerance compares."""
    dtypes = dtype_of(reference), dtype_of(candidate)
    comparable = dtypes[0] == dtypes[1] or all(map(is_floating, dtypes)) and len({each.startswith("complex") for each in dtypes}) == 1
    return comparable and shape_of(reference) == shape_of(candidate)


def compare_leaf(statistics: Statistics, reference: typing.Any, candidate: typing.Any, how: Accuracy) -> Agreement:
    if not are_comparable(reference, candidate):
        return Agreement(False, f"{described(candidate)}, but the reference has {described(reference)}")
    if is_array(reference) and 0 in shape_of(reference):
        return Agreement(True, "both empty")
    if is_floating(dtype_of(reference)) or (how.tolerance or how.cosine) and "int" in dtype_of(reference):
        return compare_numbers(statistics, reference, candidate, how)
    return compare_exactly(reference, candidate)


def multiplier_for(reference: typing.Any) -> float:
    """3 for half precision, few elements, and feature maps of one pixel; otherwise 2: the rule of `same` in PyTorch's torch/_dynamo/utils.py."""
    shape = shape_of(reference)
    one_pixel = len(shape) == 4 and shape[-2:] == (1, 1)
    return 3.0 if dtype_of(reference) in HALF or math.prod(shape) < FEW or one_pixel else 2.0


@libraries.keeping_numpy_quiet()
def compare_precisely(agreement: Agreement, reference: typing.Any, candidate: typing.Any, exact: Leaf | None) -> Agreement:
    """Compares values beyond the tolerance with double precision: the candidate may be two or three times as far from it as its reference is.
    Only floating-point numbers of one shape."""
    if exact is None or not is_floating(dtype_of(reference)) or not are_comparable(reference, candidate):
        return agreement
    if shape_of(exact.value) != shape_of(reference):
        return Agreement(False, f"{agreement.text}; in double precision it has another shape, [{','.join(map(str, shape_of(exact.value)))}]")
    precise = wide(exact.value)
    own, others = (errors_between(precise, wide(each), 0.0, 0.0, False).root_mean_square for each in (reference, candidate))
    tolerance = max(usual_tolerance(dtype_of(each)) for each in (reference, candidate))
    allowed = multiplier_for(reference) * own + tolerance / 10 * min(1.0, root_mean_square(precise))
    return agreement._replace(same=others <= allowed,  # False for NaN
                              text=f"{agreement.text}; root mean square error against double precision {others:.3g}, of the reference {own:.3g}")


def joined(agreements: list[Agreement]) -> str:
    """One line per output; for many outputs only those that differ, and the number of those that agree."""
    if len(agreements) <= MAX_LINES:
        return "\n".join(each.text for each in agreements)
    shown = [each.text for each in agreements if not each.same][:MAX_LINES]
    return "\n".join([*shown, f"{sum(each.same for each in agreements)} of {len(agreements)} outputs agree"])


def compare(statistics: Statistics, reference: list[Leaf], candidate: list[Leaf], in_double: typing.Callable[[], dict[str, Leaf]] = dict,
            how: Accuracy = Accuracy()) -> Agreement:
    """Compares all values of both outputs.

    in_double  returns the outputs in double precision, by name; called once, if a value is beyond the tolerance
    """
    if len(reference) != len(candidate):
        return Agreement(False, f"{len(candidate)} outputs, but the reference has {len(reference)}")
    agreements, exact = [], None
    for expected, actual in zip(reference, candidate):
        if expected.name != actual.name:
            return Agreement(False, f"{actual.name}, but the reference has {expected.name}")
        agreement = compare_leaf(statistics, expected.value, actual.value, how)
        if not agreement.same:
            exact = in_double() if exact is None else exact
            agreement = compare_precisely(agreement, expected.value, actual.value, exact.get(expected.name))
        agreements.append(agreement._replace(text=f"{expected.name}, {described(expected.value)}: {agreement.text}"))
    return Agreement(all(each.same for each in agreements), joined(agreements), min((each.numbers for each in agreements if not each.same), default=0))


def of_one_form(reference: list[Leaf], candidate: list[Leaf]) -> bool:
    """Whether names, shapes and dtypes agree."""
    return [each.name for each in reference] == [each.name for each in candidate] and all(are_comparable(one.value, other.value) for one, other in zip(reference, candidate))
