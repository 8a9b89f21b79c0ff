# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A comparison of two subjects, with the codes of PyTorch's benchmarks/dynamo."""

from __future__ import annotations

import collections
import contextlib
import copy
import functools
import time
import math
import typing

from . import libraries
from .body_state import Inputs, marks_of, what_changed
from .comparing import Accuracy, Statistics, compare, of_one_form
from .faults import Refusal, refusal_of
from .outputs import Incomparable, Leaf, flattened, is_empty
from .protocol import Message
from .subjects import Subject, states_of

CHANGES_ITSELF = ("if the body changes something from call to call, name it in state=[model, optimizer, generator] of perfspec.body (in pytest, of perf.subject), so "
                  "that each run starts from its value after loading. For variables, use perfspec.state(get=…, set=…) there. For a stream of inputs, use "
                  "perfspec.inputs(stream)")
KEEPS_MORE = ("each run restores what the body names in state=[…], but the body changes more than that from call to call: name that, too, by "
              "perfspec.state(get=…, set=…), or keep it in a buffer of the model")
LESS_EXACT = "\nif the candidate is less exact on purpose, allow that by accuracy=perfspec.accuracy({})"
OTHER_NUMBERS = ("both draw random numbers, but different ones from the same seed, so outputs cannot be compared\n{}\nif torch.compile draws "
                 "its own, such as for dropout, set torch._inductor.config.fallback_random = True for the run, leave dropout out, or declare a subject unverified")
ONE_DRAWS = "\n{} draws random numbers, and {} does not: if it has dropout but should not train, call model.eval() in its function"
COUNTS_CALLS = "what {} and {} return depends on how often they were called; after {} calls of each it is the same\n"
MOST_CALLS, MOST_SECONDS = 100, 2.0  # until both subjects have equally many calls
WITHOUT_STATE = ("\nthe reference names the state that its step changes, but the candidate {} does not, so its second call continues from its first: write "
                 "state=[model, optimizer] there, too")


class Verdict(typing.NamedTuple):
    """An answer `compared`."""

    code: str
    text: str
    statistics: dict[str, float] = {}

    def answer(self) -> Message:
        statistics = [{"name": name, "value": float(value)} for name, value in self.statistics.items() if math.isfinite(value)]
        return {"answer": "compared", "code": self.code, "text": self.text, "statistics": statistics}


class Expected(typing.NamedTuple):
    """Outputs of a reference, and whether its body names a state. unsteady: how two runs differ; empty if they agree; None if they agreed earlier."""

    leaves: list[Leaf]
    unsteady: str | None
    has_state: bool


class Side(typing.NamedTuple):
    """A side of a comparison, and the codes for what its body throws."""

    who: str
    code: str
    memory_code: str


REFERENCE = Side("the reference", "EAGER_FAILED", "EAGER_OUT_OF_MEMORY")
CANDIDATE = Side("the candidate", "EXCEPTION_RAISED", "OUT_OF_MEMORY")


class Fault(Exception):
    """The verdict of a comparison that could not be completed."""

    def __init__(self, code: str, text: str, kind: str = "") -> None:
        super().__init__(text)
        self.verdict, self.kind = Verdict(code, text), kind


def load_states(subject: Subject, states: list) -> None:
    for each, state in zip(subject.state, states):
        each.load_state_dict(copy.deepcopy(state))  # optimizers keep these tensors without a copy
    if states:
        subject.quiet_calls, subject.settled = 0, False  # torch may compile again for this state


@contextlib.contextmanager
def as_if_no_body_ran(subjects: typing.Collection[Subject]):
    """Restores after the block what bodies name as their state, and the generators of random numbers. A state that is made in the block becomes that
    after loading."""
    before = [states_of(each.state) for each in subjects]
    with libraries.keeping_random_numbers():
        try:
            yield
        finally:
            for each, states in zip(subjects, before):
                load_states(each, states or each.initial)


@contextlib.contextmanager
def initial_state(subject: Subject):
    """Resets the body's state to that after loading for the block, so that the number of earlier calls has no effect. Restores it afterwards."""
    states, streams = states_of(subject.state), [(each, each.calls) for each in Inputs.instances]
    load_states(subject, subject.initial)
    for each, _ in streams:
        each.calls = collections.Counter()
    try:
        yield
    finally:
        load_states(subject, states)
        for each, calls in streams:
            each.calls = calls


def outputs_of(call: typing.Callable, subject: Subject) -> list[Leaf]:
    """A copy of the outputs of one call, from the state after loading and fixed seeds."""
    with initial_state(subject):
        libraries.seed()
        leaves = flattened(call(subject))
    if all(map(is_empty, leaves)):
        raise Incomparable(f"the body of {subject.name} returned nothing to compare: return the result from the body")
    return leaves


class Comparison:
    """call  calls the body of a subject once, and returns its result
    file  of the subjects, for places in texts"""

    def __init__(self, call: typing.Callable[[Subject], typing.Any], file: str) -> None:
        self.call, self.file = call, file
        self.steady: set[str] = set()  # references whose two runs agreed

    def run(self, subject: Subject, side: Side, execute: typing.Callable = outputs_of) -> typing.Any:
        """One run. Raises Fault with the code for the exception of the body."""
        try:
            return execute(self.call, subject)
        except Incomparable as error:
            raise Fault("VERIFIER_DIDNT_RUN", str(error)) from None
        except BaseException as error:
            refusal = refusal_of(error, f"{side.who} {subject.name}", "", self.file)
            raise Fault(side.memory_code if refusal.kind == "out_of_memory" else side.code, str(refusal), refusal.kind) from None

    def run_reference(self, subject: Subject, nan: bool | None = None) -> Expected:
        first = self.run(subject, REFERENCE)
        if subject.name in self.steady:
            return Expected(first, None, bool(subject.state))
        second = self.run(subject, REFERENCE)
        agreement = compare(Statistics(), first, second, how=Accuracy(nan=nan))
        if agreement.same:
            self.steady.add(subject.name)
            return Expected(second, "", bool(subject.state))
        advice = "" if "both hold NaN" in agreement.text else f"\n{self.changed_by_run(subject)}"
        return Expected(second, agreement.text + advice, bool(subject.state))

    def changed_by_run(self, subject: Subject) -> str:
        """The variables that one more run changes, with what to write."""
        before = marks_of(subject.body)
        with contextlib.suppress(Fault):
            self.run(subject, REFERENCE)
        return what_changed(before, marks_of(subject.body), subject.state) or (KEEPS_MORE if subject.state else CHANGES_ITSELF)

    @libraries.keeping_random_numbers()
    def outputs_to_store(self, subject: Subject) -> Expected:
        """Runs a reference whose outputs another process compares. Raises Refusal for a fault."""
        self.steady.discard(subject.name)  # the other process cannot ask for the second run
        try:
            return self.run_reference(subject, subject.accuracy.nan)
        except Fault as fault:
            raise Refusal(str(fault), fault.kind) from None

    def in_double(self, subject: Subject) -> dict[str, Leaf]:
        """The subject's outputs in double precision, by name. Empty without `precise`, and if that draws random numbers: they differ from those of the
        reference, so any candidate would be as near to them. Raises Fault for an exception."""
        if subject.precise is None:
            return {}
        try:
            with initial_state(subject), libraries.running(subject.training):
                libraries.seed()
                before = libraries.random_numbers()
                exact = {each.name: each for each in flattened(subject.precise())}
                return exact if before == libraries.random_numbers() else {}
        except BaseException as error:
            raise Fault("VERIFIER_DIDNT_RUN", str(refusal_of(error, f"computing {subject.name} in double precision", "", self.file))) from None

    @libraries.keeping_random_numbers()
    def of(self, reference: Subject | Expected, candidate: Subject) -> Verdict:
        """reference  a subject, or outputs of another worker"""
        try:
            if isinstance(reference, Expected):
                return self.judged(reference, candidate)
            return self.judged(self.run_reference(reference, candidate.accuracy.nan), candidate, reference)
        except Fault as fault:
            return fault.verdict

    def judged(self, expected: Expected, candidate: Subject, reference: Subject | None = None) -> Verdict:
        """reference  None if another worker ran it"""
        in_double = functools.partial(self.in_double, reference) if reference else dict
        if expected.unsteady:
            return Verdict("NONDETERMINISTIC_EAGER_RUN", f"two runs of the reference with the same seed differ\n{expected.unsteady}")
        statistics = Statistics()
        outputs = self.run(candidate, CANDIDATE)
        agreement = compare(statistics, expected.leaves, outputs, in_double, candidate.accuracy)
        lacks_state = expected.has_state and not candidate.state
        if agreement.same and lacks_state:
            statistics, outputs = Statistics(), self.run(candidate, CANDIDATE)
            agreement = compare(statistics, expected.leaves, outputs, how=candidate.accuracy)
        if agreement.same:
            return Verdict("PASS", agreement.text, statistics.values)
        if reference and expected.unsteady is None:
            self.steady.remove(reference.name)
            return self.judged(self.run_reference(reference, candidate.accuracy.nan), candidate, reference)
        if reference and not lacks_state and (doubt := self.doubt(reference, candidate, agreement.text, of_one_form(expected.leaves, outputs))):
            return doubt._replace(statistics=statistics.values)
        advises = agreement.numbers and not (candidate.accuracy.tolerance or candidate.accuracy.cosine)
        advice = LESS_EXACT.format("cosine=0.99" if agreement.numbers > 1 else "tolerance=0.01") if advises else ""
        return Verdict("FAIL", agreement.text + (WITHOUT_STATE.format(candidate.name) if lacks_state else advice), statistics.values)

    def drawn_from(self, subject: Subject, side: Side) -> dict[str, object]:
        """The global generators of random numbers from which one call draws, with their states after it."""
        libraries.seed()
        before = libraries.random_numbers()
        self.run(subject, side)
        return {name: state for name, state in libraries.random_numbers().items() if state != before.get(name)}

    def doubt(self, reference: Subject, candidate: Subject, difference: str, is_of_one_form: bool) -> Verdict | None:
        """A verdict that explains why outputs differ, such as random numbers or a changed variable; None without an explanation."""
        sides = ((reference, REFERENCE), (candidate, CANDIDATE))
        drawn = [self.drawn_from(*each) for each in sides]
        if all(drawn) and is_of_one_form and (drawn[0] != drawn[1] or "cuda" in drawn[0]):  # the state of CUDA counts kernels, also those without random numbers
            return Verdict("VERIFIER_DIDNT_RUN", OTHER_NUMBERS.format(difference))
        if any(drawn) and not all(drawn):
            one, other = (reference, candidate) if drawn[0] else (candidate, reference)
            return Verdict("FAIL", difference + ONE_DRAWS.format(one.name, other.name))
        (behind, its_side), (ahead, _) = sorted(sides, key=lambda each: each[0].calls)
        if ahead.calls - behind.calls > MOST_CALLS:
            return None
        end = time.monotonic() + MOST_SECONDS
        while behind.calls < ahead.calls:
            if time.monotonic() >= end:
                return None
            self.run(behind, its_side, lambda call, subject: call(subject))
        before = marks_of(candidate.body)
        again = compare(Statistics(), *(self.run(*each) for each in sides), how=candidate.accuracy)
        changed = what_changed(before, marks_of(candidate.body), candidate.state)
        if again.same:
            return Verdict("NONDETERMINISTIC_EAGER_RUN", f"{COUNTS_CALLS.format(reference.name, candidate.name, ahead.calls)}{changed or CHANGES_ITSELF}\n{difference}")
        return Verdict("FAIL", f"{difference}\n{candidate.name}: {changed}") if changed and not candidate.state else None
