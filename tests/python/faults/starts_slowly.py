# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A file that takes longer to import than the budget of a claim: importing belongs to the start of the worker."""
import time

import perfspec

time.sleep(2)


@perfspec.subject
def eager():
    return lambda: sum(range(100_000))
