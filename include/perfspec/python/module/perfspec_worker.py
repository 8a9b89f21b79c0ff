#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Runs the subjects of a file of Python. perfspec's tests start it.

    python3 perfspec_worker.py models.py

PROTOCOL.md of the folder above defines requests and answers.
"""

import os
import sys

if sys.version_info < (3, 9):
    sys.exit("perfspec_worker.py: this is Python %d.%d, and perfspec takes 3.9 or newer" % sys.version_info[:2])

from perfspec import libraries
from perfspec.compiler.compile_calls import SWITCHES_OF_COMPILER, calls_of_compile
from perfspec.compiler.compiling import IMPORTING
from perfspec.faults import Refusal
from perfspec.process import Channel, die_with_parent, import_file, open_channel, send_output_to_error
from perfspec.protocol import answer_to, parsed
from perfspec.subjects import registry
from perfspec.worker import Worker


def start(channel: Channel, file: str) -> Worker:
    """Imports the user's file and answers `hello`. Raises Refusal for a file without subjects, or one that cannot be imported."""
    import_file(file)
    if not registry.names():
        raise Refusal(f"{file} has no subject: write @perfspec.subject above a function that returns the body", "load_threw")
    channel.answer({**libraries.hello(), "subjects": registry.names()})
    return Worker(registry, file, elsewhere=IMPORTING)


def serve(channel: Channel, worker: Worker) -> None:
    """Answers requests until they end."""
    for line in channel.requests:
        try:
            request = parsed(line)
        except ValueError as error:
            request = {"request": f"({error})"}
        answer = worker.answer(request)
        sys.stdout.flush()
        sys.stderr.flush()
        channel.answer(answer_to(request, answer))


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: perfspec_worker.py models.py; perfspec's tests start it", file=sys.stderr)
        return 2
    channel = open_channel(os.environ)
    for switch in SWITCHES_OF_COMPILER:
        os.environ.pop(switch, None)
    send_output_to_error()
    die_with_parent(os.environ)
    calls_of_compile.watch()
    try:
        serve(channel, start(channel, sys.argv[1]))
    except Refusal as refusal:
        channel.answer(refusal.answer("load_threw"))
    except BrokenPipeError:
        pass  # the reader has ended
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
