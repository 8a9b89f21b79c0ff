# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Runs one model in processes of its own."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

from ..compiler.compile_calls import SWITCHES_OF_COMPILER
from ..faults import Refusal
from ..judging import program
from .experiment import MODULE


def environment_of(threads, folder, run_id):
    """With an empty compiler cache, so that compile times are those of a first compilation."""
    defaults = {"PERFSPEC_RUN_ID": run_id, "OMP_WAIT_POLICY": "passive", "TORCHINDUCTOR_COMPILE_THREADS": "1",
                "PYTHONHASHSEED": "0"}
    own = {"PERFSPEC_OUTPUT": str(folder / "results.jsonl"), "PERFSPEC_PARENT": str(os.getpid()),
           "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache"), "TRITON_CACHE_DIR": str(folder / "cache/triton")}
    own |= {"OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads)} if threads else {}
    kept = {name: value for name, value in os.environ.items() if name not in SWITCHES_OF_COMPILER}
    return {**defaults, **kept, **own}


def lines_of(path):
    """The lines of a file of results, without one that was cut off."""
    lines = []
    for line in path.read_bytes().splitlines() if path.exists() else ():
        with contextlib.suppress(ValueError):
            lines.append(json.loads(line))
    return lines


def fault_in(settings, folder, run_id):
    """Runs the model, until all processes that it started have ended. Returns kind and reason of a failure, or None."""
    with open(folder / "output.txt", "wb") as output:
        process = subprocess.Popen([sys.executable, *MODULE, json.dumps(settings)], stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                                   env=environment_of(settings["threads"], folder, run_id))
        try:
            code = process.wait(settings["timeout"])
        except subprocess.TimeoutExpired:
            return "timed_out", f"it did not end within {settings['timeout']} s, and was stopped"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    ended = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
    last = " | ".join((folder / "output.txt").read_text(errors="replace").splitlines()[-3:])
    return ("unfinished", f"its process {ended}; its last lines: {last or 'none'}") if code else None


def run(settings, run_id):
    """The lines of results. If the process failed, the measurement that started last has that fault. Raises Refusal
    without one."""
    with tempfile.TemporaryDirectory(prefix="perfspec-models-") as name:
        folder = pathlib.Path(name)
        fault, lines = fault_in(settings, folder, run_id), lines_of(folder / "results.jsonl")
        if not fault:
            return lines
        starts = [place for place, each in enumerate(lines) if each["kind"] == "started"]
        if not starts:
            raise Refusal(f"{settings['model']} measured nothing: {fault[1]}; correct it, and run again")
        begun, ended = folder / "begun.jsonl", folder / "ended.jsonl"
        begun.write_text("".join(json.dumps(each) + "\n" for each in lines[:starts[-1] + 1]))
        subprocess.run([program(), "merge", begun, "-o", ended], capture_output=True, check=False)
        if not (lines := lines_of(ended)):
            raise Refusal(f"the results of {settings['model']} cannot be written to {folder}: make room, and run again")
        return [*lines[:-1], {**lines[-1], "failure": fault[0], "reason": fault[1][:4000]}]
