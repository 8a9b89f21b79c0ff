# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The file of results of `python -m perfspec models`, and beside it a folder with the results of each experiment that is finished."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import urllib.parse

from ..faults import Refusal


def difference(before, now):
    """The first entry in which two different identities differ."""
    name = next(each for each in [*now, *before] if before.get(each) != now.get(each))
    return f"{name}: {json.dumps(before.get(name))} then, {json.dumps(now.get(name))} now"


def write_atomically(path, data):
    new = path.with_name(path.name + ".new")
    with open(new, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


class Ledger:
    """Results of finished experiments, under a lock. The file of results is written anew from them, without those of experiments that were stopped.

        with Ledger(path, identity, again=False) as ledger: …
    """

    def __init__(self, path, identity, again):
        self.path, self.folder = path, path.with_name(path.name + ".experiments")
        self.identity, self.again = identity, again

    def __enter__(self):
        if self.path.exists() and not self.folder.is_dir() and not self.again:
            raise Refusal(f"{self.path} has results that are not of this command; name another --output, or --again to empty it")
        self.folder.mkdir(exist_ok=True)
        self.file = open(self.folder / "lock", "wb")
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Refusal(f"another run, or what it started, still writes to {self.path}: wait for its end") from None
        if self.again:
            for each in self.parts():
                each.unlink()
        self.resume(self.folder / "identity.json")
        self.path.write_bytes(b"".join(each.read_bytes() for each in self.parts()))
        return self

    def __exit__(self, *_):
        self.file.close()

    def resume(self, file):
        before = json.loads(file.read_bytes()) if file.exists() and self.parts() else {"identity": self.identity, "run_id": f"run-{secrets.token_hex(4)}"}
        if before["identity"] != self.identity:
            raise Refusal(f"{self.path} has results of something else ({difference(before['identity'], self.identity)}); "
                          "name another --output, or --again to start over")
        self.run_id = before["run_id"]  # the same in all results of a file
        write_atomically(file, json.dumps(before).encode())

    def parts(self):
        return sorted(self.folder.glob("*.jsonl"), key=lambda each: each.stat().st_mtime_ns)

    def part_of(self, name):
        return self.folder / f"{urllib.parse.quote(name, safe=' =')}.jsonl"

    def is_finished(self, name):
        return self.part_of(name).exists()

    def add(self, name, lines):
        """Adds the results of an experiment, and marks it as finished."""
        write_atomically(self.part_of(name), b"".join(lines))
        with open(self.path, "ab") as file:
            file.write(b"".join(lines))

    def records_of(self, name):
        """The results of a finished experiment, without the starts of its measurements."""
        records = [json.loads(each) for each in self.part_of(name).read_bytes().splitlines()]
        return [each for each in records if each["kind"] == "result"]
