# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Queries on callables: `perf.speedup(eager, compiled) > 0.95`."""

from __future__ import annotations

import functools
import itertools
import operator
import typing

from .claims import Baseline, Quantity, Query, Within
from .comparing import Accuracy
from .faults import Refusal
from .subjects import Registry, Subject, body as body_of, place_of, takes_arguments

__tracebackhide__ = operator.methodcaller("errisinstance", Refusal)  # pytest shows the line of the test
WORK = ("items", "bytes", "flops")
NO_DETAILS = (False, False, [], None, Accuracy(), False, {})
Body = typing.Union[typing.Callable[[], typing.Any], Subject]


def word(name: str, count: int, meaning: str) -> typing.Callable[..., Query]:
    """A method that makes a query of `count` subjects: `latency(f)`, `latency(parse=f)`."""

    def query(self: Queries, *unnamed: Body, **named: Body) -> Query:
        return self._query(name, count, unnamed, named)

    query.__name__, query.__doc__ = name, meaning
    return query


class Queries:
    """Queries, which measure nothing.

    Subjects are callables without arguments: functions, lambdas, fixtures that return one, or what `subject` returns. `latency(parse=f)` names one.
    """

    def __init__(self, fixtures: dict[str, typing.Any]) -> None:
        self._fixtures = fixtures  # by name
        self._has_queries = False
        self._registry = Registry()
        self._bodies: dict[str, typing.Callable] = {}
        self._details: dict[str, tuple] = {}  # of subjects, other than name and body
        self._nameless: set[str] = set()
        self._has_load: set[str] = set()
        self._unverified: list[str] = []
        self._work: dict[str, dict[str, float]] = {}

    latency = word("latency", 1, "Wall time of a call: `perf.latency(parse) < \"3ms\"`. Times are seconds, or texts.")
    cpu_time = word("cpu_time", 1, "Processor time of a call, of all threads.")
    speedup = word("speedup", 2, "Time of the first subject divided by that of the second. Outputs are compared first.")
    same_output = word("same_output", 2, "Claims without a bound that both return the same: `perf.require(perf.same_output(eager, compiled))`.")
    first_call = word("first_call", 1, "Time of the first call, in fresh processes, each of which runs the test up to here.")
    cold_start = word("cold_start", 1, "Time of loading and of all calls until one is steady, compiling included, in fresh processes.")
    peak_memory = word("peak_memory", 1, "How far a call raises the memory of the process, in fresh processes: `perf.peak_memory(f) < \"2MiB\"`.")
    memory_ratio = word("memory_ratio", 2, "Peak memory of the first subject divided by that of the second, each in processes of its own.")
    graph_breaks = word("graph_breaks", 1, "How often torch.compile left the graph and returned to Python.")
    graphs = word("graphs", 1, "How many different graphs torch.compile made of it.")
    compilations = word("compilations", 1, "How many functions torch.compile compiled, recompilations included.")
    recompiles = word("recompiles", 1, "How often torch.compile compiled a function again.")

    def load_time(self, *x: Body, **named: Body) -> Query:
        """Time of the function `load` of a subject, in fresh processes: `perf.load_time(perf.subject("net", load=make)) < 2`."""
        query = self._query("load_time", 1, x, named)
        if not self._has_load.issuperset(query.subjects):
            raise Refusal(f"{query.subjects[0]} has nothing to load: write perf.subject(\"{query.subjects[0]}\", load=make), where make returns the body")
        return query

    def throughput(self, *x: Body, of: str = "items", **named: Body) -> Query:
        """Work per second of a subject that states the work of a call: `perf.throughput(perf.subject("parse", parse, bytes=4e6), of="bytes") > "200MB/s"`."""
        query = self._query("throughput", 1, x, named, work=of)
        if of not in self._work[query.subjects[0]]:
            raise Refusal(f"{query.subjects[0]} does not say how many {of} a call does: write perf.subject(\"{query.subjects[0]}\", f, {of}=1000)")
        return query

    def metric(self, name: str, direction: str, *x: Body, **named: Body) -> Query:
        """The number that the body returns: `perf.metric("tokens/s", "more_is_better", decode) > 40`, or "less_is_better"."""
        return self._query("metric", 1, x, named, name=name, direction=direction)

    def percentile(self, of: Query, percent: float) -> Query:
        """`perf.percentile(perf.latency(f), 95)`."""
        if of.word != "latency":
            raise Refusal(f"only a latency has percentiles, not {of.word}: write perf.percentile(perf.latency(f), {percent:g})")
        return Query("percentile", of.subjects, {"percent": percent})

    p99 = functools.partialmethod(percentile, percent=99)

    def baseline(self) -> Baseline:
        """The recorded value of the query: `1.05 * perf.baseline()`, `perf.baseline() + "2ms"`, `perf.baseline() + "5%"`."""
        return Baseline()

    def within(self, around: typing.Any, by: Quantity) -> Within:
        """A bound with two sides: `perf.speedup(a, b) == perf.within(1.4, "5%")`; a number or a time in place of the percentage is a distance."""
        return Within(around, by)

    def subject(self, name: str, body: typing.Callable[[], typing.Any] | None = None, *, load: typing.Callable[[], typing.Any] | None = None,
                training: bool = False, state: typing.Iterable = (), precise: typing.Callable[[], typing.Any] | None = None,
                accuracy: Accuracy = Accuracy(), unverified: bool = False, **work: float) -> Subject:
        """A body with a name and details.

        load  instead of the body, a function that returns it, as below @perfspec.subject: load_time and cold_start measure it
        training  it runs with gradients; others run under torch.no_grad
        state, precise, accuracy  as in perfspec.body; each claim puts the state back
        unverified  its outputs are not compared
        work  items=, bytes= or flops= of a call, for its throughput
        Raises Refusal unless the body is a callable without arguments, and for a second subject of this name with another body or other details."""
        function, state = body if load is None else load, list(state)
        if wrong := [*work.keys() - set(WORK)]:
            raise Refusal(f"perf.subject does not take {wrong[0]}=: state the work of a call by {'=, '.join(WORK)}=")
        for each, count in work.items():
            try:
                work[each] = float(count)
            except (TypeError, ValueError):
                raise Refusal(f"{each} is {count!r}: give a number, such as {each}=4e6") from None
        details = (load is not None, training, state, precise, accuracy, unverified, work)
        if name in self._bodies:
            if self._bodies[name] != function:
                raise Refusal(f"two subjects are called {name}: give them names, such as perf.speedup(before=f, after=g). Instead of a loop, use "
                              f"@pytest.mark.parametrize")
            if details not in (self._details[name], NO_DETAILS):
                raise Refusal(f"{name} is a subject already, and this perf.subject says something else of it: write perf.subject once, before the first claim on it")
            return self._registry.subjects[name]
        if not callable(function) or takes_arguments(function):
            raise Refusal(f"{name} is {'no callable' if not callable(function) else 'called with arguments'}: write `lambda: {name}(x)`")
        if load is not None and (body, state, precise, accuracy) != (None, [], None, Accuracy()):
            raise Refusal(f"{name} has load=, which returns the body: end it by `return perfspec.body(step, state=[…])`")
        made = body_of(body, state=state, precise=precise, accuracy=accuracy)
        self._registry.add(name, load or (lambda: made), training)
        self._registry.subjects[name].state = made.state
        self._bodies[name], self._details[name] = function, details
        self._has_load |= {name} if load else set()
        self._work[name] = work
        if unverified:
            self._unverified.append(name)
        return self._registry.subjects[name]

    def _name(self, body: typing.Callable) -> str:
        """`eager` for the fixture or the function of that name, `test_model.py:12` for a lambda."""
        for fixture, value in self._fixtures.items():
            if value is body:
                return fixture
        name = getattr(body, "__name__", type(body).__name__)
        if name != "<lambda>":
            return name
        place = place_of(body)
        names = (place if number == 1 else f"{place}#{number}" for number in itertools.count(1))
        name = next(each for each in names if self._bodies.get(each, body) is body)
        self._nameless.add(name)
        return name

    def _query(self, word: str, count: int, unnamed: tuple, named: dict[str, typing.Any], **parameters: typing.Any) -> Query:
        if len(unnamed) + len(named) != count:
            raise Refusal(f"{word} takes {count} subject{'s' if count > 1 else ''}, but got {len(unnamed) + len(named)}")
        self._has_queries = True
        pairs = [*((None, each) for each in unnamed), *named.items()]
        subjects = [each if isinstance(each, Subject) else self.subject(name or self._name(each), each) for name, each in pairs]
        return Query(word, tuple(each.name for each in subjects), parameters)
