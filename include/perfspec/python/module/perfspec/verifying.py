# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A comparison of two subjects, in the words of PyTorch's benchmarks/dynamo."""

from __future__ import annotations

import contextlib
import copy
import functools
import time
import typing

from . import libraries, training
from .bodies import buffers
from .bodies.copies import equals_of
from .bodies.deadline import within
from .bodies.reached import reached_by
from .bodies.places import Place
from .bodies.remembered import Source, not_computed, places_or_none, source_of
from .comparing import Statistics, compare
from .faults import Refusal, refusal_of, without_tracebacks
from .modes import hint_for
from .outputs import Incomparable, Leaf, flattened, is_empty
from .subjects import Subject, states_of
from .training import Step

LONGER, LEAST_WAIT = 10, 1.0  # times as long as a call took, and seconds: a call on destroyed values that goes on for longer never ends
CHANGES_ITSELF = ("a body that changes its model returns something else each time: name what it changes, as in "
                  "`return perfspec.body(step, state=[model, optimizer])`, and each run starts from what that held after loading")


WITHOUT_STATE = ("\nthe reference names what its step changes, and the candidate {} does not, so its second call goes on from its first: write "
                 "`return perfspec.body(step, state=[model, optimizer])` there, too")


class Verdict(typing.NamedTuple):
    """What `compared` says."""

    code: str
    text: str
    statistics: dict[str, float] = {}
    not_computed: str = ""  # a side

    def fields(self) -> list[tuple[str, object]]:
        side = [("not_computed", self.not_computed)] if self.not_computed else []
        return [("code", self.code), ("text", self.text), *side, *self.statistics.items()]


class Run(typing.NamedTuple):
    """What one call returned: copies of its values, and where they lie; what it did to each model that the body names as its state; and how many seconds
    it took."""

    leaves: list[Leaf]
    places: list[Place]
    trained: list[Step]
    seconds: float


class Expected(typing.NamedTuple):
    """What a reference returns, how two runs of it differ, which is empty where they do not, where it comes from, and what it does to its models."""

    leaves: list[Leaf]
    unsteady: str
    source: Source
    trained: list[Step] = []


class Fault(Exception):
    """A comparison that came to no end, with its verdict."""

    def __init__(self, code: str, text: str, kind: str = "") -> None:
        super().__init__(text)
        self.verdict, self.kind = Verdict(code, text), kind


def put(subject: Subject, states: list) -> None:
    for each, state in zip(subject.state, states):
        each.load_state_dict(copy.deepcopy(state))  # optimizers keep the very tensors that they are given


@contextlib.contextmanager
def initial_state(subject: Subject):
    """Within this block, what the body names as its state is as it was after loading; after it, as it was before. However often each of two
    subjects ran until now, they start alike. Gradients that were there after loading are as they were then after it, too: values that a look for
    results of earlier calls destroyed in them are not to come back."""
    kept = states_of(subject.state)
    put(subject, subject.initial)
    training.begin_gradients(subject)
    try:
        yield
    finally:
        put(subject, kept)
        training.put_gradients(subject)
        if kept:
            subject.quiet_calls, subject.settled = 0, False  # torch may compile again for the state that was put back


def returned_by(call: typing.Callable, subject: Subject) -> typing.Any:
    """Calls the body from the same state and seeds as any other."""
    libraries.seed()
    return call(subject)


def outputs_of(call: typing.Callable, subject: Subject) -> Run:
    """One call. What it returned is copied before anything else runs."""
    with initial_state(subject):
        begun = time.monotonic()
        returned = returned_by(call, subject)
        seconds = time.monotonic() - begun
        leaves = flattened(returned)
        trained = training.steps_of(subject)
    if all(map(is_empty, leaves)):
        raise Incomparable(f"the body of {subject.name} returned nothing to compare: return the result from the body")
    return Run(leaves, places_or_none(returned), trained, seconds)


def hinted(found: Verdict, subjects: list[Subject]) -> Verdict:
    """With what may explain that outputs differ."""
    return found if found.code == "PASS" else found._replace(text=found.text + hint_for(subjects))


class Comparison:
    """call  runs the body of a subject once, and returns what it returned
    file  of the subjects, for places in texts"""

    def __init__(self, call: typing.Callable[[Subject], typing.Any], file: str) -> None:
        self.call, self.file = call, file

    def run(self, subject: Subject, side: str, code: str, memory_code: str) -> Run:
        """One run. Raises Fault with one of the codes for what it threw."""
        try:
            return outputs_of(self.call, subject)
        except Incomparable as error:
            raise Fault("VERIFIER_DIDNT_RUN", str(error)) from None
        except BaseException as error:
            refusal = refusal_of(error, f"{side} {subject.name}", "", self.file)
            raise Fault(memory_code if refusal.kind == "out_of_memory" else code, str(refusal), refusal.kind) from None

    def run_candidate(self, subject: Subject) -> Run:
        return self.run(subject, "the candidate", "EXCEPTION_RAISED", "OUT_OF_MEMORY")

    def source_of(self, subject: Subject, first: Run, second: Run) -> Source:
        """Where two results come from. It takes one more call where both lie in one place."""
        def again():
            with without_tracebacks(), initial_state(subject), within(LEAST_WAIT + LONGER * second.seconds):
                return returned_by(self.call, subject)

        with buffers.as_they_are(reached_by(subject.body, self.file).objects):  # a call on destroyed values would show in them
            return source_of(first.places, second.places, subject.held, again, lambda places: equals_of(places, subject.body, self.file))

    def is_an_input(self, places: list[Place], reference: Subject | None) -> bool:
        """Whether the reference can reach what the candidate returned a copy of: to copy an input is work like any other."""
        return reference is None or all(each or each is None for each in equals_of(places, reference.body, self.file))

    def run_reference(self, subject: Subject) -> Expected:
        first, second = (self.run(subject, "the reference", "EAGER_FAILED", "EAGER_OUT_OF_MEMORY") for _ in range(2))
        found = compare(Statistics(), first.leaves, second.leaves)
        if not found.same:
            return Expected(second.leaves, found.text, Source.COMPUTED)
        source = self.source_of(subject, first, second)
        return Expected(second.leaves, "", Source.COMPUTED if source == Source.COPIED else source, self.known(subject, first.trained, second))

    def known(self, subject: Subject, first: list[Step], second: Run) -> list[Step]:
        """What its first step does, with what that differs by from others of its own. Of these no more than one is held at a time."""
        found = training.with_own(training.if_steady(first, second.trained), second.trained)
        second.trained.clear()
        return found if all(each.left_all() for each in found) else training.with_own(found, self.altered(subject))

    def altered(self, subject: Subject) -> list[Step]:
        """What its step does from slightly altered parameters; nothing where it fails from there."""
        with without_tracebacks(), initial_state(subject):
            try:
                before = training.alter(subject)
                returned_by(self.call, subject)
            except Exception:  # the body's or, of tensors of other libraries, their own
                return []
            return training.steps_of(subject, before)

    def outputs_to_store(self, subject: Subject) -> Expected:
        """What `run_reference` gives. Raises Refusal where it gives nothing."""
        try:
            return self.run_reference(subject)
        except Fault as fault:
            raise Refusal(str(fault), fault.kind) from None

    def random_numbers(self, call: typing.Callable) -> list[object]:
        """Where all generators of random numbers are now, and those of the user's own that the call can reach."""
        own = (libraries.state_of_generator(each) for each in reached_by(call, self.file).objects)
        return [libraries.random_numbers(), *(state for state in own if state is not None)]

    def in_double(self, subject: Subject) -> dict[str, Leaf]:
        """What the subject returns in double precision, by name; nothing where it does not say, and where it draws random numbers, which are others than
        those of the reference: any candidate would be as near to it. Raises Fault for what it threw."""
        if subject.precise is None:
            return {}
        try:
            with initial_state(subject), libraries.running(subject.training):
                libraries.seed()
                before = self.random_numbers(subject.precise)
                exact = {each.name: each for each in flattened(subject.precise())}
                return exact if before == self.random_numbers(subject.precise) else {}
        except BaseException as error:
            raise Fault("VERIFIER_DIDNT_RUN", str(refusal_of(error, f"computing {subject.name} in double precision", "", self.file))) from None

    def of_subjects(self, reference: Subject, candidate: Subject) -> Verdict:
        try:
            return hinted(self.judged(self.run_reference(reference), candidate, reference), [reference, candidate])
        except Fault as fault:
            return fault.verdict

    def of_stored(self, expected: Expected, candidate: Subject) -> Verdict:
        try:
            return hinted(self.judged(expected, candidate), [candidate])
        except Fault as fault:
            return fault.verdict

    def judged(self, expected: Expected, candidate: Subject, reference: Subject | None = None) -> Verdict:
        """reference  unless another worker ran it"""
        in_double = functools.partial(self.in_double, reference) if reference else dict
        if expected.unsteady:
            advice = "" if "both hold NaN" in expected.unsteady else f"\n{CHANGES_ITSELF}"
            return Verdict("NONDETERMINISTIC_EAGER_RUN", f"two runs of the reference from one seed do not agree\n{expected.unsteady}{advice}")
        statistics = Statistics()
        first = self.run_candidate(candidate)
        found = compare(statistics, expected.leaves, first.leaves, in_double)
        lacks_state = bool(expected.trained) and not candidate.state
        if not found.same:
            return Verdict("FAIL", found.text + (WITHOUT_STATE.format(candidate.name) if lacks_state else ""), statistics.values)
        if text := training.fault_of(candidate.name, expected.trained, first.trained):
            return Verdict("FAIL", text, statistics.values)
        first.trained.clear()
        second = self.run_candidate(candidate)
        if lacks_state and not (later := compare(Statistics(), expected.leaves, second.leaves)).same:
            return Verdict("FAIL", later.text + WITHOUT_STATE.format(candidate.name), statistics.values)
        source = self.source_of(candidate, first, second)
        if source == Source.COPIED:
            source = Source.COMPUTED if self.is_an_input(second.places, reference) else Source.HELD
        return Verdict("PASS", found.text, statistics.values, not_computed(expected.source, source))
