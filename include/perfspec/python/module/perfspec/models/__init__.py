# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""`python -m perfspec models`: its command, the process of each model, and what that measures."""
