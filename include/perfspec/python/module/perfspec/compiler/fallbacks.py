# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether a subject that asked torch.compile for compiled code runs it: torch falls back to eager code, most often without a word."""

from __future__ import annotations

import collections
import sys
import typing

from .. import libraries
from ..faults import Refusal
from .compiling import NAMELESS, Compilation, Compilations, function_called, is_of_limit

REGION = "Torch-Compiled Region"
GRAPH = "## Call CompiledFxGraph"  # and a name that no two compilations share
EAGER = "its times are those of eager code"
RAISE_LIMIT = "raise torch._dynamo.config.recompile_limit, or give it inputs of fewer kinds; subjects of one file that call one function share its limit"


class Seen(typing.NamedTuple):
    """What one call runs."""

    regions: collections.Counter  # frames of which it runs compiled code, and how often, by their numbers: of `Torch-Compiled Region: 3/1` 3
    calls: collections.Counter  # functions of Python that it calls, compiled or not, and how often; within compiled code there are none


def profiled(call: typing.Callable[[], typing.Any]) -> typing.Any:
    """A call, profiled: where torch still has its older profiler by that one, because from version 2.13 on the other one prints two lines each time."""
    autograd = libraries.torch().autograd
    older = getattr(autograd, "profiler_legacy", None)
    with older.profile() if older else autograd.profiler.profile(use_kineto=False) as seen:
        call()
    return seen


def operators_in(call: typing.Callable[[], typing.Any]) -> list[str]:
    """The operators of torch that a call runs on the processor: `12000 3 aten::copy_`, nanoseconds of their own, how many calls, and the name. Raises
    Refusal where nobody sees them."""
    loaded = libraries.torch()
    if loaded is None or libraries.waits():
        raise Refusal("its operators are seen where torch runs on the processor alone", "unavailable")
    seen = profiled(call)
    return [f"{round(1000 * each.self_cpu_time_total)} {each.count} {'kernels of Inductor' if each.key.startswith(GRAPH) else each.key.partition(': ')[0]}" for each in seen.key_averages()]


def regions_of(call: typing.Callable[[], typing.Any]) -> collections.Counter:
    """What a call runs of what torch compiled, and how often: `3/1`, the number of a frame and that of a compilation of it."""
    seen = profiled(call)
    return collections.Counter(event.name.partition(": ")[2] for event in seen.function_events if event.name.startswith(REGION))


def frame_of(region: str) -> str:
    return region.partition("/")[0]


def seen_in(call: typing.Callable[[], typing.Any], lost: list[Compilation]) -> Seen:
    """lost  what torch gave up: where there is nothing, functions are not looked at, which takes time"""
    calls = collections.Counter()

    def note(frame, event, _):
        if event == "call":
            code = frame.f_code
            calls[function_called(code.co_name, code.co_filename, code.co_firstlineno)] += 1

    def watched():
        before = sys.getprofile()
        sys.setprofile(note)
        try:
            call()
        finally:
            sys.setprofile(before)

    regions = collections.Counter(map(frame_of, regions_of(watched if lost else call).elements()))
    return Seen(regions, calls)


def run_eagerly(lost: list[Compilation], seen: Seen) -> Compilation | None:
    """One that a call runs without compiled code of it, of those that torch gave up, whoever ran them."""
    return next((each for each in reversed(lost) if each.function.startswith(NAMELESS) or seen.calls[each.function] > seen.regions[each.frame]), None)


def switch_of_compiler() -> str:
    """What turned torch's compiler off; empty where it is on."""
    config = getattr(sys.modules.get("torch._dynamo"), "config", None)
    if getattr(config, "disable", False):
        return "torch._dynamo.config.disable is set"
    stance = getattr(getattr(sys.modules.get("torch._dynamo.eval_frame"), "_stance", None), "stance", "")
    return "torch.compiler.set_stance says force_eager" if stance == "force_eager" else ""


def why_nothing_was_compiled(found: Compilations, lost: list[Compilation]) -> str:
    """What torch tells of it, or its switches."""
    if own := found.given_up():
        return f"it gave up {own[-1].title()}: {own[-1].fault}"
    left_out = ": is that left out by torch.compiler.disable? TORCH_LOGS=dynamo tells more" if found.frames() else ", as TORCH_LOGS=dynamo tells"
    elsewhere = f"; for another subject it gave up {lost[-1].title()}, and leaves that alone from then on: {lost[-1].fault}" if lost else ""
    return switch_of_compiler() or f"it made no graph of what the body calls{left_out}{elsewhere}"


class Fallback:
    """What is known of one subject."""

    def __init__(self) -> None:
        self.shares: set[str] = set()  # frames that were compiled for others, and run here

    def reason(self, found: Compilations, lost: list[Compilation], asked: bool, regions: typing.Callable[[], typing.Iterable[str]],
               without_graph: typing.Collection[str] = ()) -> str:
        """Why its times are none of compiled code; empty where they are, or where nobody asked.

        lost           what torch gave up in this process, whoever ran it
        asked          whether the subject called torch.compile
        regions        what `regions_of` finds in one more call; called only where counters leave it open
        without_graph  those that compute nothing: torch only rewrote the bytecode, as of what is left out by torch.compiler.disable"""
        if own := [each for each in found.given_up() if is_of_limit(each.fault)]:
            return f"torch.compile gave up {own[-1].title()}: {own[-1].why()}. From there on it runs eagerly: {RAISE_LIMIT}"
        if not found.counters["stats.unique_graphs"] and not self.shares and (asked or found.given_up()):
            self.shares = {frame_of(each) for each in regions() if each not in without_graph}
            if not self.shares:
                return f"torch.compile was called, and {EAGER}: {why_nothing_was_compiled(found, lost)}"
        mine = [each for each in lost if is_of_limit(each.fault) and each.frame in found.frames() | self.shares]
        if mine and {each.frame for each in mine} - set(map(frame_of, regions())):
            return (f"another subject used up the limit of recompilations of a function that it calls, {mine[-1].title()}, and {EAGER}. There "
                    f"{mine[-1].reason or 'torch does not tell what changed'}: {RAISE_LIMIT}")
        return ""


def notes_of(found: Compilations) -> list[str]:
    """What readers of its times should know: parts that run eagerly beside compiled ones."""
    if not found.counters["stats.unique_graphs"]:
        return []
    texts = {f"torch.compile gave up {each.title()} and runs it eagerly: {each.fault}" for each in found.given_up() if not is_of_limit(each.fault)}
    return sorted(texts)
