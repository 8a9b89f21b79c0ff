# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What a body does that makes its times worthless: nothing, work that it did before, work that it leaves to later."""
