# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Answers requests, as PROTOCOL.md of the folder above defines."""

from __future__ import annotations

import math
import os
import typing

from . import libraries, stored
from .body_state import uses_compiled
from .compiler.compile_calls import calls_of_compile
from .compiler.compiling import BEFORE, Compilation, Recorder, stamp
from .compiler.counts import OF_LOADING, OF_WHOLE_PROGRAMS, count, places, require_all_counted, require_name
from .compiler.fallbacks import notes_of, operators_in, regions_of, switch_of_compiler, trace_of
from .faults import Refusal, refusal_of
from .memory import peak_of
from .promises import require_result
from .protocol import Message
from .settings import arguments_for, settings_in
from .subjects import Registry, Subject, take_body
from .timing import Clock, Sample, computes_nothing, freeze_garbage, take_sample
from .verifying import Comparison

SETTLED = 3  # calls in a row in which torch compiled nothing
MAX_TO_SETTLE = 32  # calls
EARLY = "its peak of memory is that of a later call. The first call, which also sets up and compiles, needed more"
NOTHING = "its body returned nothing, so its outputs cannot be compared, and it may compute nothing: return the result from the body"
COMPUTES_NOTHING = ("computes nothing: it returns a value that was computed before, so its times say nothing. Write "
                    "`return lambda: model(x)`, which computes in each call")
OBSERVED = "coverage, a profiler or a debugger observes each line of Python here, so its own time would be measured, too: run claims without it, such as by pytest -m perf --no-cov"


def field(request: Message, name: str) -> str:
    if not isinstance(text := request.get(name), str):
        raise Refusal(f"the request {request['request']} lacks the text \"{name}\"")
    return text


def whole(request: Message, name: str) -> int:
    number = request.get(name)
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise Refusal(f"{name} is {number}, expected a whole number of at least 1")
    return number


def number_of(returned: typing.Any, name: str) -> float:
    """The number that a body returned. Raises Refusal for anything but a finite number from 0 up."""
    try:
        single = returned.item() if callable(getattr(returned, "item", None)) else returned
    except Exception:  # a tensor of several elements
        single = None
    if isinstance(single, bool) or not isinstance(single, (int, float)):
        raise Refusal(f"the body of {name} returned {type(returned).__name__}: return the number to judge", "no_value")
    if not math.isfinite(single) or single < 0:
        raise Refusal(f"the body of {name} returned {single}: return a finite number of at least 0", "no_value")
    return single


class Worker:
    """Loads, calls and compares the subjects of a file, or of a test in pytest."""

    def __init__(self, registry: Registry, file: str, *, clock: Clock = Clock(), compiled: typing.Callable = stamp, elsewhere: tuple[str, str] = BEFORE) -> None:
        self.registry, self.file = registry, file
        self.clock, self.compiled = clock, compiled
        calls_of_compile.forget_subjects()
        self.recorder = Recorder(calls_of_compile.models_of, elsewhere)
        self.recorder.assign_to("")  # what was compiled while the file was imported, or in earlier tests
        self.torch_settings = libraries.torch_settings()
        self.last_compilations: list[Compilation] = []  # in the last call
        self.comparison = Comparison(self.call, file)

    def answer(self, request: Message) -> Message:
        """The answer to a request. Raises nothing but KeyboardInterrupt."""
        process = os.getpid()
        try:
            word = str(request.get("request"))
            if word not in self.HANDLERS:
                raise Refusal(f"this worker does not know the request {word}; it knows {', '.join(self.HANDLERS)}")
            return self.HANDLERS[word](self, request)
        except BaseException as error:
            return refusal_of(error, f"the request {word}", "", self.file).answer()
        finally:
            if os.getpid() != process:
                os._exit(0)  # a child returned from the code that forked it

    def subject(self, request: Message, name: str = "subject") -> Subject:
        """The subject that a request names, loaded."""
        subject = self.registry.find(field(request, name))
        self.load(subject)
        return subject

    def load(self, subject: Subject, settings: dict[str, str] | None = None) -> None:
        """settings  of the run; None: as before"""
        if subject.body is not None:
            if settings is not None and settings != subject.settings:
                raise Refusal(f"{subject.name} was built with {subject.settings or 'no settings of the run'}, so it cannot have {settings} in this process: start another one")
            return
        settings = settings or {}
        arguments = arguments_for(subject.name, subject.build, settings)
        self.recorder.skip()
        started = self.clock.wall()
        try:
            with calls_of_compile.of(subject.name):
                built = subject.build(**arguments)
        except BaseException as error:
            raise refusal_of(error, f"building {subject.name}", "load_threw", self.file) from None
        subject.loaded_ns = self.clock.wall() - started
        self.require_unchanged_settings(f"building {subject.name}", "load_threw")
        take_body(subject, built)
        subject.settings = settings
        self.recorder.assign_to(subject.name)
        freeze_garbage()

    def run(self, subject: Subject, iterations: int, keep: bool = False) -> Sample:
        """Calls the body. Checks the result of the first call of a subject."""
        first = not subject.was_called
        self.recorder.skip()
        before = self.compiled()
        try:
            with libraries.running(subject.training), calls_of_compile.of(subject.name):
                sample = take_sample(subject.body, iterations, waits=libraries.waits(), clock=self.clock, keep=keep or first,
                                     meters_waiting=not subject.computes)
        except BaseException as error:
            raise refusal_of(error, f"the body of {subject.name}", "body_threw", self.file) from None
        finally:
            self.last_compilations = self.recorder.assign_to(subject.name)
        subject.computes = sample.use.is_of_one_computing_thread()
        subject.quiet_calls = subject.quiet_calls + iterations if self.compiled() == before else 0
        if first:
            require_result(sample.returned)
            subject.was_called, subject.returns_nothing = True, sample.returned is None
        self.require_unchanged_settings(f"the body of {subject.name}", "body_threw")
        subject.calls += iterations
        return sample

    def require_unchanged_settings(self, code: str, kind: str) -> None:
        """Raises Refusal if a subject changed settings that hold for all subjects. Restores them."""
        self.torch_settings = self.torch_settings or libraries.torch_settings()  # torch may be imported late
        if changed := libraries.restore(self.torch_settings):
            raise Refusal(f"{code} changed {', '.join(changed)}, which affects all subjects of the process. Restore it at the end, or change it while a "
                          f"separate file is imported. Set threads by OMP_NUM_THREADS=1 of the process, or in C++ by {{.threads = 1}} of python_subjects", kind)

    def call(self, subject: Subject) -> typing.Any:
        return self.run(subject, 1, keep=True).returned

    def settled(self, subject: Subject, measure: typing.Callable[[], typing.Any]) -> typing.Any:
        """The result of `measure`, which calls the body. If torch compiled a subject that had settled, measures once more. Before a subject has
        settled, compiling belongs to its calls."""
        subject.settled = subject.settled or subject.quiet_calls >= SETTLED
        for _ in range(2):
            result = measure()
            if subject.quiet_calls or not subject.settled:
                self.require_compiled(subject)
                return result
        raise Refusal(f"torch compiled {subject.name} again while it was measured, twice in a row: {reason_of(self.last_compilations)}", "body_threw")

    def settle(self, subject: Subject, what: str = "a count") -> None:
        """Calls the body until it has settled: torch compiles each of several input shapes at its first use."""
        for _ in range(MAX_TO_SETTLE):
            subject.settled = subject.settled or subject.quiet_calls >= SETTLED
            if subject.settled:
                return
            self.call(subject)
        raise Refusal(f"torch still compiles {subject.name} after {subject.calls} calls, so {what} would depend on the number of calls: {reason_of(self.last_compilations)}", "body_threw")

    def require_compiled(self, subject: Subject) -> None:
        """Raises Refusal if a subject that is to run compiled code runs eagerly."""
        its = self.recorder.by_subject[subject.name]
        calls_it = "" in calls_of_compile.callers and (switch_of_compiler() or (self.recorder.lost and uses_compiled(subject.body)))  # the file's own call
        is_caller = subject.name in calls_of_compile.callers or bool(calls_it)
        if reason := subject.fallback.reason(its, self.recorder.lost, is_caller, lambda: regions_of(lambda: self.call_only(subject)),
                                             self.recorder.without_graph):
            self.require_work(subject)  # an idle body runs no compiled code either
            raise Refusal(f"{subject.name}: {reason}", "body_threw")

    def require_work(self, subject: Subject) -> None:
        """Raises Refusal for a body that only returns a value."""
        if computes_nothing(subject.body):
            raise Refusal(f"the body of {subject.name} {COMPUTES_NOTHING}", "body_threw")

    def call_only(self, subject: Subject) -> None:
        """Calls the body without timing it."""
        with libraries.running(subject.training), calls_of_compile.of(subject.name):
            subject.body()

    def notes(self, subject: Subject) -> list[str]:
        """Notes on the subject's times."""
        texts = notes_of(self.recorder.by_subject[subject.name]) + ([NOTHING] if subject.returns_nothing else [])
        if models := self.dropped(subject):
            texts.append(f"the file keeps no result of torch.compile for {models}, so this is eager code: write `model = torch.compile(model)`, and call the result")
        return texts

    def answer_load(self, request: Message) -> Message:
        settings = settings_in(request.get("settings", {}))
        self.load(self.registry.find(field(request, "subject")), settings)
        return {"answer": "loaded", "settings": settings}

    def answer_run(self, request: Message) -> Message:
        iterations = whole(request, "iterations")
        subject = self.subject(request)
        sample = self.settled(subject, lambda: self.run(subject, iterations))
        if libraries.is_observed():  # its faults show, and it counts for coverage
            raise Refusal(OBSERVED, "unavailable")
        if iterations > 1:  # a start has one, and may do all its work in building
            self.require_work(subject)
        cpu = {"cpu_ns": sample.cpu_ns} if sample.cpu_ns is not None else {"cpu_unknown": sample.why_no_cpu}
        use = {name: value for name, value in sample.use._asdict().items() if value}
        return {"answer": "ran", "iterations": iterations, "elapsed_ns": sample.elapsed_ns, **cpu, "use": use, "notes": self.notes(subject)}

    def answer_value(self, request: Message) -> Message:
        subject = self.subject(request)
        value = number_of(self.settled(subject, lambda: self.call(subject)), subject.name)
        return {"answer": "value", "value": value, "notes": self.notes(subject)}

    def answer_memory(self, request: Message) -> Message:
        subject = self.subject(request)
        first = None if subject.was_called else self.settled(subject, lambda: self.peak(subject))
        peak = first
        if libraries.torch() is not None:  # the first call may have imported it: that call sets up and compiles
            self.settle(subject, "its peak of memory")
            peak = None
        peak = self.settled(subject, lambda: self.peak(subject)) if peak is None else peak
        self.require_work(subject)
        return {"answer": "memory", "peak_bytes": peak, "notes": ([EARLY] if (first or 0) > peak else []) + self.notes(subject)}

    def peak(self, subject: Subject) -> int:
        """By how many bytes one call raises the memory of the process."""
        return peak_of(lambda: self.run(subject, 1), compiled=lambda: bool(self.last_compilations))

    def answer_operators(self, request: Message) -> Message:
        subject = self.subject(request)
        return {"answer": "ran", "operators": operators_in(lambda: self.call_only(subject))}

    def answer_count(self, request: Message) -> Message:
        name, lost = field(request, "name"), self.recorder.lost
        subject = self.subject(request)
        trace = lambda: trace_of(lambda: self.call_only(subject), lost)  # noqa: E731
        if name == OF_LOADING:
            return {"answer": "counted", "value": subject.loaded_ns}
        self.settle(subject)
        require_name(name, self.recorder.counter_names())
        number = count(subject, name, self.recorder, trace)
        if name in OF_WHOLE_PROGRAMS:
            require_all_counted(subject.name, self.recorder, trace())
        return {"answer": "counted", "value": number, "calls": subject.calls, "places": places(name, self.recorder.by_subject[subject.name])}

    def answer_compare(self, request: Message) -> Message:
        candidate = self.subject(request, "candidate")
        if "file" in request:
            return self.comparison.of(stored.read(field(request, "file")), candidate).answer()
        reference = self.subject(request, "reference")
        verdict = self.comparison.of(reference, candidate)
        if verdict.code == "PASS":
            self.require_own_code(reference, candidate)
            self.require_own_code(candidate, reference)
            self.require_kept(reference, candidate)
        return verdict.answer()

    def require_own_code(self, subject: Subject, other: Subject) -> None:
        """Raises Refusal for a subject that never called torch.compile, but runs compiled code: both subjects call one model, which the other one
        compiled in place."""
        if other.name not in calls_of_compile.callers or subject.name in calls_of_compile.callers or "" in calls_of_compile.callers or not subject.was_called:
            return
        if regions_of(lambda: self.call_only(subject)):
            raise Refusal(f"{subject.name} never called torch.compile, but runs compiled code since {other.name} did: both call one model or "
                          f"function, which was compiled in place, as by model.compile(). Build a model in the function of each subject", "body_threw")

    def dropped(self, *subjects: Subject) -> str:
        """The models that the file compiled without keeping a result, if torch compiled nothing in this process and no subject called it; or empty."""
        if not calls_of_compile.results or calls_of_compile.callers & {each.name for each in subjects} or any(each.done for each in self.recorder.by_subject.values()):
            return ""
        return calls_of_compile.dropped()

    def require_kept(self, reference: Subject, candidate: Subject) -> None:
        """Raises Refusal if the file drops what it compiles, so that eager code is compared with eager code."""
        if models := self.dropped(reference, candidate):
            raise Refusal(f"the file keeps no result of torch.compile for {models}, so both {reference.name} and {candidate.name} are eager code: write "
                          f"`model = torch.compile(model)`, and call the result", "body_threw")

    def answer_write(self, request: Message) -> Message:
        file = field(request, "file")
        stored.write(file, self.comparison.outputs_to_store(self.subject(request)))
        return {"answer": "written"}

    HANDLERS: typing.ClassVar = {"load": answer_load, "run": answer_run, "value": answer_value, "memory": answer_memory, "operators": answer_operators, "count": answer_count,
                                 "compare": answer_compare, "write": answer_write}


def reason_of(compilations: list[Compilation]) -> str:
    """The last compilation, and its reason if torch tells it."""
    if not compilations:
        return "torch does not report the reason; set TORCH_LOGS=recompiles to see more"
    last = compilations[-1]
    return last.title() + (f": {last.reason}" if last.reason else "") + (f": {last.fault}" if last.fault else "")

