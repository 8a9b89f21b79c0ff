# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Row H of the acceptance table: what came out of the programs of tests/whole_programs, whose own runner prints its part of the table."""
import pathlib
import subprocess
import sys

RUNNER = pathlib.Path(__file__).resolve().parent.parent / "whole_programs" / "run"


class NotRun(Exception):
    """The runner could not be used; its own words."""


def row_h(build, table=None):
    """Prints the runner's table as it grows. Returns what was missed, a line each."""
    command = [sys.executable, str(RUNNER), "--build", str(build), *(["--table", str(table)] if table else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
        lines = []
        for line in running.stdout:
            lines.append(line.rstrip("\n"))
            if not line.startswith("missed: "):
                print(lines[-1], flush=True)
    missed = [line.removeprefix("missed: ") for line in lines if line.startswith("missed: ")]
    if running.returncode not in (0, 1) or bool(missed) != (running.returncode == 1):
        raise NotRun(f"{RUNNER}: exit code {running.returncode}: {' '.join(lines[-3:])}")
    return missed
