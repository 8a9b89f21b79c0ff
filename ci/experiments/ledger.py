# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The file of results of ci/models, and beside it the list of experiments that are finished."""
import fcntl
import json
import os
import secrets

from .trouble import Trouble


def difference(before, now):
    """The first entry in which two identities differ."""
    name = next(each for each in [*now, *before] if before.get(each) != now.get(each))
    return f"{name}: {json.dumps(before.get(name))} then, {json.dumps(now.get(name))} now"


class Ledger:
    """Results of finished experiments, under a lock. What an experiment left that was stopped is taken out again.

        with Ledger(path, identity, again=False) as ledger: …

    A line of FILE.experiments is written after the results, and tells where they end. The first one holds the identity.
    """

    def __init__(self, path, identity, again):
        self.path, self.list_path = path, path.with_name(path.name + ".experiments")
        self.identity, self.again = identity, again
        self.finished = {}  # by name: where its results begin and end
        self.run_id = f"run-{secrets.token_hex(4)}"  # the same in all results of a file

    def __enter__(self):
        is_new = not self.path.exists()
        self.file = open(self.path, "ab+")
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Trouble(f"another run, or what it started, still writes to {self.path}: wait for its end") from None
        self.open_list(is_new)
        return self

    def __exit__(self, *_):
        self.file.close()

    def open_list(self, is_new):
        if self.again:
            self.file.truncate(0)
            self.list_path.unlink(missing_ok=True)
        lines = self.whole_lines()
        if len(lines) == 1 and not self.size():  # nothing is finished
            self.list_path.unlink()
            lines = []
        if lines:
            self.go_on(lines, is_new)
        elif self.size():
            raise Trouble(f"{self.path} has results that are not of this command; name another --output, or --again to empty it")
        else:
            self.add_line({"identity": self.identity, "run_id": self.run_id})

    def whole_lines(self):
        """The lines of the list. One that was cut off is taken out."""
        if not self.list_path.exists():
            return []
        data = self.list_path.read_bytes()
        whole = data[:data.rfind(b"\n") + 1]
        if whole != data:
            self.list_path.write_bytes(whole)
        try:
            return [json.loads(each) for each in whole.decode().splitlines()]
        except ValueError as error:
            raise Trouble(f"{self.list_path} is damaged ({error}): --again starts over") from None

    def go_on(self, lines, is_new):
        before = lines[0].get("identity", {})
        if is_new and len(lines) > 1:
            self.path.unlink()
            raise Trouble(f"{self.path} is gone, and {self.list_path} says that experiments are finished: --again starts over")
        if before != self.identity:
            raise Trouble(f"{self.path} has results of something else ({difference(before, self.identity)}); name another --output, or --again to start over")
        self.run_id = lines[0]["run_id"]
        self.finished = {each["name"]: each for each in lines[1:]}
        end = max((each["end"] for each in lines[1:]), default=0)
        if self.size() < end:
            raise Trouble(f"{self.path} is shorter than its finished experiments: --again starts over")
        self.file.truncate(end)

    def size(self):
        return os.fstat(self.file.fileno()).st_size

    def add_line(self, fields):
        with open(self.list_path, "a", encoding="utf-8") as out:
            out.write(json.dumps(fields) + "\n")

    def add(self, name, lines):
        """Appends the results of an experiment, and then that it is finished."""
        begin = self.size()
        self.file.write(b"".join(lines))
        self.file.flush()
        os.fsync(self.file.fileno())
        self.finished[name] = {"name": name, "begin": begin, "end": self.size()}
        self.add_line(self.finished[name])

    def records_of(self, name):
        """The results of a finished experiment; starts of measurements are left out."""
        begin = self.finished[name]["begin"]
        self.file.seek(begin)
        records = [json.loads(each) for each in self.file.read(self.finished[name]["end"] - begin).splitlines()]
        return [each for each in records if each["kind"] == "result"]
