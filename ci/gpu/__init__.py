# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The parts of ci/device: what a machine has, the plan of steps, running them, the report, and what is carried to a machine without a network."""
