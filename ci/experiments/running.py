# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Runs one experiment in processes of its own, and keeps its results."""
import contextlib
import ctypes
import json
import os
import shutil
import signal
import subprocess
import time

from . import Trouble
from .plan import SUBJECTS, answer_of

GRACE = 10  # seconds: the judge itself notices an answer that does not come in time, and tells more
ENDS = (0, 42, 77)  # exit codes of a judge that came to its end
PR_SET_PDEATHSIG = 1


def die_with_parent():
    """In the child: where the system can, it ends when this process is killed, so nobody writes results that nobody reads."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def axes_of(experiment):
    return [word for name, value in experiment.axes.items() for word in ("--axis", f"{name}={value}")]


def command_of(asked, experiment):
    claims = [f"--{name}" for name in ("accuracy", "performance") if getattr(asked, name)]
    return [str(asked.judge), str(SUBJECTS), "--patience", str(asked.timeout), *axes_of(experiment), *claims]


def environment_of(experiment, folder, run_id):
    """The compiler's cache is new, so that the time of compiling is that of a first compilation."""
    added = {"PERFSPEC_TEST_EXPERIMENT": experiment.described(), "PERFSPEC_OUTPUT": str(folder / "results.jsonl"),
             "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache"), "TRITON_CACHE_DIR": str(folder / "cache/triton")}
    if experiment.threads:
        added |= {"OMP_NUM_THREADS": str(experiment.threads), "MKL_NUM_THREADS": str(experiment.threads)}
    return {"PERFSPEC_RUN_ID": run_id, **os.environ, **added}


def stop(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def exit_code_of(asked, experiment, ledger, folder):
    """The judge's exit code; None where it did not end in time."""
    with open(folder / "output.txt", "wb") as output:
        process = subprocess.Popen(command_of(asked, experiment), stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   env=environment_of(experiment, folder, ledger.run_id), start_new_session=True, preexec_fn=die_with_parent,
                                   pass_fds=[ledger.file.fileno()])  # whoever still runs holds the lock
        try:
            return process.wait(asked.timeout + GRACE)
        except subprocess.TimeoutExpired:
            return None
        finally:
            stop(process)


def fault_of(code, asked, output):
    """What is wrong with an experiment that came to no end, and its kind; nothing for one that did."""
    if code is None:
        return "timed_out", f"the experiment did not end within {asked.timeout} s, and was stopped"
    if code in ENDS:
        return None
    ended = f"was ended by signal {-code} ({signal.Signals(-code).name})" if code < 0 else f"ended with exit code {code}"
    return "unfinished", f"perfspec-judge {ended}; its last lines: {' | '.join(output.splitlines()[-3:]) or 'none'}"


def whole_lines(path):
    """All lines of results that are whole: of one that was cut off nothing is known."""
    found = []
    for line in path.read_bytes().splitlines() if path.exists() else ():
        with contextlib.suppress(ValueError):
            found.append(json.loads(line))
    return found


def line_of_fault(asked, experiment, lines, kind, reason):
    """The result of an experiment that came to no end: as the judge writes it, of the measurement that was begun, if there is one, else of the last."""
    result = json.loads(answer_of([asked.judge, "--fault", kind, reason.replace("\0", " ")[:4000], *axes_of(experiment)], asked.judge))
    ended = {(each["key"], each["claim"]) for each in lines if each["kind"] == "result"}
    starts = [each for each in lines if each["kind"] == "started"]
    still_open = [each for each in starts if (each["key"], each["claim"]) not in ended]
    return result | {**(still_open or starts or [{}])[-1], "kind": "result"}


def run(asked, experiment, ledger):
    """Runs an experiment and adds its results to the ledger. Returns its seconds. Raises Trouble where the judge cannot be run."""
    folder = ledger.path.with_name(ledger.path.name + ".running")
    shutil.rmtree(folder, ignore_errors=True)  # of a run that was killed
    folder.mkdir()
    started = time.monotonic()
    try:
        code = exit_code_of(asked, experiment, ledger, folder)
        output = (folder / "output.txt").read_text(errors="replace")
        if code == 2:
            raise Trouble(f"the judge refuses: {output.strip()}; correct it, and run again")
        kept = whole_lines(folder / "results.jsonl")
        if fault := fault_of(code, asked, output):
            kept.append(line_of_fault(asked, experiment, kept, *fault))
        ledger.add(experiment.name, [json.dumps(each, ensure_ascii=False).encode() + b"\n" for each in kept])
    except OSError as error:
        raise Trouble(f"{experiment.name} cannot be run: {error}") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return time.monotonic() - started
