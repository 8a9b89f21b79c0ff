# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Requests and answers as bytes. PROTOCOL.md of the folder above defines them."""

from __future__ import annotations

import typing

VERSION = 1
ESCAPES = {each: f"%{each:02X}" for each in (*range(0x21), ord("%"), 0x7F)}


class Request(typing.NamedTuple):
    """A line from perfspec: `word name=value …`."""

    word: str
    fields: dict[str, str]


def fnv1a(data: bytes) -> str:
    """FNV-1a, 64 bits, as 16 hexadecimal digits."""
    digest = 0xCBF29CE484222325
    for byte in data:
        digest = ((digest ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{digest:016x}"


def escaped(value: object) -> str:
    """Escapes `%`, blanks and control characters, like %20."""
    return str(value).translate(ESCAPES)


def unescaped(value: str) -> str:
    """The inverse of `escaped`. Raises ValueError for a `%` without two hexadecimal digits after it."""
    first, *others = value.encode().split(b"%")
    return (first + b"".join(bytes([int(each[:2].decode().ljust(2, "?"), 16)]) + each[2:] for each in others)).decode()


def parsed(line: bytes) -> Request:
    """Raises ValueError for a line that is no request."""
    word, *fields = [each for each in line.decode().rstrip("\n").split(" ") if each] or [""]
    pairs = [each.partition("=") for each in fields]
    if not all(equals for _, equals, _ in pairs):
        raise ValueError(f"a field without \"=\" in {line!r}")
    return Request(word, {name: unescaped(value) for name, _, value in pairs})


def framed(word: str, fields: typing.Iterable[tuple[str, object]]) -> bytes:
    """An answer as bytes. Fields may repeat a name."""
    text = " ".join([word, *(f"{name}={escaped(value)}" for name, value in fields)]).encode(errors="replace")
    return b"perfspec-answer 3 %d %s\n%s\n" % (len(text), fnv1a(text).encode(), text)
