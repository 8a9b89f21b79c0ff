# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Why torch compiled a function once more, in plain words: `recompile_reason` of its log names the guard that did not hold."""

from __future__ import annotations

import re

TENSOR = r"tensor '(?P<name>.+?)' "
EXPECTED = r"\. expected (?P<was>.+?), actual (?P<now>.+)"
WORDS = [(re.compile(pattern), words) for pattern, words in (
    (TENSOR + r"size mismatch at index (?P<at>\d+)" + EXPECTED, "{name} has size {now} in dimension {at}, and was compiled for {was}"),
    (TENSOR + r"stride mismatch at index (?P<at>\d+)" + EXPECTED, "{name} has stride {now} in dimension {at}, and was compiled for {was}"),
    (TENSOR + r"rank mismatch" + EXPECTED, "{name} has {now} dimensions, and was compiled for {was}"),
    (TENSOR + r"dtype mismatch" + EXPECTED, "{name} is of {now}, and was compiled for {was}"),
    (TENSOR + r"requires_grad mismatch\. expected requires_grad=(?P<was>[01])", "{name} {now}, and was compiled for one that {was}"),
    (TENSOR + r"(?P<what>.+? mismatch.*)", "{name} is another kind of tensor: {what}"),
    (r"GLOBAL_STATE changed: (?P<what>.+)", "a setting of torch changed: {what}"),
)]
GRADIENTS = {"1": "requires gradients", "0": "requires none"}


def of_user(name: str) -> str:
    """`x` of `L['x']`, as torch writes a local name."""
    return re.sub(r"\bL\['(\w+)'\]", r"\1", name)


def in_words(reason: str) -> str:
    """`x has size 5 in dimension 0, and was compiled for 4` of `0/1: tensor 'x' size mismatch at index 0. expected 4, actual 5`. A guard that is not known
    here is shown as torch writes it. Empty for an empty reason."""
    guard = re.sub(r"^\d+/\d+: ", "", reason.strip())
    for pattern, words in WORDS:
        if found := pattern.match(guard):
            named = {"now": "", **{name: of_user(value) for name, value in found.groupdict().items()}}
            if named.get("was") in GRADIENTS and "requires_grad" in guard:
                named |= {"was": GRADIENTS[named["was"]], "now": GRADIENTS["01"[named["was"] == "0"]]}
            return words.format(**named)
    return f"what it was compiled for does not hold any more: {of_user(guard)}" if guard else ""
