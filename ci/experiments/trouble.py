# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Wrong input."""


class Trouble(Exception):
    """What is wrong, and what to write instead."""
