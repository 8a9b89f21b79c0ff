# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether two outputs are the same, by the rules of `compare_outputs` in perfspec's libtorch/outputs."""

from __future__ import annotations

import dataclasses
import math
import typing

from . import errors
from .faults import Refusal
from .outputs import Leaf, described, dtype_of, is_array, shape_of

HALF = ("float16", "bfloat16")
MAX_LINES = 8
FEW = 1000  # elements


class Agreement(typing.NamedTuple):
    same: bool
    text: str
    numbers: int = 0  # elements of an output that is beyond a tolerance, the fewest of several; 0 where something else differs, too


@dataclasses.dataclass
class Statistics:
    """The worst of each number over all outputs."""

    values: dict[str, float] = dataclasses.field(default_factory=dict)

    def note(self, name: str, value: float) -> None:
        known = self.values.get(name)
        if known is None or (not math.isnan(known) and not value <= known):  # NaN is the worst
            self.values[name] = value


class Accuracy(typing.NamedTuple):
    """What `accuracy` returns."""

    tolerance: float = 0.0
    cosine: float = 0.0
    nan: bool | None = None


def accuracy(*, tolerance: float = 0.0, cosine: float = 0.0, nan: bool | None = None) -> Accuracy:
    """When the outputs of a candidate count as those of its reference: `perfspec.body(int8, accuracy=perfspec.accuracy(cosine=0.99))`. Given one, integers
    need not be equal.

    tolerance  relative; 0: 1e-4, float16 1e-3, bfloat16 1e-2
    cosine     beyond the tolerance, outputs of several elements agree from this cosine similarity on; it is blind to a factor
    nan        whether NaN agree; None: in half precision alone
    """
    if not 0.0 <= tolerance < 1.0 or not 0.0 <= cosine <= 1.0:
        raise Refusal(f"perfspec.accuracy: the tolerance is from 0 to below 1, the cosine from 0 to 1, such as 0.01 and 0.99; these are {tolerance} and {cosine}")
    return Accuracy(tolerance, cosine, nan)


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
    """That of PyTorch's harness. The coarser of two dtypes has the larger one."""
    return {"bfloat16": 1e-2, "float16": 1e-3}.get(dtype, 1e-4)


def is_floating(dtype: str) -> bool:
    return dtype.startswith(("float", "bfloat", "complex"))


def allowed_for(dtypes: tuple[str, str], largest: float, how: Accuracy) -> Allowed:
    """largest  value of the reference. The absolute part stays below it: else any small output would be right."""
    coarser = max(dtypes, key=usual_tolerance)
    relative = how.tolerance or usual_tolerance(coarser)
    return Allowed(relative, relative * min(1.0, largest), coarser in HALF if how.nan is None else how.nan)


def nan_text(found: errors.Errors, nan_agree: bool) -> str:
    in_reference, in_candidate = found.nan
    if in_reference and in_candidate:
        return "" if nan_agree else "; both hold NaN, which agree in half precision alone, or by perfspec.accuracy(nan=True)"
    return f"; the {'reference' if in_reference else 'candidate'} holds NaN" if in_reference or in_candidate else ""


def compare_numbers(statistics: Statistics, reference: typing.Any, candidate: typing.Any, how: Accuracy) -> Agreement:
    expected, given = errors.wide(reference), errors.wide(candidate)
    largest = errors.largest_of(expected)
    allowed = allowed_for((dtype_of(reference), dtype_of(candidate)), largest, how)
    found = errors.errors_between(expected, given, *allowed)
    for name, value in (("max_abs_error", found.largest_absolute), ("mean_abs_error", found.mean_absolute), ("max_rel_error", found.largest_relative),
                        ("rmse", found.root_mean_square), ("max_abs_reference", largest), ("tolerance", allowed.relative)):
        statistics.note(name, value)
    as_dtype = "" if dtype_of(reference) == dtype_of(candidate) else f" for {dtype_of(candidate)}"
    if not found.disagreeing:
        return Agreement(True, f"within {allowed.text()}{as_dtype}, largest error {found.largest_absolute:.3g}")
    size = math.prod(shape_of(reference))
    if how.cosine and size > 1:
        alike = errors.cosine(expected, given, allowed.nan_agree)
        statistics.values["cosine_similarity"] = min(alike, statistics.values.get("cosine_similarity", 1.0))
        if alike >= how.cosine:
            return Agreement(True, f"cosine similarity {alike:.6g}, largest error {found.largest_absolute:.3g}")
    where = errors.place_in(reference, found.worst)
    return Agreement(False, f"not within {allowed.text()}{as_dtype} in {found.disagreeing} of {len(expected)} elements, worst"
                            f"{f' at {where}' if where else ''}: {found.pair[1]:.6g} where the reference has {found.pair[0]:.6g}{nan_text(found, allowed.nan_agree)}", size)


def compare_exactly(reference: typing.Any, candidate: typing.Any) -> Agreement:
    """Integers, booleans and texts."""
    if not is_array(reference) and not is_array(candidate):
        same = reference == candidate
        return Agreement(same, "equal" if same else f"{described(candidate)} where the reference has {described(reference)}", int("int" in dtype_of(reference)))
    unequal = errors.count_unequal(reference, candidate)
    kind = "booleans" if dtype_of(reference) == "bool" else "integers"
    return Agreement(unequal == 0, f"{kind} that are not equal in {unequal} elements" if unequal else "equal", math.prod(shape_of(reference)) if kind == "integers" else 0)


def are_comparable(reference: typing.Any, candidate: typing.Any) -> bool:
    """Whether values may be compared: by a tolerance both, or of one dtype."""
    dtypes = dtype_of(reference), dtype_of(candidate)
    alike = dtypes[0] == dtypes[1] or all(map(is_floating, dtypes)) and len({each.startswith("complex") for each in dtypes}) == 1
    return alike and shape_of(reference) == shape_of(candidate)


def compare_leaf(statistics: Statistics, reference: typing.Any, candidate: typing.Any, how: Accuracy) -> Agreement:
    if not are_comparable(reference, candidate):
        return Agreement(False, f"{described(candidate)} where the reference has {described(reference)}")
    if is_array(reference) and 0 in shape_of(reference):
        return Agreement(True, "both empty")
    if is_floating(dtype_of(reference)) or (how.tolerance or how.cosine) and "int" in dtype_of(reference):
        return compare_numbers(statistics, reference, candidate, how)
    return compare_exactly(reference, candidate)


def multiplier_for(reference: typing.Any) -> float:
    """3 for half precision, few elements, and feature maps of one pixel; else 2: the rule of `same` in PyTorch's torch/_dynamo/utils.py."""
    shape = shape_of(reference)
    one_pixel = len(shape) == 4 and shape[-2:] == (1, 1)
    return 3.0 if dtype_of(reference) in HALF or math.prod(shape) < FEW or one_pixel else 2.0


def compare_precisely(found: Agreement, expected: Leaf, given: Leaf, exact: Leaf | None) -> Agreement:
    """What was found beyond the tolerance, once more beside double precision: a candidate may be as far from that as its reference is, twice or three
    times. Only numbers of floating point, of one shape, have that."""
    reference, candidate = expected.value, given.value
    if exact is None or found.same or not is_floating(dtype_of(reference)) or not are_comparable(reference, candidate):
        return found
    if shape_of(exact.value) != shape_of(reference):
        return Agreement(False, f"{found.text}; in double precision it has another shape, [{','.join(map(str, shape_of(exact.value)))}]")
    precise = errors.wide(exact.value)
    own, others = (errors.errors_between(precise, errors.wide(each), 0.0, 0.0, False).root_mean_square for each in (reference, candidate))
    tolerance = max(usual_tolerance(dtype_of(each)) for each in (reference, candidate))
    allowed = multiplier_for(reference) * own + tolerance / 10 * min(1.0, errors.root_mean_square(precise))
    return found._replace(same=others <= allowed,  # NaN is near to nothing
                          text=f"{found.text}; root mean square error to double precision {others:.3g}, of the reference {own:.3g}")


def joined(all_found: list[Agreement]) -> str:
    """One line an output; of many only those that differ, and how many agree."""
    if len(all_found) <= MAX_LINES:
        return "\n".join(each.text for each in all_found)
    shown = [each.text for each in all_found if not each.same][:MAX_LINES]
    return "\n".join([*shown, f"{sum(each.same for each in all_found)} of {len(all_found)} outputs agree"])


def compare(statistics: Statistics, reference: list[Leaf], candidate: list[Leaf], in_double: typing.Callable[[], dict[str, Leaf]] = dict,
            how: Accuracy = Accuracy()) -> Agreement:
    """Compares all values of both outputs, one after the other.

    in_double  the same in double precision, by name: asked for once, where a value is beyond the tolerance
    """
    if len(reference) != len(candidate):
        return Agreement(False, f"{len(candidate)} outputs where the reference has {len(reference)}")
    found, exact = [], None
    for expected, given in zip(reference, candidate):
        if expected.name != given.name:
            return Agreement(False, f"{given.name} where the reference has {expected.name}")
        one = compare_leaf(statistics, expected.value, given.value, how)
        if not one.same:
            exact = in_double() if exact is None else exact
            one = compare_precisely(one, expected, given, exact.get(expected.name))
        found.append(one._replace(text=f"{expected.name}, {described(expected.value)}: {one.text}"))
    return Agreement(all(each.same for each in found), joined(found), min((each.numbers for each in found if not each.same), default=0))


def of_one_form(reference: list[Leaf], candidate: list[Leaf]) -> bool:
    """Whether names, shapes and dtypes agree."""
    return [each.name for each in reference] == [each.name for each in candidate] and all(are_comparable(one.value, other.value) for one, other in zip(reference, candidate))
