# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Queries, bounds and claims of tests in Python: `speedup(eager, compiled) > 0.95`, `latency(f) < 1.05 * baseline()`.

They measure nothing, and check only mistakes that are possible in Python alone: the judge checks the rest.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import operator
import re
import typing

from .faults import Refusal

__tracebackhide__ = operator.methodcaller("errisinstance", Refusal)  # pytest shows the line of the test
LARGEST_IN_SECONDS = 100.0  # a larger number without a unit was probably meant in nanoseconds
Quantity = typing.Union[float, str, datetime.timedelta]


def plain(value: typing.Any) -> float | str:
    """A quantity as a number (times in seconds) or a text with its unit. Raises Refusal for other values."""
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, str):
        return value
    try:
        if not isinstance(value, bool):
            return float(value)
    except (TypeError, ValueError):
        pass
    raise Refusal(f"{value!r} is no bound: write a number (times in seconds), a text such as \"3ms\", perf.baseline(), or the same query of another subject")


def times(factor: float) -> str:
    return "" if factor == 1.0 else f"{factor:g} * "


@dataclasses.dataclass(frozen=True)
class Baseline:
    """The recorded value of the query, scaled and shifted."""

    factor: float = 1.0
    sign: str = ""  # "plus" or "minus" of a shift by `by`
    by: float | str = 0.0

    def __mul__(self, factor: float) -> Baseline:
        if self.sign:
            raise Refusal("a baseline is shifted once, after all factors and percentages: write 1.05 * perf.baseline() + \"2ms\"")
        return dataclasses.replace(self, factor=self.factor * factor)

    __rmul__ = __mul__

    def _moved(self, by: Quantity, sign: str) -> Baseline:
        """A percentage is a factor, as in C++. Another quantity is a shift."""
        by = plain(by)
        if percentage := re.fullmatch(r"(-?\d*\.?\d+) *%", str(by)):
            share = float(percentage[1]) / 100
            return self * (1.0 + share if sign == "plus" else 1.0 - share)
        return dataclasses.replace(self * 1.0, sign=sign, by=by)  # refused after a shift

    __add__ = functools.partialmethod(_moved, sign="plus")
    __sub__ = functools.partialmethod(_moved, sign="minus")

    def as_json(self) -> dict[str, typing.Any]:
        return {"baseline": self.factor, **({self.sign: self.by} if self.sign else {})}

    def __str__(self) -> str:
        shift = {"plus": f" + {self.by}", "minus": f" - {self.by}"}.get(self.sign, "")
        return f"{times(self.factor)}baseline(){shift}"


@dataclasses.dataclass(frozen=True)
class Within:
    """A bound, and the distance that the query may have on either side."""

    around: typing.Any
    by: Quantity

    def __str__(self) -> str:
        return f"within({self.around}, {self.by})"


def compared(sign: str) -> typing.Callable[[Query, typing.Any], Claim]:
    return lambda query, bound: Claim(query, sign, bound)


@dataclasses.dataclass(frozen=True, eq=False)
class Query:
    """A metric of one or two subjects."""

    word: str
    subjects: tuple[str, ...]
    parameters: dict[str, typing.Any] = dataclasses.field(default_factory=dict)  # such as the percent of a percentile
    factor: float = 1.0  # of `1.2 * latency(x)` as a bound of another query

    def __mul__(self, factor: float) -> Query:
        return dataclasses.replace(self, factor=self.factor * factor)

    __rmul__ = __mul__

    __lt__, __le__, __gt__, __ge__, __eq__ = map(compared, ("<", "<=", ">", ">=", "=="))  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise Refusal(f"{self.word}(…) has no truth value: write perf.require({self.word}(…) < bound)")

    def as_json(self) -> dict[str, typing.Any]:
        return {"word": self.word, "subjects": list(self.subjects), **self.parameters}

    def __str__(self) -> str:
        """As in C++: `throughput(parse, bytes)`, `metric("tokens/s", more_is_better, decode)`."""
        names, parameters = ", ".join(self.subjects), self.parameters
        if percent := parameters.get("percent"):
            return times(self.factor) + (f"p{percent:g}(latency({names}))" if percent in (90, 99) else f"percentile(latency({names}), {percent:g})")
        before = f'"{parameters["name"]}", {parameters["direction"]}, ' if "name" in parameters else ""
        after = f", {parameters['work']}" if parameters.get("work", "items") != "items" else ""
        return f"{times(self.factor)}{self.word}({before}{names}{after})"


@dataclasses.dataclass(frozen=True)
class Claim:
    """A query, a comparison and a bound."""

    query: Query
    comparison: str
    bound: typing.Any

    def __bool__(self) -> bool:
        raise Refusal("a claim has no truth value before it is measured: write perf.require(claim) instead of assert claim, and one bound in each claim, not 1 < query < 2")

    def as_json(self) -> dict[str, typing.Any]:
        """The claim as the judge reads it. Raises Refusal for an invalid bound."""
        bound, by = (self.bound.around, {"tolerance": plain(self.bound.by)}) if isinstance(self.bound, Within) else (self.bound, {})
        if self.query.factor != 1.0:
            raise Refusal("a factor belongs to the bound: write latency(a) < 1.2 * latency(b)")
        as_query = {"factor": bound.factor, "query": bound.as_json()} if isinstance(bound, Query) else None
        bound = as_query or (bound.as_json() if isinstance(bound, Baseline) else plain(bound))
        if self.query.word in ("latency", "cpu_time", "percentile") and isinstance(bound, float) and bound >= LARGEST_IN_SECONDS and bound == self.bound:
            raise Refusal(f"a bound of {bound:g} seconds was probably meant in nanoseconds, as in records: write f\"{{x}}ns\". If you mean seconds, write \"{bound:g}s\"")
        return {"query": self.query.as_json(), "comparison": self.comparison, "bound": bound, **by}

    def __str__(self) -> str:
        return f"{self.query} {self.comparison} {self.bound}"
