# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Starts a worker as perfspec does, and speaks the protocol with it."""

from __future__ import annotations

import importlib.util
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


class Touch:
    """Makes a folder if it is unpickled without a guard."""

    def __reduce__(self):
        return os.mkdir, ("touched",)


class Process:
    """A worker, and the test's ends of its two channels."""

    def __init__(self, command: list[str], folder: str, variables: dict[str, str]) -> None:
        from_worker, answers = os.pipe()
        requests, to_worker = os.pipe()
        variables_of_worker = {"PERFSPEC_WORKER": f"protocol=1 answers={answers} requests={requests}", "PERFSPEC_PARENT": str(os.getpid())}
        self.process = subprocess.Popen(command, cwd=folder, env=os.environ | variables_of_worker | variables, pass_fds=(answers, requests),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        os.close(answers)
        os.close(requests)
        self.asked = 0
        self.answers, self.requests = os.fdopen(from_worker, "rb"), os.fdopen(to_worker, "wb")

    def receive(self) -> tuple[str, list[tuple[str, str]]]:
        """The next answer. Fails if its frame is not that of the protocol."""
        head = self.answers.readline().split()
        if not head:
            raise EOFError("the worker ended")
        word, version, length, checksum = head
        data = self.answers.read(int(length))
        assert (word, version, self.answers.read(1)) == (b"perfspec-answer", b"3", b"\n"), head
        assert protocol.fnv1a(data).encode() == checksum, data
        answer, *fields = data.decode().split(" ")
        return answer, [(name, protocol.unescaped(value)) for name, _, value in (each.partition("=") for each in fields)]

    def send(self, line: str) -> None:
        self.requests.write(line.encode() + b"\n")
        self.requests.flush()

    def ask(self, line: str) -> tuple[str, dict[str, str]]:
        """The answer to a request, whose number it repeats; without the number."""
        self.asked += 1
        self.send(f"{line} number={self.asked}")
        word, fields = self.receive()
        assert fields[-1] == ("number", str(self.asked)), fields
        return word, dict(fields[:-1])

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

    def reason(self, text: str, request: str, kind: str | None = None) -> str:
        """Why a request is answered by `invalid`."""
        word, fields = self.served(text).ask(request)
        self.assertEqual(word, "invalid", fields)
        self.assertEqual(fields.get("kind"), kind, fields)
        return fields["reason"]

    def import_reason(self, text: str) -> str:
        word, fields = self.start(text).receive()
        self.assertEqual((word, dict(fields).get("kind")), ("invalid", "load_threw"), fields)
        return dict(fields)["reason"]


def run_tests(module: str) -> None:
    """Runs the tests of the main program. Exits with 77 without the module."""
    if importlib.util.find_spec(module) is None:
        print(f"{sys.executable} has no {module}: name a Python that has by PERFSPEC_PYTHON")
        sys.exit(77)
    unittest.main()
