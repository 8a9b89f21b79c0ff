# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Imports what nobody has installed."""
import a_module_that_nobody_has
