# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Runs one experiment in processes of its own, and stores its results."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from ..compiler.compile_calls import SWITCHES_OF_COMPILER
from ..faults import Refusal
from ..judging import program


def environment_of(experiment, folder, run_id):
    """With an empty compiler cache, so that compile times are those of a first compilation."""
    defaults = {"PERFSPEC_RUN_ID": run_id, "OMP_WAIT_POLICY": "passive", "TORCHINDUCTOR_COMPILE_THREADS": "1", "PYTHONHASHSEED": "0"}
    own = {"PERFSPEC_OUTPUT": str(folder / "results.jsonl"), "PERFSPEC_PARENT": str(os.getpid()),
           "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache"), "TRITON_CACHE_DIR": str(folder / "cache/triton")}
    if experiment.threads:
        own |= {"OMP_NUM_THREADS": str(experiment.threads), "MKL_NUM_THREADS": str(experiment.threads)}
    return {**defaults, **{name: value for name, value in os.environ.items() if name not in SWITCHES_OF_COMPILER}, **own}


def stop(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def exit_code_of(arguments, experiment, ledger, folder):
    """Runs the experiment's process. Returns its exit code, or None if it did not end in time."""
    with open(folder / "output.txt", "wb") as output:
        process = subprocess.Popen([sys.executable, "-m", "perfspec.models.experiment", experiment.as_json(arguments)], stdout=output, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, env=environment_of(experiment, folder, ledger.run_id), start_new_session=True,
                                   pass_fds=[ledger.file.fileno()])  # a process that still runs holds the lock
        try:
            return process.wait(arguments.timeout)
        except subprocess.TimeoutExpired:
            return None
        finally:
            stop(process)


def fault_of(code, timeout, output):
    """Kind and reason of a failure; None for exit code 0."""
    if code is None:
        return "timed_out", f"the experiment did not end within {timeout} s, and was stopped"
    if code == 0:
        return None
    ended = f"was ended by signal {-code} ({signal.Signals(-code).name})" if code < 0 else f"ended with exit code {code}"
    return "unfinished", f"its process {ended}; its last lines: {' | '.join(output.splitlines()[-3:]) or 'none'}"


def whole_lines(path):
    """The results of a file, without lines that were cut off."""
    results = []
    for line in path.read_bytes().splitlines() if path.exists() else ():
        with contextlib.suppress(ValueError):
            results.append(json.loads(line))
    return results


def write_lines(path, results):
    data = [json.dumps(each, ensure_ascii=False).encode() + b"\n" for each in results]
    path.write_bytes(b"".join(data))
    return data


def with_fault(experiment, folder, kind, reason):
    """The results until the measurement that started last, which gets this fault. Raises Refusal if none started."""
    lines = whole_lines(folder / "results.jsonl")
    starts = [place for place, each in enumerate(lines) if each["kind"] == "started"]
    if not starts:
        raise Refusal(f"{experiment.name} measured nothing: {reason}; correct it, and run again")
    write_lines(folder / "begun.jsonl", lines[:starts[-1] + 1])
    merged = subprocess.run([program(), "merge", folder / "begun.jsonl", "-o", folder / "ended.jsonl"], capture_output=True, text=True, check=False)
    *before, last = whole_lines(folder / "ended.jsonl") or [None]
    if last is None:
        raise Refusal(f"the results of {experiment.name} cannot be ended: {merged.stderr.strip()}; make room, and run again")
    return [*before, {**last, "failure": kind, "reason": reason[:4000]}]


def run(arguments, experiment, ledger):
    """Runs an experiment and adds its results to the ledger. Returns its seconds. Raises Refusal if it measured nothing."""
    for old in ledger.path.parent.glob(glob.escape(ledger.path.name) + ".running-*"):  # of a run that was killed
        shutil.rmtree(old, ignore_errors=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix=ledger.path.name + ".running-", dir=ledger.path.parent))
    started = time.monotonic()
    try:
        code = exit_code_of(arguments, experiment, ledger, folder)
        fault = fault_of(code, arguments.timeout, (folder / "output.txt").read_text(errors="replace"))
        results = with_fault(experiment, folder, *fault) if fault else whole_lines(folder / "results.jsonl")
        ledger.add(experiment.name, write_lines(folder / "kept.jsonl", results))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return time.monotonic() - started
