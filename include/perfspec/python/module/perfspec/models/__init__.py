# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""`python -m perfspec models`: its options, plan of experiments, processes, ledger of finished experiments, and outcomes."""
