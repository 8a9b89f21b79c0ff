# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""`python -m perfspec`: `models` judges suites of models; other commands run the program that reads results and manages baselines."""

from __future__ import annotations

import os
import sys

from .faults import Refusal
from .judging import program


def main() -> None:
    if sys.argv[1:2] == ["models"]:
        from .models.command import main as models

        sys.exit(models(sys.argv[2:]))
    try:
        found = program()
        if os.path.realpath(found) == os.path.realpath(sys.argv[0]):
            raise Refusal(f"PERFSPEC_JUDGE or PATH names {found}, the script that starts the program: name the program, which is perfspec/bin/perfspec of the installed module")
        os.execv(found, ["perfspec", *sys.argv[1:]])
    except Refusal as refusal:
        sys.exit(f"perfspec: {refusal}")


if __name__ == "__main__":
    main()
