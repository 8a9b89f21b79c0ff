# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether a subject that called torch.compile runs compiled code: torch falls back to eager code, most often without a message."""

from __future__ import annotations

import collections
import os
import sys
import typing

from .. import libraries
from ..faults import Refusal
from .compiling import NAMELESS, Compilation, Compilations, function_called, is_of_limit

REGION = "Torch-Compiled Region"
GRAPH = "## Call CompiledFxGraph"  # a name of the compilation follows
EAGER = "its times are those of eager code"
RAISE_LIMIT = ("raise torch._dynamo.config.recompile_limit, or give it fewer kinds of inputs. Subjects of one file that call the same function share its limit, "
               "so in pytest call torch._dynamo.reset() before each test")


class CallTrace(typing.NamedTuple):
    """What one call of a subject runs."""

    regions: collections.Counter  # runs of compiled code by the number of the frame: 3 of `Torch-Compiled Region: 3/1`
    calls: collections.Counter  # calls of functions of Python, compiled or not, except those within compiled code


def profile_of(call: typing.Callable[[], typing.Any]) -> typing.Any:
    """The profile of a call, by torch's older profiler if there is one: from version 2.13 on the other one prints two lines each time."""
    autograd = libraries.torch().autograd
    older = getattr(autograd, "profiler_legacy", None)
    with older.profile() if older else autograd.profiler.profile(use_kineto=False) as profile:
        call()
    return profile


def operators_in(call: typing.Callable[[], typing.Any]) -> list[dict[str, typing.Any]]:
    """The operators of torch that a call runs on the processor: name, calls, and nanoseconds without their callees. Raises Refusal without torch, and
    on a machine with an accelerator."""
    loaded = libraries.torch()
    if loaded is None or libraries.waits():
        raise Refusal("perfspec records operators only if torch runs on the processor alone", "unavailable")
    profile = profile_of(call)
    return [{"name": "kernels of Inductor" if each.key.startswith(GRAPH) else each.key.partition(": ")[0], "calls": each.count,
             "ns": round(1000 * each.self_cpu_time_total)} for each in profile.key_averages()]


def regions_of(call: typing.Callable[[], typing.Any]) -> collections.Counter:
    """The runs of compiled code in a call, by the numbers of frame and compilation, `3/1`."""
    profile = profile_of(call)
    return collections.Counter(event.name.partition(": ")[2] for event in profile.function_events if event.name.startswith(REGION))


def frame_of(region: str) -> str:
    return region.partition("/")[0]


def trace_of(call: typing.Callable[[], typing.Any], lost: list[Compilation]) -> CallTrace:
    """lost  what torch gave up; calls of functions are counted only if there is some, because that takes time"""
    calls = collections.Counter()

    def count(frame, event, _):
        if event == "call":
            code = frame.f_code
            calls[function_called(code.co_name, code.co_filename, code.co_firstlineno)] += 1

    def counted():
        before = sys.getprofile()
        sys.setprofile(count)
        try:
            call()
        finally:
            sys.setprofile(before)

    regions = collections.Counter(map(frame_of, regions_of(counted if lost else call).elements()))
    return CallTrace(regions, calls)


def run_eagerly(lost: list[Compilation], trace: CallTrace) -> Compilation | None:
    """A function that a call runs eagerly, of those that torch gave up in any subject."""
    return next((each for each in reversed(lost) if each.function.startswith(NAMELESS) or trace.calls[each.function] > trace.regions[each.frame]), None)


def switch_of_compiler() -> str:
    """The setting that turns torch's compiler off; empty if it is on."""
    config = getattr(sys.modules.get("torch._dynamo"), "config", None)
    if getattr(config, "disable", False):
        return "torch._dynamo.config.disable is set"
    if os.environ.get("TORCHDYNAMO_DISABLE") == "1":
        return "TORCHDYNAMO_DISABLE=1 is set"
    stance = getattr(getattr(sys.modules.get("torch._dynamo.eval_frame"), "_stance", None), "stance", "")
    return "torch.compiler.set_stance says force_eager" if stance == "force_eager" else ""


def why_nothing_was_compiled(its: Compilations, lost: list[Compilation]) -> str:
    if own := its.given_up():
        return f"it gave up {own[-1].title()}: {own[-1].fault}"
    left_out = ": does torch.compiler.disable exclude it? TORCH_LOGS=dynamo shows more" if its.frames() else "; TORCH_LOGS=dynamo shows why"
    elsewhere = f"; earlier it gave up {lost[-1].title()}, and does not try again until torch._dynamo.reset(): {lost[-1].fault}" if lost else ""
    return switch_of_compiler() or f"it made no graph of what the body calls{left_out}{elsewhere}"


class Fallback:
    """Whether one subject runs eagerly."""

    def __init__(self) -> None:
        self.shared: set[str] = set()  # frames that were compiled for other subjects, and run in this one

    def reason(self, its: Compilations, lost: list[Compilation], is_caller: bool, regions: typing.Callable[[], typing.Iterable[str]],
               without_graph: typing.Collection[str] = ()) -> str:
        """Why a subject that is to run compiled code runs eagerly; otherwise empty.

        lost           what torch gave up in any subject of this process
        is_caller      whether the subject called torch.compile
        regions        `regions_of` one more call; called only if the counters do not answer
        without_graph  regions that compute nothing: torch only rewrote the bytecode, for example for torch.compiler.disable"""
        if own := [each for each in its.given_up() if is_of_limit(each.fault)]:
            return f"torch.compile gave up {own[-1].title()}: {own[-1].full_fault()}. From there on it runs eagerly: {RAISE_LIMIT}"
        if not its.counters["stats.unique_graphs"] and not self.shared and (is_caller or its.given_up()):
            self.shared = {frame_of(each) for each in regions() if each not in without_graph}
            if not self.shared:
                return f"torch.compile was called, but {EAGER}: {why_nothing_was_compiled(its, lost)}"
        limited = [each for each in lost if is_of_limit(each.fault) and each.frame in its.frames() | self.shared]
        if limited and {each.frame for each in limited} - set(map(frame_of, regions())):
            return (f"earlier calls reached the limit of recompilations of a function that it calls, {limited[-1].title()}, so {EAGER}. There "
                    f"{limited[-1].reason or 'torch does not report what changed'}: {RAISE_LIMIT}")
        return ""


def notes_of(its: Compilations) -> list[str]:
    """Notes on the parts of a compiled subject that run eagerly."""
    if not its.counters["stats.unique_graphs"]:
        return []
    texts = {f"torch.compile gave up {each.title()} and runs it eagerly: {each.fault}" for each in its.given_up() if not is_of_limit(each.fault)}
    return sorted(texts)
