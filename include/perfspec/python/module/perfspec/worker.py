# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Answers requests: what PROTOCOL.md of the folder above says, in Python."""

from __future__ import annotations

import math
import os
import time
import typing

from . import libraries, stored
from .bodies.forked import children as forked
from .bodies.held_inputs import NOTHING_HELD, changed_among, inputs_of, require_as_much_work
from .bodies.idle import place_of_idle
from .bodies.pending import Watch, may_be_queued, require_nothing_queued, require_result
from .bodies.reached import reached_by
from .bodies.remembered import held_by, made_by_calls
from .bodies.used_up import supplies_of
from .compiler.asking import asks
from .compiler.compiling import Compilation, Compilations, Recorder, stamp
from .compiler.counts import OF_TIME, OF_WHOLE_PROGRAMS, count, places, require_all_counted, require_name
from .compiler.fallbacks import is_name_of_compiled, notes_of, regions_of, seen_in, switch_of_compiler
from .compiler.guards import in_words
from .faults import Refusal, refusal_of
from .memory import peak_of
from .protocol import Request
from .settings import arguments_for, asked_in
from .subjects import Registry, Subject, take_body
from .timing import Clock, Sample, freeze_garbage, take_sample
from .verifying import Comparison

LOOKED_AFTER = (10, 100, 1000, 10000)  # calls of a subject: work that nobody waits for piles up
LONG = 50_000_000  # nanoseconds of calls that are made to see that
SETTLED = 3  # calls in a row in which torch compiled nothing
MOST_TO_SETTLE = 32  # calls
EARLY = "its peak of memory is that of a call after the first ones; the first one, which sets up and compiles what later ones have, needed more"
NOTHING = "its body returned nothing, so nothing can be compared, and nobody sees whether it computes: return the result from the body"
Answer = tuple  # a word, and fields


def field(request: Request, name: str) -> str:
    if name not in request.fields:
        raise Refusal(f"{request.word} came without {name}=")
    return request.fields[name]


def whole(request: Request, name: str) -> int:
    text = field(request, name)
    if not (text.isdigit() and int(text) > 0):
        raise Refusal(f"{name} is {text}: it is a whole number from 1")
    return int(text)


def number_of(returned: typing.Any, name: str) -> float:
    """The number that a body returned. Raises Refusal for what is none, or cannot be judged."""
    try:
        single = returned.item() if callable(getattr(returned, "item", None)) else returned
    except Exception:  # a tensor of several elements
        single = None
    if isinstance(single, bool) or not isinstance(single, (int, float)):
        raise Refusal(f"the body of {name} returned {type(returned).__name__}: it returns the number that is judged", "no_value")
    if not math.isfinite(single) or single < 0:
        raise Refusal(f"the body of {name} returned {single}: it returns a finite number from 0 up", "no_value")
    return single


class Worker:
    """The subjects of a file, and what is known of them."""

    def __init__(self, registry: Registry, file: str, *, import_ns: int = 0, clock: Clock = Clock(), watch: typing.Callable = Watch,
                 compiled: typing.Callable = stamp, now: typing.Callable[[], int] = time.monotonic_ns) -> None:
        self.registry, self.file, self.import_ns = registry, file, import_ns
        self.clock, self.watch, self.compiled, self.now = clock, watch, compiled, now
        self.recorder = Recorder(asks.given_by)
        self.recorder.give_to("")  # what was compiled while the file was imported
        self.settings = libraries.settings()
        self.watched_ns = 0  # during the request
        self.compiled_now: list[Compilation] = []  # in the last call
        self.comparison = Comparison(self.call, file)

    def answer(self, request: Request) -> Answer:
        """The answer to a request. Never raises."""
        try:
            handle = self.HANDLERS.get(request.word)
            if handle is None:
                raise Refusal(f"this worker does not know the request {request.word}; it knows {', '.join(self.HANDLERS)}")
            return handle(self, request)
        except BaseException as error:
            refusal = refusal_of(error, f"the request {request.word}", "", self.file)
            return "invalid", [("reason", refusal), *([("kind", refusal.kind)] if refusal.kind else [])]
        finally:
            forked.end_child()

    def subject(self, request: Request, name: str = "subject") -> Subject:
        """The subject that a request names, loaded."""
        found = self.registry.find(field(request, name))
        self.load(found)
        return found

    def load(self, subject: Subject, asked: dict[str, str] | None = None) -> None:
        """asked  settings of the run; None: as before"""
        if subject.body is not None:
            if asked is not None and asked != subject.asked:
                raise Refusal(f"{subject.name} was built with {subject.asked or 'no settings of the run'}, and is now asked for {asked}: that takes another process")
            return
        asked = asked or {}
        forked.begin(subject.name)
        arguments = arguments_for(subject.name, subject.build, asked)
        if subject.trains_on_request:
            subject.training = arguments.setdefault("training", subject.training)
        self.recorder.skip()
        made = made_by_calls([(each.body, each.held) for each in self.registry.subjects.values() if each.was_called], self.file)
        started = self.clock.wall()
        try:
            with asks.of(subject.name):
                built = subject.build(**arguments)
        except BaseException as error:
            raise refusal_of(error, f"building {subject.name}", "load_threw", self.file) from None
        subject.loaded_ns = self.clock.wall() - started
        self.require_settings(f"building {subject.name}", "load_threw")
        take_body(subject, built)
        held = held_by(subject.body, self.file)
        subject.held = held._replace(places=held.places - made.places)
        subject.asked = asked
        self.recorder.give_to(subject.name)
        freeze_garbage()

    def run(self, subject: Subject, iterations: int, keep: bool = False) -> Sample:
        """Calls the body. The first call of a subject is looked at more closely."""
        if subject.fault:
            raise subject.fault
        forked.begin(subject.name)
        first = not subject.was_called
        watch = self.watch() if first else None
        supplies = supplies_of(subject.body, self.file) if first else []
        self.keep_inputs(subject)
        self.recorder.skip()
        before = self.compiled()
        try:
            with libraries.running(subject.training), asks.of(subject.name):
                sample = take_sample(subject.body, iterations, waits=libraries.waits(), clock=self.clock, keep=keep or first)
        except BaseException as error:
            raise refusal_of(error, f"the body of {subject.name}", "body_threw", self.file) from None
        finally:
            self.compiled_now = self.recorder.give_to(subject.name)
        subject.quiet_calls = subject.quiet_calls + iterations if self.compiled() == before else 0
        if first:
            require_result(sample.returned)
            self.look(lambda: watch.require_rest(compiled=bool(self.compiled_now)))
            subject.was_called, subject.ran_on = True, watch.ran_on
            subject.returns_nothing = sample.returned is None
            inputs, subject.inputs = subject.inputs, NOTHING_HELD
            self.keep_fault(subject, lambda: require_as_much_work(changed_among(inputs), lambda: self.time_of(subject), subject.name))
            subject.supplies.begin([] if self.compiled_now else supplies, sample.elapsed_ns, sample.returned if iterations == 1 else None)
        if subject.supplies.used_up():
            self.keep_fault(subject, lambda: self.require_supplied(subject))
        self.require_no_child(subject)
        self.require_settings(f"the body of {subject.name}", "body_threw")
        self.count_calls(subject, iterations, sample.elapsed_ns)
        return sample

    def keep_inputs(self, subject: Subject) -> None:
        """Before its first call, copies what it may change."""
        if subject.inputs is None:
            subject.inputs = inputs_of(subject.body, self.file) if not subject.state else NOTHING_HELD

    def require_no_child(self, subject: Subject) -> None:
        """Keeps the fault: another child may be slow, and look like none."""
        try:
            forked.require_none()
        except Refusal as refusal:
            subject.fault = refusal
            raise

    def require_settings(self, who: str, kind: str) -> None:
        """Raises Refusal where a subject changed what all others are measured by, too. They are put back."""
        self.settings = self.settings or libraries.settings()  # torch may be imported late
        if changed := libraries.put_back(self.settings):
            raise Refusal(f"{who} changed {', '.join(changed)}, for all subjects of the process: put it back in the end, or change it where a file "
                          f"of its own is imported; threads are python_subjects(\"{os.path.basename(self.file)}\", {{.threads = 1}})", kind)

    def count_calls(self, subject: Subject, more: int, elapsed_ns: int) -> None:
        """After some, looks for work that piles up."""
        before, subject.calls = subject.calls, subject.calls + more
        if self.compiled_now or not any(before < each <= subject.calls for each in LOOKED_AFTER):
            return
        self.keep_fault(subject, lambda: self.require_nothing_queued(subject, max(more, min(100, LONG * more // max(elapsed_ns, 1)), 2)))

    def keep_fault(self, subject: Subject, require: typing.Callable[[], None]) -> None:
        """Looks for a fault that shows but once, and is the answer to every later request, too."""
        try:
            self.look(require)
        except Refusal as refusal:
            subject.fault = refusal
            raise

    def require_nothing_queued(self, subject: Subject, calls: int) -> None:
        """What others still do now makes this call the body some times more, to see whether it is what calls queued."""
        ran_on = self.rest()
        if ran_on is None or may_be_queued(ran_on, subject.ran_on):
            require_nothing_queued(lambda calls: self.rest_after(subject, calls), calls)

    def rest(self) -> int | None:
        """Nanoseconds that others run on from now; None where they do not come to an end."""
        watch = self.watch()
        return watch.ran_on if watch.is_quiet() else None

    def rest_after(self, subject: Subject, calls: int) -> int | None:
        with libraries.running(subject.training):
            take_sample(subject.body, calls, waits=libraries.waits(), clock=self.clock)
        return self.rest()

    def one_call(self, subject: Subject, keep: bool = False) -> Sample:
        with libraries.running(subject.training), asks.of(subject.name):
            return take_sample(subject.body, 1, waits=libraries.waits(), clock=self.clock, keep=keep)

    def time_of(self, subject: Subject) -> int:
        """Nanoseconds of a call."""
        return self.one_call(subject).elapsed_ns

    def require_supplied(self, subject: Subject) -> None:
        """Raises Refusal where calls used up what the body works on."""
        def again() -> tuple[int, typing.Any]:
            sample = self.one_call(subject, keep=True)
            return sample.elapsed_ns, sample.returned

        subject.supplies.require_some(again, lambda: reached_by(subject.body, self.file).objects, subject.name)

    def look(self, require: typing.Callable[[], None]) -> None:
        """Looks for work that goes on. The time that takes is told, because the answer comes later by it."""
        started = self.now()
        try:
            require()
        finally:
            self.watched_ns += self.now() - started

    def call(self, subject: Subject) -> typing.Any:
        return self.run(subject, 1, keep=True).returned

    def settled(self, subject: Subject, take: typing.Callable[[], typing.Any]) -> typing.Any:
        """What `take` finds by calling the body while torch compiles nothing, once the subject has settled. Where torch compiled, it is taken
        again, once. Before a subject has settled, compiling belongs to its calls."""
        subject.settled = subject.settled or subject.quiet_calls >= SETTLED
        for _ in range(2):
            found = take()
            if subject.quiet_calls or not subject.settled:
                self.require_compiled(subject)
                return found
        raise Refusal(f"torch compiled {subject.name} again while it was measured, twice in a row: {reason_of(self.compiled_now)}", "body_threw")

    def settle(self, subject: Subject, what: str = "a count") -> None:
        """Calls the body until it has settled: inputs of several shapes that come in turn are each compiled when they first come."""
        for _ in range(MOST_TO_SETTLE):
            subject.settled = subject.settled or subject.quiet_calls >= SETTLED
            if subject.settled:
                return
            self.call(subject)
        raise Refusal(f"torch still compiles {subject.name} after {subject.calls} calls, so {what} would be one of these alone: {reason_of(self.compiled_now)}", "body_threw")

    def require_compiled(self, subject: Subject) -> None:
        """Raises Refusal where what was called is to be compiled, and eager code ran."""
        found = self.recorder.by_subject[subject.name]
        asked = subject.name in asks.by or bool("" in asks.by and switch_of_compiler())  # the file's own call
        if reason := subject.fallback.reason(found, self.recorder.lost, asked, lambda: regions_of(lambda: self.call_only(subject)),
                                             self.recorder.without_graph):
            self.require_busy(subject)  # a body that returns what its function computed runs nothing compiled, either
            raise Refusal(f"{subject.name}: {reason}", "body_threw")
        if subject.is_eager is None and subject.settled:
            subject.is_eager = self.is_eager(subject, found)

    def is_eager(self, subject: Subject, found: Compilations) -> bool:
        """Whether its name says that it is compiled, and a call of it runs no compiled code. Of other subjects nobody knows whether they are to."""
        if "" not in asks.by or subject.name in asks.by or found.counters["stats.unique_graphs"] or found.given_up() or not is_name_of_compiled(subject.name):
            return False
        return not set(regions_of(lambda: self.call_only(subject))) - self.recorder.without_graph

    def require_busy(self, subject: Subject) -> None:
        """Raises Refusal for a body that does nothing but return what is there."""
        if subject.idle is None:
            subject.idle = place_of_idle(subject.body)
        if subject.idle:
            raise Refusal(f"the body of {subject.name} computes nothing, it only returns what is there before it is called ({subject.idle}), so its times say "
                          f"nothing: write `return lambda: model(x)`, which computes in each call", "body_threw")

    def call_only(self, subject: Subject) -> None:
        """One call that nobody times."""
        with libraries.running(subject.training), asks.of(subject.name):
            subject.body()

    def notes(self, subject: Subject) -> list[tuple[str, object]]:
        """What readers of the subject's times should know, as fields."""
        texts = notes_of(self.recorder.by_subject[subject.name]) + ([NOTHING] if subject.returns_nothing else [])
        if what := self.dropped(subject):
            texts.append(f"nobody kept what torch.compile returned for {what}, so this is eager code: write `model = torch.compile(model)`, and call that")
        elif subject.is_eager:
            texts.append("torch.compile was called when the file was imported, and the body of this subject runs nothing that it compiled: its name says otherwise")
        return [("note", each) for each in texts]

    def answer_load(self, request: Request) -> Answer:
        asked = asked_in(request.fields)
        self.load(self.registry.find(field(request, "subject")), asked)
        return "loaded", list(asked.items())

    def answer_run(self, request: Request) -> Answer:
        iterations = whole(request, "iterations")
        subject = self.subject(request)
        if iterations > 1:  # a start has one, and its work may all be in building
            self.require_busy(subject)
        self.watched_ns = 0
        sample = self.settled(subject, lambda: self.run(subject, iterations))
        cpu = ("cpu_ns", sample.cpu_ns) if sample.cpu_ns is not None else ("cpu_unknown", sample.why_no_cpu)
        return "ran", [("iterations", iterations), ("elapsed_ns", sample.elapsed_ns), cpu, ("watched_ns", self.watched_ns), *self.notes(subject)]

    def answer_value(self, request: Request) -> Answer:
        subject = self.subject(request)
        return "value", [("value", number_of(self.settled(subject, lambda: self.call(subject)), subject.name)), *self.notes(subject)]

    def answer_memory(self, request: Request) -> Answer:
        subject = self.subject(request)
        self.require_busy(subject)
        first = None if subject.was_called else self.settled(subject, lambda: self.peak(subject))
        peak = first
        if libraries.torch() is not None:  # which the first call may have imported: it sets up and compiles what later ones have
            self.settle(subject, "its peak of memory")
            peak = None
        peak = self.settled(subject, lambda: self.peak(subject)) if peak is None else peak
        return "memory", [("peak_bytes", peak), *([("note", EARLY)] if (first or 0) > peak else []), *self.notes(subject)]

    def peak(self, subject: Subject) -> int:
        """How far one call drives up the memory of the process."""
        self.keep_inputs(subject)
        return peak_of(lambda: self.run(subject, 1), compiled=lambda: bool(self.compiled_now))

    def answer_count(self, request: Request) -> Answer:
        name, lost = field(request, "name"), self.recorder.lost
        subject = self.subject(request)
        seen = lambda: seen_in(lambda: self.call_only(subject), lost)  # noqa: E731
        if name in OF_TIME:
            return "counted", [("value", count(subject, name, self.recorder, self.import_ns, seen))]
        self.settle(subject)
        require_name(name, self.recorder.seen_anywhere())
        number = count(subject, name, self.recorder, self.import_ns, seen)
        if name in OF_WHOLE_PROGRAMS:
            require_all_counted(subject.name, self.recorder.by_subject, lost, seen())
        return "counted", [("value", number), ("calls", subject.calls), *(("where", each) for each in places(name, self.recorder.by_subject[subject.name]))]

    def answer_compare(self, request: Request) -> Answer:
        candidate = self.subject(request, "candidate")
        if "file" in request.fields:
            return "compared", self.comparison.of_stored(stored.read(request.fields["file"]), candidate).fields()
        reference = self.subject(request, "reference")
        found = self.comparison.of_subjects(reference, candidate)
        if found.code == "PASS":
            self.require_own_code(reference, candidate)
            self.require_own_code(candidate, reference)
            self.require_kept(reference, candidate)
        return "compared", found.fields()

    def require_own_code(self, subject: Subject, other: Subject) -> None:
        """Raises Refusal for a subject that never asked for compiling, and runs compiled code all the same since the other one asked: both call one
        model, which was compiled in place."""
        if other.name not in asks.by or subject.name in asks.by or "" in asks.by or not subject.was_called:
            return
        if regions_of(lambda: self.call_only(subject)):
            raise Refusal(f"{subject.name} never asked torch.compile for anything, and runs compiled code since {other.name} did: both call one model or "
                          f"function, which was compiled in place, as by model.compile(). Build a model in the function of each subject", "body_threw")

    def dropped(self, *subjects: Subject) -> str:
        """What the file gave torch.compile, where nobody kept the result, and nothing was compiled in this process; empty too where a subject asked."""
        if not asks.returned or asks.by & {each.name for each in subjects} or any(each.done for each in self.recorder.by_subject.values()):
            return ""
        return asks.dropped()

    def require_kept(self, reference: Subject, candidate: Subject) -> None:
        """Raises Refusal where the file compiles something in vain, and eager code is compared with eager code."""
        if what := self.dropped(reference, candidate):
            raise Refusal(f"nobody kept what torch.compile returned for {what}, so both {reference.name} and {candidate.name} are eager code: write "
                          f"`model = torch.compile(model)`, and call that", "body_threw")

    def answer_write(self, request: Request) -> Answer:
        file = field(request, "file")
        stored.write(file, self.comparison.outputs_to_store(self.subject(request)))
        return "written", []

    def answer_finish(self, request: Request) -> Answer:
        return "finished", []

    HANDLERS: typing.ClassVar = {"load": answer_load, "run": answer_run, "value": answer_value, "memory": answer_memory, "count": answer_count,
                                 "compare": answer_compare, "write": answer_write, "finish": answer_finish}


def reason_of(recompiled: list[Compilation]) -> str:
    """What was compiled, and why, as far as torch tells."""
    if not recompiled:
        return "torch does not tell what, see TORCH_LOGS=recompiles"
    last = recompiled[-1]
    return last.title() + (f": {in_words(last.reason)}" if last.reason else "") + (f": {last.fault}" if last.fault else "")

