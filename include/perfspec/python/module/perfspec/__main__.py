# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""`python -m perfspec`: the program that reads results and manages baselines."""

from __future__ import annotations

import os
import sys

from .faults import Refusal
from .judging import program


def main() -> None:
    try:
        os.execv(program(), ["perfspec", *sys.argv[1:]])
    except Refusal as refusal:
        sys.exit(f"perfspec: {refusal}")


if __name__ == "__main__":
    main()
