# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A file that forgot its decorator."""


def eager():
    return lambda: sum(range(1000))
