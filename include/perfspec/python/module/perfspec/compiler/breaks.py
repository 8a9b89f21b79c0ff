# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Where torch.compile left a graph and returned to Python, and why: the list `graph_break_reasons` of torch._dynamo.utils."""

from __future__ import annotations

import collections
import os
import re
import sys
import typing

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
    summary = next((text for name, text in IN_WORDS.items() if first.startswith(name)), first or "torch does not tell why")
    return f"{summary}: {explained}" if explained else summary


def read_break(entry) -> Break:
    """Reads an entry of torch's list. Fields that a version of torch lacks are empty."""
    text = str(getattr(entry, "reason", "") or "")
    frames = list(getattr(entry, "user_stack", None) or [])
    own = [each for each in frames if not is_of_library(each.filename)] or frames
    place = f"{own[-1].name} ({os.path.basename(own[-1].filename)}:{own[-1].lineno})" if own else "a place that torch does not tell"
    code = " ".join((own[-1].line or "").split())[:LONGEST_LINE] if own else ""
    place = re.sub(r"^torch_dynamo_resume_in_(.*)_at_\d+", r"\1", place)  # the rest of a function after a break
    return Break(place, code, reason_of(text), not text.startswith(tuple(IN_WORDS)))


def number_of(counted: int, breaks: list[Break]) -> int:
    """counted  torch's counter. It misses breaks that torch only lists: for a model with `if x.sum() > 0:`, two graphs, it is 0"""
    return max(counted + sum(not each.is_counted for each in breaks), len(breaks))


def places_of(breaks: list[Break]) -> list[str]:
    """A text for each place, with the number of breaks there if there are several."""
    counts = collections.Counter(each.text() for each in breaks)
    texts = [text + (f" ({count} times)" if count > 1 else "") for text, count in counts.items()]
    more = len(texts) - MAX_PLACES
    return texts[:MAX_PLACES] + ([f"and {more} places more"] if more > 0 else [])
