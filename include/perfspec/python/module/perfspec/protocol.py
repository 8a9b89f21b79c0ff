# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Requests and answers as lines of JSON. PROTOCOL.md of the folder above defines them."""

from __future__ import annotations

import json
import typing

VERSION = 2
Message = typing.Dict[str, typing.Any]


def parsed(line: bytes) -> Message:
    """Raises ValueError for a line that is no object of JSON."""
    message = json.loads(line)
    if not isinstance(message, dict):
        raise ValueError(f"no object of JSON: {line!r}")
    return message


def line_of(message: Message) -> bytes:
    return (json.dumps(message, ensure_ascii=False, allow_nan=False) + "\n").encode(errors="replace")


def answer_to(request: Message, answer: Message) -> Message:
    """The answer with the number of its request, without what is empty."""
    number = {"number": request["number"]} if "number" in request else {}
    return {**{name: value for name, value in answer.items() if value not in ("", [], {})}, **number}
