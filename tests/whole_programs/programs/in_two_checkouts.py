# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Subjects of one checkout. In another one CMake writes TIMES = 2 into it."""
import perfspec

TIMES = 1
NUMBERS = list(range(20000))


@perfspec.subject
def changed():
    return lambda: sum(sum(NUMBERS) for _ in range(TIMES)) // TIMES


@perfspec.subject
def unchanged():
    return lambda: sum(NUMBERS)
