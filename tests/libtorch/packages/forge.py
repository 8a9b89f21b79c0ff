# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""forge.py PACKAGE FOLDER: copies of a package that claim to come from elsewhere, and one cut short."""

import json
import pathlib
import sys
import zipfile

FORGERIES = {
    "forged_threads": {"PERFSPEC_THREADS": "64"},
    "forged_cpu_flags": {"PERFSPEC_CPU_FLAGS": "0123456789abcdef"},
    "forged_torch": {"PERFSPEC_TORCH": "99.0.0"},
    "forged_device": {"PERFSPEC_DEVICE": "cuda"},
    "forged_inputs": {"PERFSPEC_INPUTS": "float32[2,8]"},
    "forged_schema": {"PERFSPEC_SCHEMA": ""},
}


def forge(package: pathlib.Path, target: pathlib.Path, changes: dict[str, str]) -> None:
    with zipfile.ZipFile(package) as source, zipfile.ZipFile(target, "w") as copy:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename.endswith("_metadata.json"):
                content = json.dumps(json.loads(content) | changes).encode()
            copy.writestr(entry, content)


def main() -> None:
    package, folder = map(pathlib.Path, sys.argv[1:])
    for name, changes in FORGERIES.items():
        forge(package, folder / f"{name}.pt2", changes)
    content = package.read_bytes()
    (folder / "truncated.pt2").write_bytes(content[: len(content) // 2])


main()
