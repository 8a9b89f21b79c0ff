# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""One experiment, in a process of its own: judges a model under torch.compile beside the same model in eager mode.

    python -m perfspec.models.experiment '{"experiment": {"suite": "timm", "model": "resnet18", …}, "claims": ["accuracy", "performance"], …}'

A fresh process repeats a violated claim, with the same command. PERFSPEC_OUTPUT names the file of results, one line per claim.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
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
from .plan import Experiment, suite_name


def declare(experiment: Experiment) -> None:
    def make():
        return suites.make(experiment.suite, experiment.model, batch=experiment.batch, dtype=experiment.dtype, device=experiment.device, training=experiment.training)

    suites.declare(make, backend=experiment.backend, mode=experiment.mode, training=experiment.training, eval_mode=experiment.eval_mode)


def claims_of(settings: dict) -> list[tuple[str, Claim | Query]]:
    """The claims on a model, with their effects, in order: counts come after the speedup, since they belong to the subject that it times."""
    same, faster = (Query(word, ("eager", "compiled")) for word in ("same_output", "speedup"))
    counts = [("record", Query(word, ("compiled",))) for word in ("compile_time", "graphs", "graph_breaks", "recompilations")]
    memory = [("record", Query("metric", (f"memory of {name}",), {"name": "bytes", "direction": "less_is_better"})) for name in ("eager", "compiled")]
    performance = [("check", faster > settings["speedup"]), *counts, *memory]
    return [("check", same)] * ("accuracy" in settings["claims"]) + performance * ("performance" in settings["claims"])


def judge_model(settings: dict, node: str, judge_variables: dict[str, str]) -> None:
    """Judges claim after claim, and stops if outputs differ or the speedup cannot be judged."""
    experiment = Experiment(**settings["experiment"])
    declare(experiment)
    file = experiment.suite if experiment.suite.endswith(".py") else f"{experiment.suite}_models.py"
    worker = Worker(registry, file, elsewhere=IMPORTING)
    start = {"executable": sys.executable, "command": f"{sys.executable} -m perfspec.models.experiment", "again": ["-m", "perfspec.models.experiment"], "suite": "models", "patience": settings["patience"],
             "baselines": os.path.abspath("baselines"), "build": os.path.abspath(".perfspec")}
    common = {"test": f"{suite_name(experiment.suite)}/{experiment.model}", "node": node, "code": node, "axes": experiment.axes, "unverified": [], "work": {}, "pass": 1,
              "declared_at": "", "file": file, "line": 1, "options": {}}
    judge = Judge(start, {**os.environ, **judge_variables}, os.getcwd())
    for effect, claim in claims_of(settings):
        claim_json = claim.as_json() if isinstance(claim, Claim) else {"query": claim.as_json()}
        result = judge.judge({**common, "effect": effect, "claim": str(claim), **claim_json}, worker)
        print(result["text"], flush=True)
        sufficient = ("holds", "violated", "undecided") if isinstance(claim, Claim) else ("holds",)
        if effect == "check" and (result["failed"] if result["skipped"] else result["verdict"] not in sufficient):
            break
    judge.end()


def main(arguments: list[str]) -> None:
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
