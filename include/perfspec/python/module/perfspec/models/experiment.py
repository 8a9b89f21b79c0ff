# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""One model, in a process of its own: judges it under torch.compile beside the same model in eager mode."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pathlib
import sys

from .. import suites
from ..claims import Claim, Query
from ..compiler.compile_calls import calls_of_compile
from ..compiler.compiling import IMPORTING
from ..faults import Refusal
from ..judging import Judge, take_judge_variables
from ..process import die_with_parent
from ..subjects import registry
from ..worker import Worker

MODULE = ["-m", "perfspec.models.experiment"]


def suite_name(suite):
    return pathlib.Path(suite).stem if suite.endswith(".py") else suite


def axes_of(settings):
    """The axes of the results, from which PyTorch/XLA's results.jsonl is made."""
    names = ["model", "device", "dtype", "mode", "batch", *(["threads"] if settings["threads"] else [])]
    return {**{name: str(settings[name]) for name in names}, "dynamo": settings["backend"],
            "suite": suite_name(settings["suite"]), "test": "train" if settings["training"] else "eval"}


def claims_of(settings):
    """Claims on a model, with their effects. Counts come after the speedup: they are of the subject that it times."""
    same, faster = (Query(word, ("eager", "compiled")) for word in ("same_output", "speedup"))
    if settings["accuracy"]:
        return [("check", same)]
    counts = [Query(word, ("compiled",)) for word in ("compile_time", "graphs", "graph_breaks", "recompiles")]
    memory = [Query("peak_memory", (name,)) for name in ("eager", "compiled")] if settings["memory"] else []
    return [("check", same), ("check", faster > settings["claim"]), *(("measure", each) for each in counts + memory)]


def judge_model(settings, node, judge_variables):
    """Judges claim after claim, and stops if outputs differ or the speedup cannot be judged."""
    suite, given = settings["suite"], {name: settings[name] for name in ("batch", "dtype", "device", "training")}
    suites.declare(lambda: suites.make(suite, settings["model"], **given), backend=settings["backend"],
                   mode=settings["mode"], training=settings["training"])
    file = suite if suite.endswith(".py") else f"{suite}_models.py"
    worker = Worker(registry, file, elsewhere=IMPORTING)
    start = {"executable": sys.executable, "command": " ".join([sys.executable, *MODULE]), "again": MODULE,
             "suite": "models", "patience": settings["timeout"], "baselines": os.path.abspath("baselines"),
             "build": os.path.abspath(".perfspec")}
    common = {"test": f"{suite_name(suite)}/{settings['model']}", "node": node, "code": node, "file": file, "line": 1,
              "axes": axes_of(settings), "unverified": [], "work": {}, "pass": 1, "declared_at": "", "options": {}}
    judge = Judge(start, {**os.environ, **judge_variables}, os.getcwd())
    for effect, claim in claims_of(settings):
        claim_json = claim.as_json() if isinstance(claim, Claim) else {"query": claim.as_json()}
        result = judge.judge({**common, "effect": effect, "claim": str(claim), **claim_json}, worker)
        print(result["text"], flush=True)
        sufficient = ("holds", "violated", "undecided") if isinstance(claim, Claim) else ("holds",)
        if effect == "check" and (result["failed"] if result["skipped"] else result["verdict"] not in sufficient):
            break
    judge.end()


def main(arguments):
    judge_variables = take_judge_variables()
    die_with_parent(os.environ)
    calls_of_compile.watch()
    with contextlib.suppress(ModuleNotFoundError):
        importlib.import_module("torch")  # results record its version and threads
    try:
        judge_model(json.loads(arguments[0]), arguments[0], judge_variables)
    except Refusal as refusal:
        sys.exit(f"perfspec models: {refusal}")
    os._exit(0)  # without the end of a model's libraries, which may crash


if __name__ == "__main__":
    main(sys.argv[1:])
