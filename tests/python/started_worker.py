# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Starts a worker as perfspec does, and speaks the protocol with it."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

MODULE = pathlib.Path(__file__).resolve().parents[2] / "include/perfspec/python/module"
WORKER = MODULE / "perfspec_worker.py"
sys.path.insert(0, str(MODULE))

from perfspec import protocol  # noqa: E402


def to(request: str, **fields: object) -> dict[str, object]:
    return {"request": request, **fields}


class Touch:
    """Makes a folder if it is unpickled without a guard."""

    def __reduce__(self):
        return os.mkdir, ("touched",)


class Process:
    """A worker, and the test's ends of its two channels."""

    def __init__(self, command: list[str], folder: str, variables: dict[str, str]) -> None:
        from_worker, answers = os.pipe()
        requests, to_worker = os.pipe()
        variables_of_worker = {"PERFSPEC_WORKER": json.dumps({"protocol": protocol.VERSION, "answers": answers, "requests": requests}), "PERFSPEC_PARENT": str(os.getpid())}
        self.process = subprocess.Popen(command, cwd=folder, env=os.environ | variables_of_worker | variables, pass_fds=(answers, requests),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        os.close(answers)
        os.close(requests)
        self.asked = 0
        self.answers, self.requests = os.fdopen(from_worker, "rb"), os.fdopen(to_worker, "wb")

    def receive(self) -> tuple[str, dict[str, object]]:
        """The word and the other fields of the next answer."""
        line = self.answers.readline()
        if not line:
            raise EOFError("the worker ended")
        fields = json.loads(line)
        return fields.pop("answer"), fields

    def send(self, request: dict[str, object] | str) -> None:
        self.requests.write((request if isinstance(request, str) else json.dumps(request)).encode() + b"\n")
        self.requests.flush()

    def ask(self, request: dict[str, object]) -> tuple[str, dict[str, object]]:
        """The answer to a request, whose number it repeats; without the number."""
        self.asked += 1
        self.send({**request, "number": self.asked})
        word, fields = self.receive()
        assert fields.pop("number") == self.asked, fields
        return word, fields

    def end(self) -> tuple[int, str, str]:
        """Ends the requests. The exit status, and what it printed."""
        self.requests.close()
        printed = self.process.communicate(timeout=60)
        self.answers.close()
        return self.process.returncode, *printed


class WorkerTest(unittest.TestCase):
    """Writes a file of subjects and starts a worker on it."""

    python = sys.executable
    variables: dict[str, str] = {}

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, text: str, name: str = "models.py") -> str:
        file = os.path.join(self.folder, name)
        pathlib.Path(file).write_text(text)
        return file

    def start_command(self, command: list[str]) -> Process:
        process = Process(command, self.folder, self.variables)
        self.addCleanup(self.stop, process)
        return process

    def start(self, text: str, name: str = "models.py") -> Process:
        return self.start_command([self.python, str(WORKER), self.write("import perfspec\n" + text, name)])

    def stop(self, process: Process) -> None:
        if process.process.poll() is None:
            process.end()
        for each in (process.process.stdout, process.process.stderr, process.answers, process.requests):
            each.close()

    def served(self, text: str) -> Process:
        """A worker that said hello."""
        process = self.start(text)
        word, fields = process.receive()
        self.assertEqual(word, "hello", fields)
        return process

    def reason(self, text: str, request: dict[str, object], kind: str | None = None) -> str:
        """Why a request is answered by `error`."""
        word, fields = self.served(text).ask(request)
        self.assertEqual(word, "error", fields)
        self.assertEqual(fields.get("kind"), kind, fields)
        return fields["reason"]

    def import_reason(self, text: str) -> str:
        word, fields = self.start(text).receive()
        self.assertEqual((word, fields.get("kind")), ("error", "load_threw"), fields)
        return fields["reason"]


def run_tests(module: str) -> None:
    """Runs the tests of the main program. Exits with 77 without the module."""
    if importlib.util.find_spec(module) is None:
        print(f"{sys.executable} has no {module}: name a Python that has by PERFSPEC_PYTHON")
        sys.exit(77)
    unittest.main()
