# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Imports of the user's models: other contents or versions of these make another package."""

import hashlib
import importlib.metadata
import pathlib
import sys
import sysconfig


def digest_of(file: pathlib.Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def what_was_imported(modules: set[str]) -> dict[str, dict[str, str]]:
    """The dependencies of a package besides its options: installed packages by version, and other files by content, also those of editable
    installs, which lie elsewhere."""
    owners = importlib.metadata.packages_distributions()
    files, installed = {}, {}
    for name in modules:
        file = pathlib.Path(getattr(sys.modules[name], "__file__", None) or "")
        if not file.is_file():
            continue
        distributions = [importlib.metadata.distribution(owner) for owner in owners.get(name.partition(".")[0], [])]
        if owning := [each for each in distributions if file.is_relative_to(each.locate_file(""))]:
            installed |= {each.metadata["Name"]: each.version for each in owning}
        elif not is_of_python(file):
            files[str(file.resolve())] = digest_of(file)
    return {"imported_files": dict(sorted(files.items())), "imported_packages": dict(sorted(installed.items()))}


def is_of_python(file: pathlib.Path) -> bool:
    """Whether the file belongs to Python itself. Its version is part of PyTorch's build."""
    folders = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    return any(file.is_relative_to(folder) for folder in folders) and not {"site-packages", "dist-packages"} & set(file.parts)


def imports_are_unchanged(facts: dict) -> bool:
    def version(name: str) -> str:
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return ""

    files = facts.get("imported_files", {})
    return (all(pathlib.Path(file).is_file() and digest_of(pathlib.Path(file)) == digest for file, digest in files.items())
            and all(version(name) == known for name, known in facts.get("imported_packages", {}).items()))
