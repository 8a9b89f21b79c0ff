# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Imports a module that does not exist."""
import a_module_that_nobody_has
