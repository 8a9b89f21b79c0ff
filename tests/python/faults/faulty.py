# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Subjects with one fault each. No claim on one of them may hold."""
import ctypes
import os
import sys
import time

import perfspec


@perfspec.subject
def fine():
    return lambda: sum(range(1000))


@perfspec.subject
def dies():
    return lambda: os._exit(3)


@perfspec.subject
def crashes():
    return lambda: ctypes.string_at(0)


@perfspec.subject
def hangs():
    return lambda: time.sleep(3600)


@perfspec.subject
def leaves():
    return lambda: sys.exit(0)


@perfspec.subject
def raises():
    return lambda: {}["missing"]


@perfspec.subject
def lacks_memory():
    return lambda: bytearray(1 << 62)


@perfspec.subject
def cannot_be_built():
    raise FileNotFoundError("weights.bin")


@perfspec.subject
def built_from_nothing():
    sum(range(1000))


@perfspec.subject
def forks():
    """The child returns as if it were the worker."""
    return lambda: os.fork()


@perfspec.subject
def prints():
    return lambda: print('\x1b[2J{"answer":"ran","iterations":1,"elapsed_ns":5}', flush=True)


@perfspec.subject
def answers_by_itself():
    """Writes an answer to every descriptor that it finds."""
    def body():
        for descriptor in range(3, 256):
            try:
                os.write(descriptor, b'{"answer":"ran","iterations":1,"elapsed_ns":1000,"cpu_ns":1000}\n')
            except OSError:
                pass
    return body


@perfspec.subject
def promises():
    async def work():
        return sum(range(1000))
    return lambda: work()


@perfspec.subject
def generates():
    return lambda: (n for n in range(1000))


@perfspec.subject
def computes_nothing():
    return lambda: None
