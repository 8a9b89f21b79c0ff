# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Copies what perfspec is built with, besides compilers, for a machine without a network."""
import pathlib
import shutil

# By the files that CMake's packages need. Each is looked for below /usr.
PACKED = {"fmt": ("include/fmt", "lib/*/cmake/fmt", "lib/*/libfmt*"),
          "nlohmann_json": ("include/nlohmann", "share/cmake/nlohmann_json", "lib/cmake/nlohmann_json"),
          "Catch2": ("include/catch2", "lib/cmake/Catch2", "lib/libCatch2*", "share/Catch2"),
          "CLI11": ("include/CLI", "share/cmake/CLI11", "lib/cmake/CLI11", "lib/*/cmake/CLI11")}


def copy(one, target):
    """Copies a file, a link or a folder over what an earlier call left there. (shutil makes no link where one is.)"""
    if one.is_dir() and not one.is_symlink():
        target.mkdir(parents=True, exist_ok=True)
        for inside in sorted(one.iterdir()):
            copy(inside, target / inside.name)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_symlink():
        target.unlink()
    shutil.copy2(one, target, follow_symlinks=False)


def pack(folder, system=pathlib.Path("/usr")):
    """Copies what each package needs into a prefix, and returns the packages that are not here."""
    missing = []
    for package, patterns in PACKED.items():
        found = [one for pattern in patterns for one in sorted(system.glob(pattern))]
        if not any(one.is_dir() and "include" in one.parts for one in found):
            missing.append(package)
        for one in found:
            copy(one, folder / one.relative_to(system))
    return missing
