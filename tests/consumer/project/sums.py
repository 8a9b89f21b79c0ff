# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Subjects that need nothing but Python."""
import os

import perfspec

HEADERS = os.path.realpath(os.environ.get("CONSUMER_HEADERS", "/"))
if not os.path.realpath(perfspec.__file__).startswith(HEADERS):
    raise ImportError(f"perfspec is that of {perfspec.__file__}, and the project was compiled with the headers in {HEADERS}")

NUMBERS = list(range(20000))


@perfspec.subject("all")
def all_numbers():
    return lambda: sum(NUMBERS)


@perfspec.subject
def some():
    return lambda: sum(NUMBERS[:1000])
