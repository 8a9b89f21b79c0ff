# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Steps of training: by one process, by two that share the batch, and by two that keep their gradients to themselves."""
import functools

import perfspec

perfspec.needs("torch")
import process_group  # noqa: E402


@functools.cache
def leader() -> process_group.Leader:
    return process_group.Leader()


@perfspec.subject("one process", training=True)
def one_process():
    net, data = process_group.network(), process_group.batch()
    return lambda: process_group.gradients(net, *data)


@perfspec.subject("two processes", training=True)
def two_processes():
    number = leader().make()
    return lambda: leader().step(number, exchange=True)


@perfspec.subject("two without exchange", training=True)
def two_without_exchange():
    number = leader().make()
    return lambda: leader().step(number, exchange=False)
