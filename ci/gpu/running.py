# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Runs the steps of a plan, one after the other, until the time is over."""
import os
import re
import signal
import subprocess
from dataclasses import dataclass

from .machine import ROOT
from .plan import BUILD, Step

LOGS = BUILD / "logs"
GRACE = 10  # seconds that a step has to stop what it started, such as the processes of ci/models


@dataclass(frozen=True)
class Outcome:
    step: Step
    result: str                  # passed, failed, skipped
    why: str = ""
    seconds: float = 0.0
    output: str = ""


def made_something(step):
    return any(BUILD.glob(step.makes))


def judged(step, code, output, made):
    """The result of a step that ended with this exit code, None where it ran out of time, and why."""
    if code == 77:
        return "skipped", "nothing was judged"
    if code != 0:
        return "failed", "it ran out of time" if code is None else f"exit code {code}"
    if step.command[0] == "ctest" and "100% tests passed" in output and "Skipped" in output:
        return "skipped", "tests were skipped, or nothing was judged in them"
    if step.makes and not made(step):
        return "failed", f"it wrote no file {step.makes}"
    return "passed", ""


def why_not(step, left, by_name):
    """Why this step is not run now; empty where it is."""
    if step.skipped:
        return step.skipped
    lacking = next((name for name in step.needs if by_name[name].result != "passed"), None)
    if lacking:
        result = by_name[lacking].result
        return f'"{lacking}" was not done: it {"was " if result == "skipped" else ""}{result}'
    if left <= 0:
        return "no time is left; allow more by --minutes"
    return f"no time is left beside {step.leaves} s for what follows; allow more by --minutes" if left <= step.leaves else ""


def run_steps(steps, run, now, deadline, made=made_something, after=lambda outcomes: None):
    """Runs each step that can be run before the deadline, and calls after(outcomes) behind each.

    run(step, seconds) gives its exit code, None where it ran out of time, and its output.
    """
    outcomes = []
    for step in steps:
        left = deadline - now()
        why = why_not(step, left, {one.step.name: one for one in outcomes})
        if why:
            outcomes.append(Outcome(step, "skipped", why))
        else:
            began = now()
            code, output = run(step, min(left - step.leaves, step.seconds))
            outcomes.append(Outcome(step, *judged(step, code, output, made), now() - began, output))
        after(outcomes)
    return outcomes


def exit_code(outcomes):
    results = {one.result for one in outcomes}
    return 1 if "failed" in results else 77 if "skipped" in results else 0


def log_of(step, logs=LOGS):
    return logs / (re.sub(r"\W+", "-", step.name) + ".txt")


def stop(started):
    """Ends a command and what it started."""
    for one in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(started.pid, one)
        except ProcessLookupError:
            return
        try:
            started.wait(GRACE)
        except subprocess.TimeoutExpired:
            pass


def run(step, seconds, logs=LOGS):
    """Its output goes into a file, which is there also where this process is killed, and no child that outlives the step keeps it waiting."""
    print(f"{step.name}: {' '.join(step.command)}", flush=True)
    log = log_of(step, logs)
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as out:
        try:
            started = subprocess.Popen(step.command, cwd=ROOT, env={**os.environ, **step.environment}, stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=subprocess.STDOUT, start_new_session=True)
        except OSError as wrong:
            out.write(f"{wrong}\n".encode())
            return 127, str(wrong)
        try:
            code = started.wait(max(seconds, 0))
        except subprocess.TimeoutExpired:
            code = None
            stop(started)
        except BaseException:  # the user, or whoever ends this process
            stop(started)
            raise
    return code, log.read_text(encoding="utf-8", errors="replace")
