# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Counts of a subject: `count subject=… name=…`."""

from __future__ import annotations

import typing

from ..faults import Refusal, meant
from ..subjects import Subject
from .compile_calls import calls_of_compile
from .compiling import MAX_PLACES, Compilations, Recorder, is_of_limit, places_of
from .fallbacks import CallTrace, run_eagerly

# Counters that torch makes when it first counts something: without them the count is 0. Any other missing name may be misspelt.
ZERO_IF_MISSING = {
    *(f"inductor.fxgraph_cache_{what}" for what in ("hit", "miss", "bypass")),
    *(f"aot_autograd.autograd_cache_{what}" for what in ("hit", "miss", "bypass", "saved", "guard_miss")),
    *(f"aot_autograd.{what}" for what in ("total", "ok", "not_ok")),
    "inductor.cudagraph_skips", "inductor.pattern_matcher_count", "inductor.pattern_matcher_nodes", "inductor.extern_calls",
    "stats.calls_captured", "stats.unique_graphs", "frames.total", "frames.ok",
}

OF_TORCH = {
    "graphs": lambda its: its.counters["stats.unique_graphs"],
    "graph_breaks": lambda its: its.graph_breaks(),
    "recompiles": lambda its: len(its.recompiled()),
    "compilations": lambda its: len(its.compiled()),
    "compile_ns": lambda its: sum(each.nanoseconds for each in its.done),
    "cache_hits": lambda its: its.counters["inductor.fxgraph_cache_hit"] + its.counters["aot_autograd.autograd_cache_hit"],
    "cache_misses": lambda its: its.counters["inductor.fxgraph_cache_miss"] + its.counters["aot_autograd.autograd_cache_miss"],
}
OF_LOADING = "loaded_ns"
APART = "put each of them into its own file"
# Counts that are wrong if a frame runs eagerly: torch counts no breaks in a frame that it gave up.
OF_WHOLE_PROGRAMS = ("graphs", "graph_breaks", "recompiles", "compilations")


def require_name(name: str, counters: set[str]) -> None:
    """Raises Refusal for a name that is no count. counters  of torch"""
    if name in OF_TORCH or name in ZERO_IF_MISSING or name in counters:
        return
    known = [*OF_TORCH, OF_LOADING, *sorted(ZERO_IF_MISSING | {each for each in counters if len(each) < 50})]
    raise Refusal(f"there is no count {name}{meant(name, known)}; there are {', '.join([*OF_TORCH, OF_LOADING])}, "
                  f"and torch's own counters by group.name, such as inductor.fxgraph_cache_miss")


def require_compiled(subject: Subject, recorder: Recorder, trace: typing.Callable[[], CallTrace]) -> None:
    """Raises Refusal if torch.compile made no graph: counts would be 0, as of every eager model.

    trace  traces a call of the subject; called only if nothing was compiled for it"""
    its = recorder.by_subject[subject.name]
    if its.counters["stats.unique_graphs"] > 0:
        return
    if lost := its.given_up():
        raise Refusal(f"torch.compile made no graph of {subject.name}, because it gave up {lost[-1].title()} and runs it eagerly: {lost[-1].fault}")
    compiled_any = recorder.lost or any(each.done for each in recorder.by_subject.values())
    elsewhere = run_from_elsewhere(subject.name, recorder, trace()) if compiled_any else ""
    cause = f"it {elsewhere}" if elsewhere else ""
    if not cause or subject.name not in calls_of_compile.callers:
        cause = "is it wrapped in torch.compile?" + (f" If it is, {cause}" if cause else "")
    raise Refusal(f"nothing was compiled when {subject.name} ran: {cause}", "no_value" if calls_of_compile.callers & {subject.name, ""} else "")  # a caller of torch.compile may run compiled code


def run_from_elsewhere(name: str, recorder: Recorder, trace: CallTrace) -> str:
    """The code that a subject runs and that torch compiled, or gave up, for another one, and the remedy: `calls f (models.py:3), which …`; or empty.

    trace  of one call of the subject"""
    if eager := run_eagerly(recorder.lost, trace):
        when, remedy = (f"for {eager.subject}", APART) if eager.subject else recorder.elsewhere
        return f"calls {eager.title()}, which torch gave up {when}, and runs it eagerly: {eager.full_fault()}{advice(eager.fault, remedy) or f'; {remedy}'}"
    foreign = set(trace.regions) - recorder.by_subject[name].frames()
    if not foreign:
        return ""
    others = compiled_by(foreign, recorder.by_subject)
    when, remedy = (f"for {', '.join(others)}", APART) if others else recorder.elsewhere
    return f"runs code that torch compiled {when}, which its counts do not include: {remedy}"


def compiled_by(frames: set[str], by_subject: dict[str, Compilations]) -> list[str]:
    """Subjects that compiled some of these frames."""
    return [name for name, its in by_subject.items() if name and its.frames() & frames]


def require_no_fallback(subject: Subject, by_subject: dict[str, Compilations]) -> None:
    """Raises Refusal if a part of the subject runs eagerly."""
    lost = by_subject[subject.name].given_up()
    if not lost:
        return
    others = [each for each in compiled_by({lost[-1].frame}, by_subject) if each != subject.name]
    remedy = advice(lost[-1].fault, "put each subject that calls it into its own file" if others else "give it fewer kinds of inputs")
    raise Refusal(f"torch.compile gave up {lost[-1].title()} of {subject.name} and runs it eagerly: {lost[-1].full_fault()}{remedy}")


def require_all_counted(name: str, recorder: Recorder, trace: CallTrace) -> None:
    """Raises Refusal if torch compiled a part of the subject, or gave it up, while the subject did not run: breaks there are not counted for it.
    Parameters as above."""
    if elsewhere := run_from_elsewhere(name, recorder, trace):
        raise Refusal(f"{name} also {elsewhere}")


def advice(fault: str, remedy: str) -> str:
    return f": raise torch._dynamo.config.recompile_limit, or {remedy}" if is_of_limit(fault) else ""


def count(subject: Subject, name: str, recorder: Recorder, trace: typing.Callable[[], CallTrace]) -> int:
    """The count. Raises Refusal if it would be misleading.

    trace  traces a call of the subject"""
    its = recorder.by_subject[subject.name]
    require_compiled(subject, recorder, trace)
    if name in OF_WHOLE_PROGRAMS:
        require_no_fallback(subject, recorder.by_subject)
    return OF_TORCH[name](its) if name in OF_TORCH else its.counters[name]


def places(name: str, compilations: Compilations) -> list[str]:
    """Places and reasons of what is counted, if torch tells them."""
    if name == "graph_breaks":
        return places_of(compilations.breaks)
    if name == "recompiles":
        return [f"{each.title()} again: {each.reason or 'torch does not report why'}" for each in compilations.recompiled()][:MAX_PLACES]
    return []
