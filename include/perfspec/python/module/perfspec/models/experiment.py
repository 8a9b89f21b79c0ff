# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""One experiment, in a process of its own: judges a model under torch.compile beside the same model in eager mode.

    python -m perfspec.models.experiment '{"experiment": {"suite": "timm", "model": "resnet18", …}, "claims": ["accuracy", "performance"], …}'

A violated claim is repeated in a fresh process, which runs the same. Results go where PERFSPEC_OUTPUT says, a line a claim.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys

from .. import suites
from ..claims import Claim, Query
from ..compiler.asking import asks
from ..faults import Refusal
from ..judging import Judge, taken_request
from ..process import die_with_parent
from ..subjects import registry
from ..worker import Worker
from .plan import Experiment, suite_name


def declare(it: Experiment) -> None:
    def make():
        return suites.make(it.suite, it.model, batch=it.batch, dtype=it.dtype, device=it.device, training=it.training)

    suites.declare(make, backend=it.backend, mode=it.mode, training=it.training, eval_mode=it.eval_mode)


def claims_of(asked: dict) -> list[tuple[str, Claim | Query]]:
    """What is said of the model, in this order. Counts are those of the subject that was timed, and memory is that of calls after compiling."""
    same, faster = (Query(word, ("eager", "compiled")) for word in ("same_output", "speedup"))
    counts = [("record", Query(word, ("compiled",))) for word in ("compile_time", "graphs", "graph_breaks", "recompilations")]
    memory = [("record", Query("metric", (f"memory of {name}",), {"name": "bytes", "direction": "less_is_better"})) for name in ("eager", "compiled")]
    performance = [("check", faster > asked["speedup"]), *counts, *memory]
    return [("check", same)] * ("accuracy" in asked["claims"]) + performance * ("performance" in asked["claims"])


def judge_model(asked: dict, described: str, request: dict[str, str]) -> None:
    """Where outputs differ, or the speedup cannot be judged, nothing more is asked."""
    it = Experiment(**asked["experiment"])
    declare(it)
    file = it.suite if it.suite.endswith(".py") else f"{it.suite}_models.py"
    worker = Worker(registry, file)
    start = {"executable": sys.executable, "again": ["-m", "perfspec.models.experiment"], "suite": "models", "patience": asked["patience"],
             "baselines": os.path.abspath("baselines"), "build": os.path.abspath(".perfspec")}
    same = {"test": f"{suite_name(it.suite)}/{it.model}", "node": described, "code": described, "axes": it.axes, "unverified": [], "work": {}, "pass": 1,
            "declared_at": "", "file": file, "line": 1, "options": {}}
    judge = Judge(start, {**os.environ, **request}, os.getcwd())
    for effect, claim in claims_of(asked):
        said = claim.as_json() if isinstance(claim, Claim) else {"query": claim.as_json()}
        done = judge.judge({**same, "effect": effect, "claim": str(claim), **said}, worker)
        print(done["text"], flush=True)
        enough = ("holds", "violated", "undecided") if isinstance(claim, Claim) else ("holds",)
        if effect == "check" and (done["failed"] if done["skipped"] else done["verdict"] not in enough):
            break
    judge.end()


def main(words: list[str]) -> None:
    request = taken_request()
    die_with_parent(os.environ)
    asks.watch()
    with contextlib.suppress(ModuleNotFoundError):
        importlib.import_module("torch")  # results say its version and threads
    try:
        judge_model(json.loads(words[0]), words[0], request)
    except Refusal as refusal:
        sys.exit(f"perfspec models: {refusal}")
    os._exit(0)  # what a model's libraries do as they end is no part of it


if __name__ == "__main__":
    main(sys.argv[1:])
