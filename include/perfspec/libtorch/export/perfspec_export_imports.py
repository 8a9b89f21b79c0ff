# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What a user's models import: another content or version of it makes another package."""

import hashlib
import importlib.metadata
import pathlib
import sys
import sysconfig


def digest_of(file: pathlib.Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def what_was_imported(modules: set[str]) -> dict[str, dict[str, str]]:
    """What a package depends on besides its options: own files by content, installed packages by version."""
    owners = importlib.metadata.packages_distributions()
    files, installed = {}, {}
    for name in modules:
        file = getattr(sys.modules[name], "__file__", None)
        if file is None:
            continue
        if distributions := owners.get(name.partition(".")[0]):
            installed[distributions[0]] = importlib.metadata.version(distributions[0])
        elif file.startswith((sysconfig.get_path("stdlib"), sys.base_prefix)):
            continue
        elif pathlib.Path(file).is_file():
            files[str(pathlib.Path(file).resolve())] = digest_of(pathlib.Path(file))
    return {"imported_files": dict(sorted(files.items())), "imported_packages": dict(sorted(installed.items()))}


def imports_are_unchanged(facts: dict) -> bool:
    def version(name: str) -> str:
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return ""

    files = facts.get("imported_files", {})
    return (all(pathlib.Path(file).is_file() and digest_of(pathlib.Path(file)) == digest for file, digest in files.items())
            and all(version(name) == known for name, known in facts.get("imported_packages", {}).items()))
