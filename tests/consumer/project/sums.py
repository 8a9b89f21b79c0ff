# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Subjects that need nothing but Python."""
import perfspec

NUMBERS = list(range(20000))


@perfspec.subject("all")
def all_numbers():
    return lambda: sum(NUMBERS)


@perfspec.subject
def some():
    return lambda: sum(NUMBERS[:1000])
