# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""forge.py PACKAGE FOLDER: copies of a package that claim to come from elsewhere, some with one bit flipped, and one cut short."""

import json
import pathlib
import struct
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


class Pipe:
    """What cannot go back to write a CRC-32 before the content: zipfile writes it behind, here with its signature or without."""

    def __init__(self, *, signatures: bool) -> None:
        self.content = bytearray()
        self.signatures = signatures

    def write(self, piece: bytes) -> int:
        if not self.signatures and len(piece) in (16, 24):
            piece = bytes(piece).removeprefix(b"PK\x07\x08")
        self.content += piece
        return len(piece)

    def flush(self) -> None:
        pass


def streamed(package: pathlib.Path, *, signatures: bool) -> bytes:
    pipe = Pipe(signatures=signatures)
    with zipfile.ZipFile(package) as source, zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as copy:
        for entry in source.infolist():
            copy.writestr(entry.filename, source.read(entry))
    return bytes(pipe.content)


# The weights of toy_models.py, as they stand in the shared library.
WEIGHTS = struct.pack("<32f", *(i / 16 - 1 for i in range(32)))


def flip(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


def damaged(package: pathlib.Path) -> dict[str, bytes]:
    """Copies of a package in which one bit is not what it was, by name."""
    content = package.read_bytes()
    with zipfile.ZipFile(package) as source:
        entries = {e.filename: e for e in source.infolist()}
        library = next(n for n in entries if n.endswith(".wrapper.so"))
        metadata = source.read(next(n for n in entries if n.endswith("_metadata.json")))
    return {
        "damaged_library": flip(content, entries[library].header_offset + entries[library].file_size // 2),
        "damaged_weights": flip(content, content.index(WEIGHTS) + 4 * 3 + 2),
        "damaged_metadata": flip(content, content.index(metadata) + metadata.index(b"PERFSPEC_THREADS") + 3),
        "damaged_table": flip(content, content.rindex(b"PK\x01\x02")),
    }


def main() -> None:
    package, folder = map(pathlib.Path, sys.argv[1:])
    for name, changes in FORGERIES.items():
        forge(package, folder / f"{name}.pt2", changes)
    piped = streamed(package, signatures=True)
    piped_ones = {
        "streamed": piped,
        "streamed_without_signatures": streamed(package, signatures=False),
        "streamed_damaged": flip(piped, len(piped) // 2),
    }
    for name, content in (damaged(package) | piped_ones).items():
        (folder / f"{name}.pt2").write_bytes(content)
    content = package.read_bytes()
    (folder / "truncated.pt2").write_bytes(content[: len(content) // 2])


main()
