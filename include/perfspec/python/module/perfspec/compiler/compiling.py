# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What torch.compile did, by the counters and the log of torch._dynamo."""

from __future__ import annotations

import collections
import dataclasses
import itertools
import os
import re
import sys
import typing

NAMELESS = "a function"
WRAPPER = "inner (external_utils.py:"  # torch's own function around a module of its own, such as torch.nn.Linear
# When torch compiled what no subject ran, and how its breaks are counted: in a file of subjects, and in pytest.
IMPORTING = ("while the file was imported", "call the results of torch.compile only in bodies")
BEFORE = ("before this test or outside of its bodies", "call torch._dynamo.reset() in a fixture, or run the test in its own process")
LOG_ENTRIES = 100_000  # of torch's log of compilations, instead of 64
MAX_PLACES = 8
LONGEST_LINE = 80  # characters of code that a place shows
BRANCH, STEP = "generic_jump", "step_unsupported"  # torch lists these breaks but does not count them in counters["graph_break"]
IN_WORDS = {BRANCH: "a branch depends on what a tensor holds", STEP: "torch cannot compile this line"}


class Break(typing.NamedTuple):
    place: str  # `forward (models.py:9)`
    code: str  # the line there; empty if torch does not tell it
    reason: str
    is_counted: bool  # by torch's counter

    def text(self) -> str:
        return f"{self.place}{f' `{self.code}`' if self.code else ''}: {self.reason}"


def is_of_library(file: str) -> bool:
    torch = sys.modules.get("torch")
    return "site-packages" in file or bool(torch and file.startswith(os.path.join(os.path.dirname(torch.__file__), "")))


def reason_of(text: str) -> str:
    """The first line of torch's message, and the sentence that explains it: `Failed to trace builtin operator: Dynamo does not know …`"""
    first, *rest = [each.strip() for each in text.strip().splitlines()] or [""]
    explained = next((each.partition(":")[2].strip() for each in rest if each.startswith("Explanation:")), "")
    summary = next((text for name, text in IN_WORDS.items() if first.startswith(name)), first or "torch does not report why")
    return f"{summary}: {explained}" if explained else summary


def read_break(entry) -> Break:
    """Reads an entry of torch's list. Fields that a version of torch lacks are empty."""
    text = str(getattr(entry, "reason", "") or "")
    frames = list(getattr(entry, "user_stack", None) or [])
    own = [each for each in frames if not is_of_library(each.filename)] or frames
    place = f"{own[-1].name} ({os.path.basename(own[-1].filename)}:{own[-1].lineno})" if own else "an unknown place"
    code = " ".join((own[-1].line or "").split())[:LONGEST_LINE] if own else ""
    place = re.sub(r"^torch_dynamo_resume_in_(.*)_at_\d+", r"\1", place)  # the rest of a function after a break
    return Break(place, code, reason_of(text), not text.startswith(tuple(IN_WORDS)))


def places_of(breaks: list[Break]) -> list[str]:
    """A text for each place, with the number of breaks there if there are several."""
    counts = collections.Counter(each.text() for each in breaks)
    texts = [text + (f" ({count} times)" if count > 1 else "") for text, count in counts.items()]
    more = len(texts) - MAX_PLACES
    return texts[:MAX_PLACES] + ([f"and {more} more places"] if more > 0 else [])


class Compilation(typing.NamedTuple):
    """A frame that torch compiled, or a backward pass."""

    frame: str  # number of the code object: "3" of "3/1"
    function: str  # `forward (models.py:12)`
    nanoseconds: int
    is_forward: bool
    reason: str  # why earlier compilations of it did not fit
    fault: str  # why it runs eagerly; empty if it is compiled
    is_first: bool = False  # of the process, or after torch._dynamo.reset(): "0/0"
    subject: str = ""  # for which it was compiled
    model: str = ""  # argument of torch.compile, if the function is torch's wrapper of it

    def title(self) -> str:
        """The function, by a name that its writer knows."""
        return self.model or self.function

    def full_fault(self) -> str:
        """Why the frame runs eagerly; beyond a limit also which guard failed last."""
        return f"{self.fault}: {self.reason}" if self.reason and is_of_limit(self.fault) else self.fault


@dataclasses.dataclass
class Compilations:
    """What torch compiled while one subject was loaded or called."""

    counters: collections.Counter = dataclasses.field(default_factory=collections.Counter)  # by "group.name"
    done: list[Compilation] = dataclasses.field(default_factory=list)
    breaks: list[Break] = dataclasses.field(default_factory=list)

    def compiled(self) -> list[Compilation]:
        return [each for each in self.done if not each.fault]

    def recompiled(self) -> list[Compilation]:
        """Further compilations of a frame for the same subject. Subjects of one file may share a frame: `forward` of one class."""
        seen, again = set(), []
        for each in self.compiled():
            if each.is_forward:
                again += [each] if each.frame in seen else []
                seen.add(each.frame)
        return again

    def frames(self) -> set[str]:
        """Numbers of the frames that have compiled code."""
        return {each.frame for each in self.compiled() if each.is_forward}

    def given_up(self) -> list[Compilation]:
        """The frames that torch could not compile, or not once more. It runs them eagerly, most often without a message."""
        names = {each.frame: each.function for each in self.done if not each.function.startswith(NAMELESS)}
        return [each._replace(function=names.get(each.frame, each.function)) for each in self.done if each.fault]

    def graph_breaks(self) -> int:
        """torch's counter misses breaks that torch only lists: for a model with `if x.sum() > 0:`, two graphs, it is 0."""
        counted = sum(count for key, count in self.counters.items() if key.startswith("graph_break."))
        return max(counted + sum(not each.is_counted for each in self.breaks), len(self.breaks))


def dynamo():
    """torch._dynamo.utils, or None before torch compiled anything."""
    utils = sys.modules.get("torch._dynamo.utils")
    return utils if hasattr(utils, "get_compilation_metrics") else None


def stamp() -> tuple[int, ...]:
    """Changes whenever torch compiles something. Cheap, because it is read around every sample."""
    utils = dynamo()
    if utils is None:
        return ()
    log = utils.get_compilation_metrics()
    return utils.counters["frames"]["total"], utils.counters["stats"]["unique_graphs"], len(log), id(log[-1]) if log else 0


def first_line(text: object) -> str:
    """The first line of a message of torch, and the second if the first ends with a colon. Stacks and advice follow."""
    line, _, rest = str(text or "").strip().partition("\n")
    return " ".join((line + " " + rest.partition("\n")[0] if line.endswith(":") else line).split())


def function_called(name: object, file: object, line: object) -> str:
    """`forward (models.py:12)`"""
    return f"{name or NAMELESS}{f' ({os.path.basename(str(file))}:{line})' if file else ''}"


def read_entry(entry) -> Compilation:
    """Reads an entry of torch's log. Fields that a version of torch lacks are empty."""
    get = lambda name: getattr(entry, name, None)  # noqa: E731
    function = function_called(get("co_name"), get("co_filename"), get("co_firstlineno"))
    seconds = get("entire_frame_compile_time_s") or 0
    nanoseconds = get("duration_us") * 1000 if get("duration_us") else round(seconds * 1e9)
    fault = first_line(get("fail_reason")) or str(get("fail_type") or "")
    number, is_forward = str(get("compile_id") or ""), get("is_forward") is not False
    guard = re.sub(r"^\d+/\d+: ", "", first_line(get("recompile_reason")).partition(" # ")[0])
    reason = f"guard failed: {guard}" if guard else ""  # such as `tensor 'x' size mismatch at index 0. expected 4, actual 5`
    return Compilation(number.partition("/")[0], function, nanoseconds, is_forward, reason, fault, number == "0/0" and is_forward)


def is_of_limit(fault: str) -> bool:
    """Whether torch compiled the frame too often to compile it once more."""
    return "limit" in fault


class News(typing.NamedTuple):
    """What torch did since the last look."""

    counters: collections.Counter
    done: list[Compilation]
    breaks: list[Break]


class Recorder:
    """Assigns compilations to the subject that ran meanwhile.

    models_of  the models that a subject compiled, by the subject's name
    elsewhere  IMPORTING or BEFORE"""

    def __init__(self, models_of: typing.Callable[[str], str] = lambda name: "", elsewhere: tuple[str, str] = IMPORTING) -> None:
        self.models_of, self.elsewhere = models_of, elsewhere
        self.by_subject: dict[str, Compilations] = collections.defaultdict(Compilations)
        self.last_entry = self.last_break = None
        self.counters = collections.Counter()
        self.lost: list[Compilation] = []  # what torch gave up in any subject: it then runs a function eagerly for all of them
        self.names: dict[str, str] = {}  # of functions, by frame: torch does not tell them beyond a limit
        self.without_graph: set[str] = set()  # compilations that only rewrote the bytecode: "3/1"

    def skip(self) -> None:
        """Assigns the compilations since the last call to no subject."""
        self.keep_lost(self.news().done)

    def assign_to(self, name: str) -> list[Compilation]:
        """Assigns the compilations since the last call to this subject. Returns them."""
        news = self.news()
        its = self.by_subject[name]
        its.counters.update(news.counters)
        its.breaks += news.breaks
        done = [each._replace(subject=name, model=self.models_of(name) if self.name_of(each).startswith(WRAPPER) else "") for each in news.done]
        its.done += done
        self.keep_lost(done)
        return done

    def name_of(self, each: Compilation) -> str:
        return self.names.get(each.frame, each.function)

    def keep_lost(self, done: list[Compilation]) -> None:
        for each in done:
            if each.is_first:  # torch compiles again what it gave up before it was reset
                self.lost.clear()
            if each.fault:
                self.lost.append(each._replace(function=self.name_of(each)))

    def news(self) -> News:
        utils = dynamo()
        if utils is None:
            return News(collections.Counter(), [], [])
        if hasattr(utils, "set_compilation_metrics_limit") and getattr(utils._compilation_metrics, "maxlen", LOG_ENTRIES) < LOG_ENTRIES:
            utils.set_compilation_metrics_limit(LOG_ENTRIES)
        new, self.last_entry = since(self.last_entry, utils.get_compilation_metrics())
        breaks, self.last_break = since(self.last_break, list(getattr(utils, "graph_break_reasons", None) or []))
        now = collections.Counter({f"{group}.{name}": count for group, names in utils.counters.items()
                                   for name, count in names.items() if isinstance(count, int)})
        before, self.counters = self.counters, now
        increases = {key: count - (before[key] if before[key] <= count else 0) for key, count in now.items()}  # a user may clear them
        new = [each for each in new if not getattr(each, "is_runtime", False)]
        done = [read_entry(each) for each in new]
        self.note_graphs(new)
        self.names.update({each.frame: each.function for each in done if not each.function.startswith(NAMELESS)})
        return News(collections.Counter(increases), done, [read_break(each) for each in breaks])

    def note_graphs(self, entries: list) -> None:
        """Records which compilations have no graph. Numbers start again after torch._dynamo.reset()."""
        for each in entries:
            (self.without_graph.add if getattr(each, "graph_op_count", None) == 0 else self.without_graph.discard)(str(getattr(each, "compile_id", "")))

    def counter_names(self) -> set[str]:
        return set(self.counters)


def since(last: typing.Any, log: list) -> tuple[list, typing.Any]:
    """The entries of a log after `last`, and the last entry now."""
    new = list(itertools.takewhile(lambda each: each is not last, reversed(log)))
    return new[::-1], log[-1] if log else last
