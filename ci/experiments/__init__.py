# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The parts of ci/models: options, the plan of experiments, running one, the ledger of what is finished, and what came of them."""


class Trouble(Exception):
    """Wrong input: what is wrong, and what to write instead."""
