# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The judge: the program `perfspec judge`, which asks this process for samples and judges claims."""

from __future__ import annotations

import contextlib
import operator
import os
import pathlib
import selectors
import shutil
import signal
import subprocess

from . import libraries
from .faults import Refusal
from .process import Channel, die_with_parent
from .protocol import Message, answer_to, line_of, parsed
from .worker import Worker

__tracebackhide__ = operator.methodcaller("errisinstance", Refusal)  # pytest shows the line of the test
# Set in a process that another judge started to repeat one claim. It names the descriptors of answers and of requests, which the judge here inherits.
CHILD = "PERFSPEC_CHILD"


class Ended(Exception):
    """The judge has ended: in a fresh process, because it has sent its answer."""


def program() -> str:
    """The program `perfspec` of this installation, or that of PATH. Raises Refusal if there is none."""
    beside = pathlib.Path(__file__).resolve().parent / "bin" / "perfspec"
    found = os.environ.get("PERFSPEC_JUDGE") or (str(beside) if beside.is_file() else shutil.which("perfspec"))
    if not found:
        raise Refusal("the program perfspec, which judges claims, was not found: pip install perfspec, or set PERFSPEC_JUDGE=/path/to/perfspec")
    return found


def take_judge_variables() -> dict[str, str]:
    """The variables for the judge of a process that another judge started to repeat one claim; empty in other processes. They leave the environment,
    because programs that this process starts do not answer that judge."""
    descriptors = os.environ.pop(CHILD, None)
    if descriptors is None:
        return {}
    die_with_parent(os.environ)
    return {CHILD: descriptors, "PERFSPEC_PARENT": str(os.getpid())}


class Lines:
    """Whole lines of a descriptor, as they come."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor, self.bytes = descriptor, b""

    def read(self) -> list[bytes]:
        """The lines that are complete after one more read. Raises Ended at the end of the file."""
        data = os.read(self.descriptor, 1 << 16)
        if not data:
            raise Ended
        *lines, self.bytes = (self.bytes + data).split(b"\n")
        return lines


class Judge:
    """A running judge, for all claims of a run of tests, one at a time.

    start      its first message (ci/tool/judge/judge.cpp)
    variables  its environment
    folder     its working directory, and that of fresh processes"""

    def __init__(self, start: Message, variables: dict[str, str], folder: str) -> None:
        requests, their_requests = os.pipe()
        their_answers, answers = os.pipe()
        inherited = [number for name, number in parsed(variables.get(CHILD, "{}").encode()).items() if name in ("answers", "requests")]
        self.process = subprocess.Popen([program(), "judge", "--answers", str(their_answers), "--requests", str(their_requests)], cwd=folder, env=variables,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=(their_answers, their_requests, *inherited))
        os.close(their_answers)
        os.close(their_requests)
        self.channel = Channel(answers, os.fdopen(requests, "rb", buffering=0))
        self.verdicts, self.requests = Lines(self.process.stdout.fileno()), Lines(requests)
        self.hello: Message = {}
        self.is_fresh = CHILD in variables
        self.is_busy = False
        self.require("start", start)

    def judge(self, claim: Message, worker: Worker) -> Message:
        """The verdict of a claim on subjects of this worker. Raises Refusal for an invalid claim. Ends a fresh process whose judge has answered."""
        self.hello = libraries.hello()
        return self.require("claim", claim, worker)

    def require(self, word: str, message: Message, worker: Worker | None = None) -> Message:
        try:
            return self.ask(word, message, worker)
        except Ended:
            code = self.end()
            if self.is_fresh:
                os._exit(code & 0xFF)
            raise Refusal(f"the judge ended with exit code {code}") from None

    def ask(self, word: str, message: Message, worker: Worker | None = None) -> Message:
        """Sends a line, answers requests for samples, and returns the judge's result."""
        if self.is_busy:
            raise Refusal("a body makes a claim while it is measured: make claims in the test itself, one after the other")
        if self.process.stdin.closed:
            raise Ended
        self.is_busy = True
        try:
            self.process.stdin.write(line_of({"request": word, **message}))
            self.process.stdin.flush()
            return self.result(worker)
        except BrokenPipeError:
            raise Ended from None
        except (Refusal, Ended):
            raise
        except BaseException:  # as of a signal's handler: the next claim would get the verdict of this one
            self.process.kill()
            self.end()
            raise
        finally:
            self.is_busy = False

    def result(self, worker: Worker | None) -> Message:
        """Raises Refusal for a claim that the judge could not read."""
        with selectors.DefaultSelector() as ready:
            for each in (self.verdicts, self.requests):
                ready.register(each.descriptor, selectors.EVENT_READ, each)
            while True:
                for key, _ in ready.select():
                    for line in key.data.read():
                        if key.data is self.requests:
                            self.answer(line, worker)
                            continue
                        result = parsed(line)
                        if result["answer"] == "refused":
                            raise Refusal(result["reason"])
                        return result

    def answer(self, line: bytes, worker: Worker | None) -> None:
        request = parsed(line)
        self.channel.answer(answer_to(request, self.hello if request.get("request") == "hello" else worker.answer(request)))

    def finish(self) -> str:
        """The table of all claims; empty if this judge has ended."""
        try:
            return self.ask("finish", {}).get("text", "")
        except Ended:
            return ""

    def end(self) -> int:
        """Waits for the judge's end, and returns its exit code. Raises KeyboardInterrupt if Ctrl-C ended it."""
        with contextlib.suppress(BrokenPipeError):  # it may have ended already
            self.process.stdin.close()
        if (code := self.process.wait()) == -signal.SIGINT:
            raise KeyboardInterrupt
        return code
