# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Which code the subjects were made of: the user's file, and what it imported from its own folder."""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import pathlib
import sys
import typing

FOREIGN = ("site-packages", "dist-packages")  # an environment may lie in the project
LONGEST = 12  # files that are told one by one


class UncachedLoader(importlib.machinery.SourceFileLoader):
    """Compiles the file as it is, and writes no bytecode beside it.

    Python's cache goes by the size of a file and the second of its last change: code of the same length that was written within that second would be
    the code of before.
    """

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def spec_of(name: str, path: pathlib.Path) -> importlib.machinery.ModuleSpec | None:
    """How to import the user's file under a name. None for what is no file of Python."""
    found = importlib.util.spec_from_file_location(name, path)
    if found is None or type(found.loader) is not importlib.machinery.SourceFileLoader:
        return found
    return importlib.util.spec_from_file_location(name, path, loader=UncachedLoader(name, str(path)))


def file_of(module: object) -> str | None:
    """Where its source is. A module that is to be loaded when it is first used stays as it is, and so does what else a user puts in `sys.modules`."""
    try:
        found = object.__getattribute__(module, "__dict__").get("__file__")
    except Exception:  # it has no such dictionary
        return None
    return found if type(found) is str else None


def files_of(folder: pathlib.Path, modules: typing.Iterable[object]) -> list[pathlib.Path]:
    """The source files of modules that lie in a folder or below it, in their order by name."""
    files = {pathlib.Path(each).resolve() for each in map(file_of, modules) if each is not None}
    return sorted(each for each in files if folder in each.parents and not set(FOREIGN) & set(each.parts) and each.is_file())


def digest(files: typing.Iterable[pathlib.Path]) -> str:
    """Eight hexadecimal digits of what is in them."""
    content = hashlib.sha256()
    for each in files:
        content.update(hashlib.sha256(each.read_bytes()).digest())
    return content.hexdigest()[:8]


def code_of(file: str, modules: typing.Iterable[object] | None = None) -> str:
    """`layers/block.py 1f3a0c9e, models.py 77b0d1c2` of the file and the modules that it imported from its folder so far."""
    own = pathlib.Path(file).resolve()
    files = files_of(own.parent, list(sys.modules.values()) if modules is None else modules)
    told = [f"{each.relative_to(own.parent)} {digest([each])}" for each in files[:LONGEST]]
    more = files[LONGEST:]
    return ", ".join(told + ([f"{len(more)} more {digest(more)}"] if more else []))
