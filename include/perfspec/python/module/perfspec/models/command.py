# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Compares models of suites under torch.compile with the same models in eager mode, and prints tables.

  python -m perfspec models --suite torchvision,timm --output results.jsonl
  python -m perfspec models --suite my_suite.py --models mlp --mode max-autotune --training --output results.jsonl

Each model runs in its own processes with a time limit. If it crashes, hangs or runs out of memory, this becomes
its result, and the other models still run. Results are added to the file. The newest ones of each model count.

The exit code is 42 if a model failed, else 77 if one was skipped, else 0, and 2 for wrong input.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pathlib
import secrets
import signal
import subprocess
import sys
import tempfile

from .. import suites
from ..compiler.compile_calls import SWITCHES_OF_COMPILER
from ..faults import Refusal, meant, refusal_of
from ..judging import program
from .experiment import MODULE, axes_of, suite_name

MODES = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")  # of inductor


def whole(text):
    if not (text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f'"{text}" is no whole number from 1')
    return int(text)


def names(text):
    """Names with commas between, and the whole paths of files."""
    each_once = dict.fromkeys(text.split(","))
    return [str(pathlib.Path(each).resolve()) if each.endswith(".py") else each for each in each_once]


def parsed(argv):
    parser = argparse.ArgumentParser(prog="python -m perfspec models", description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--suite", type=names, required=True, help="torchvision, timm, or files such as my_suite.py")
    add("--models", type=names, default=[], help="judge these models instead of all; each suite runs those that it has")
    add("--backend", default="inductor", help="backend of torch.compile  [inductor]")
    add("--mode", choices=MODES, default="default", help="mode of torch.compile  [default]")
    add("--dtype", choices=suites.DTYPES, default="float32", help="dtype of parameters and inputs  [float32]")
    add("--device", default="cpu", help="device of models and inputs, such as cuda  [cpu]")
    add("--training", action="store_true", help="measure training steps with SGD instead of calls")
    add("--accuracy", action="store_true", help="only compare outputs, and gradients if --training is given")
    add("--memory", action="store_true", help="also measure peak memory, in fresh processes that compile again")
    add("--claim", type=float, default=0.95, metavar="SPEEDUP", help="claim that speedup(eager, compiled) > SPEEDUP  [0.95]")
    add("--batch", type=whole, default=2, help="examples in one call  [2]")
    add("--threads", type=whole, help="threads of each process  [as PyTorch chooses]")
    add("--timeout", type=whole, default=900, help="time limit of a model in seconds, including compilation  [900]")
    add("--output", type=pathlib.Path, required=True, help="file to which results are appended as JSON lines")
    add("--resume", action="store_true", help="skip models for which the file has results with this configuration")
    return vars(parser.parse_args(argv))


def chosen(all_suites, models):
    """Pairs of suite and model. Raises Refusal for a model that no suite has."""
    if len(set(map(suite_name, all_suites))) < len(all_suites):
        raise Refusal("two suites have the same name: rename one of the files")
    try:
        modules = {each: suites.module_of(each) for each in all_suites}
        pairs = [(suite, model) for suite, module in modules.items() for model in models or module.NAMES
                 if suites.knows(module, model)]
    except BaseException as error:
        raise refusal_of(error, f"importing {', '.join(all_suites)}", "load_threw", all_suites[-1]) from None
    if unknown := [each for each in models if each not in {model for _, model in pairs}]:
        known = [each for module in modules.values() for each in module.NAMES]
        raise Refusal(f"no model of {', '.join(all_suites)} is called {unknown[0]}{meant(unknown[0], known)}; "
                      f"there are {', '.join(known)}")
    return pairs


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


def outcome_of(results):
    """`pass`, or the verdict and the reason of what failed; `skipped` if this machine lacks something."""
    for each in results:
        if each["metric"] not in ("same_output", "speedup") and each["failure"] not in ("timed_out", "unfinished"):
            continue
        if each["verdict"] == "skipped":
            return "skipped", each["reason"]
        if each["failed"] or (each["verified"] or {"code": "PASS"})["code"] != "PASS":
            return each["verdict"], each["reason"]
    return "pass", ""


def described(results, longest=300):
    """`violated: speedup 0.872 (0.861 .. 0.883)`"""
    outcome, reason = outcome_of(results)
    speedups = ["speedup {value:.3f} ({low:.3f} .. {high:.3f})".format(**each["measured"]) for each in results
                if each["metric"] == "speedup" and each["measured"]]
    line = " ".join(reason.replace("the test's process: ", "").strip().partition("\n")[0].split())[:longest]
    return ": ".join([outcome, *speedups[-1:], *filter(None, [line])])


def judge_models(settings):
    """Judges model after model, and returns the exit code."""
    settings["output"].open("ab").close()  # refuses a file that cannot be written before anything runs
    models, run_id, outcomes = chosen(settings["suite"], settings["models"]), f"run-{secrets.token_hex(4)}", set()
    for number, (suite, model) in enumerate(models, 1):
        of_model = {**settings, "suite": suite, "model": model, "output": "", "models": []}
        print(f"perfspec models: {number} of {len(models)}: {suite_name(suite)}/{model}", flush=True)
        kept = lines_of(settings["output"]) if settings["resume"] else []
        newest = {each["key"]: each for each in kept if each["kind"] == "result" and each["axes"] == axes_of(of_model)}
        if not (results := list(newest.values())):
            lines = run(of_model, run_id)
            with settings["output"].open("ab") as output:
                output.write(b"".join(json.dumps(each, ensure_ascii=False).encode() + b"\n" for each in lines))
            results = [each for each in lines if each["kind"] == "result"]
        print(f"  {described(results)}", flush=True)
        outcomes.add(outcome_of(results)[0])
    subprocess.run([program(), "report", settings["output"], "--quiet", "--suite"], check=False)
    return 42 if outcomes - {"pass", "skipped"} else 77 if "skipped" in outcomes else 0


def main(argv):
    """Returns the exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what runs is stopped, too
    try:
        return judge_models(parsed(argv))
    except (Refusal, OSError) as error:
        return print(f"perfspec models: {error}", file=sys.stderr) or 2
    except KeyboardInterrupt:
        return 130
