# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Numbers that are known of a subject: `count subject=… name=…`."""

from __future__ import annotations

import difflib
import typing

from ..faults import Refusal
from ..subjects import Subject
from .asking import asks
from .breaks import MAX_PLACES, places_of
from .compiling import Compilation, Compilations, Recorder, is_of_limit
from .fallbacks import Seen, run_eagerly

# Counters that torch makes when it first counts something. So 0 is an answer where they are missing; any other name may be misspelt.
ZERO_IF_MISSING = {
    *(f"inductor.fxgraph_cache_{what}" for what in ("hit", "miss", "bypass")),
    *(f"aot_autograd.autograd_cache_{what}" for what in ("hit", "miss", "bypass", "saved", "guard_miss")),
    *(f"aot_autograd.{what}" for what in ("total", "ok", "not_ok")),
    "inductor.cudagraph_skips", "inductor.pattern_matcher_count", "inductor.pattern_matcher_nodes", "inductor.extern_calls",
    "stats.calls_captured", "stats.unique_graphs", "frames.total", "frames.ok",
}

OF_TORCH = {
    "graphs": lambda found: found.counters["stats.unique_graphs"],
    "graph_breaks": lambda found: found.graph_breaks(),
    "recompilations": lambda found: len(found.recompiled()),
    "compilations": lambda found: len(found.compiled()),
    "compile_ns": lambda found: sum(each.nanoseconds for each in found.done),
    "cache_hits": lambda found: found.counters["inductor.fxgraph_cache_hit"] + found.counters["aot_autograd.autograd_cache_hit"],
    "cache_misses": lambda found: found.counters["inductor.fxgraph_cache_miss"] + found.counters["aot_autograd.autograd_cache_miss"],
}
OF_LOADING = "loaded_ns"
# What a frame that runs eagerly makes meaningless: torch counts no break in what it gave up.
OF_WHOLE_PROGRAMS = ("graphs", "graph_breaks", "recompilations", "compilations")


def require_name(name: str, seen: set[str]) -> None:
    """Raises Refusal for a name that is no count. `seen` are the counters that torch has."""
    if name in OF_TORCH or name in ZERO_IF_MISSING or name in seen:
        return
    known = [*OF_TORCH, OF_LOADING, *sorted(ZERO_IF_MISSING | {each for each in seen if len(each) < 50})]
    near = difflib.get_close_matches(name, known, n=1)
    raise Refusal(f"there is no count {name}{f', did you mean {near[0]}?' if near else ''}; there are {', '.join([*OF_TORCH, OF_LOADING])}, "
                  f"and torch's own counters by group.name, such as inductor.fxgraph_cache_miss")


def require_compiled(subject: Subject, recorder: Recorder, seen: typing.Callable[[], Seen]) -> None:
    """seen  tells what one call of the subject runs; called only where nothing was compiled for it

    Raises Refusal where torch.compile made no graph: no graph has no breaks, and that would be true of every eager model."""
    found = recorder.by_subject[subject.name]
    if found.counters["stats.unique_graphs"] > 0:
        return
    if lost := found.given_up():
        raise Refusal(f"torch.compile made no graph of {subject.name}: it gave up {lost[-1].title()} and runs it eagerly: {lost[-1].fault}")
    elsewhere = run_from_elsewhere(subject.name, recorder.by_subject, recorder.lost, seen()) if recorder.by_anyone() else ""
    cause = f"it {elsewhere}" if elsewhere else ""
    if not cause or subject.name not in asks.by:
        cause = "is it wrapped in torch.compile?" + (f" If it is, {cause}" if cause else "")
    raise Refusal(f"nothing was compiled when {subject.name} ran: {cause}", "no_value" if asks.by & {subject.name, ""} else "")  # who asked may run what is compiled


def run_from_elsewhere(name: str, by_subject: dict[str, Compilations], lost: list[Compilation], seen: Seen) -> str:
    """What a subject runs that was not compiled while it ran, and what to do: `calls f (models.py:3), which …`; empty where there is nothing.

    lost  what torch gave up, whoever ran it
    seen  what one call of it runs"""
    if eager := run_eagerly(lost, seen):
        return (f"calls {eager.title()}, which torch gave up when another subject called it, and runs it eagerly: {eager.why()}"
                f"{advice(eager.fault, is_shared=True) or '; give each a file of its own'}")
    foreign = set(seen.regions) - by_subject[name].frames()
    if not foreign:
        return ""
    others = compiled_by(foreign, by_subject)
    whose, remedy = (f"for {', '.join(others)}", "give each a file of its own") if others else ("while the file was imported", "call what torch.compile made in bodies alone")
    return f"runs what torch compiled {whose}, and its counts have nothing of that: {remedy}"


def compiled_by(frames: set[str], by_subject: dict[str, Compilations]) -> list[str]:
    """Subjects that compiled some of these frames."""
    return [name for name, its in by_subject.items() if name and its.frames() & frames]


def require_no_fallback(subject: Subject, by_subject: dict[str, Compilations]) -> None:
    """Raises Refusal where a part of the subject is not run by what torch compiled."""
    lost = by_subject[subject.name].given_up()
    if not lost:
        return
    others = [each for each in compiled_by({lost[-1].frame}, by_subject) if each != subject.name]
    remedy = advice(lost[-1].fault, is_shared=bool(others))
    raise Refusal(f"torch.compile gave up {lost[-1].title()} of {subject.name} and runs it eagerly: {lost[-1].why()}{remedy}")


def require_all_counted(name: str, by_subject: dict[str, Compilations], lost: list[Compilation], seen: Seen) -> None:
    """lost  what torch gave up, whoever ran it
    seen  what one call of the subject runs

    Raises Refusal where some was not compiled when the subject ran: its breaks were counted elsewhere, or nowhere. So it was where the file
    was imported, as the empty name, and where torch gave up a function when another subject called it."""
    if early := by_subject[""].given_up() if "" in by_subject else []:
        raise Refusal(f"torch gave up {early[-1].title()} while the file was imported, and runs it eagerly wherever it is called: {early[-1].fault}; "
                      f"call what torch.compile made in bodies alone, where breaks are counted")
    if elsewhere := run_from_elsewhere(name, by_subject, lost, seen):
        raise Refusal(f"{name} also {elsewhere}")


def advice(fault: str, is_shared: bool) -> str:
    """is_shared  whether several subjects call the function"""
    if not is_of_limit(fault):
        return ""
    return f": raise torch._dynamo.config.recompile_limit, or give {'each subject that calls it a file of its own' if is_shared else 'it inputs of fewer kinds'}"


def count(subject: Subject, name: str, recorder: Recorder, seen: typing.Callable[[], Seen]) -> int:
    """The number. Raises Refusal where it would say something false.

    seen  tells what one call of the subject runs"""
    found = recorder.by_subject[subject.name]
    require_compiled(subject, recorder, seen)
    if name in OF_WHOLE_PROGRAMS:
        require_no_fallback(subject, recorder.by_subject)
    return OF_TORCH[name](found) if name in OF_TORCH else found.counters[name]


def places(name: str, found: Compilations) -> list[str]:
    """Where that was which is counted, and why, for those counts of which torch tells it."""
    if name == "graph_breaks":
        return places_of(found.breaks)
    if name == "recompilations":
        return [f"{each.title()} again: {each.reason or 'torch does not tell why'}" for each in found.recompiled()][:MAX_PLACES]
    return []
