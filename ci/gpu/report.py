# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What ci/device says of a run, also of one that is not at its end."""
import os
import subprocess

from .machine import ROOT
from .plan import BASELINES, BUILD, TOOL
from .running import log_of

LINES = 60  # of an output; all of it is in its file


def short(path):
    """As it is called from the project's folder."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def about(machine):
    gpus = [f"GPU: none: {machine.no_gpu}"] if machine.no_gpu else [f"GPU: {one}" for one in machine.gpus or ("yes, and nobody tells which",)]
    return [*gpus, f"CUDA compiler: {machine.nvcc or 'none'}", f"PyTorch with CUDA: {machine.torch or 'none: ' + machine.no_torch}"]


def row(outcome):
    output = short(log_of(outcome.step)) if outcome.seconds or outcome.output else ""
    return f"| {outcome.step.name} | {outcome.result} | {outcome.seconds:.1f} | {outcome.why} | {output} |"


def about_baselines(files):
    if not files:
        return ["", "## Baselines", "", "None were recorded."]
    folder = short(BASELINES)
    return ["", "## Baselines", "", "Recorded on this machine:", "", *(f"- {short(one)}" for one in files), "",
            f"To keep them: `cp -r {folder}/. baselines/`, look at `git diff`, and commit. Until then other machines have nothing to compare with.",
            "One recording does not show how the machine drifts: append two more on other days (baselines/README.md)."]


def report(machine, outcomes, results="", to_come=(), baselines=()):
    """results: what the tool says of them. to_come: steps that were not run yet. baselines: files that were recorded."""
    lines = ["# perfspec on this device", "", "  \n".join(about(machine)), "", "| step | result | seconds | why | output |", "|-|-|-|-|-|",
             *map(row, outcomes), *(f"| {one.name} | to come | | | |" for one in to_come)]
    if results:
        lines += ["", "## Results", "", "```", results.rstrip(), "```"]
    lines += about_baselines(baselines)
    for one in outcomes:
        if one.result == "failed" or (one.output and (one.result == "skipped" or one.step.shown)):
            lines += ["", f"## {one.step.name}", "", f"The last {LINES} lines of {short(log_of(one.step))}:", "", "```",
                      "\n".join(one.output.splitlines()[-LINES:]), "```"]
    return "\n".join(lines) + "\n"


def told(files, tool=TOOL):
    """What the tool says of the results that are there, its errors and its exit code too; or why it says nothing."""
    there = [str(one) for one in files if one.exists() and one.stat().st_size]
    if not there:
        return "nothing was measured"
    if not tool.exists():
        return f"no table: the tool was not built; elsewhere:  perfspec report {' '.join(there)}"
    try:
        done = subprocess.run([str(tool), "report", *there, "--quiet", "--table"], capture_output=True, text=True, errors="replace", timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as wrong:
        return f"no table: {wrong}"
    return done.stdout + done.stderr + (f"exit code of perfspec report: {done.returncode}\n" if done.returncode else "")


def recorded(folder=BASELINES):
    return sorted(folder.glob("*/**/*.json"))


def write(text, path=BUILD / "report.txt"):
    """In one step, so that a reader finds a whole report also where this process is killed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
