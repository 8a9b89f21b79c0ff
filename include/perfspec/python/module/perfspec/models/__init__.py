# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""`python -m perfspec models`: options, the plan of experiments, running one, the ledger of what is finished, and what came of them."""
