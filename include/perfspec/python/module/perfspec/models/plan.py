# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Which experiments there are, and of what software."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import importlib.metadata
import itertools
import json
import os
import pathlib
import platform
import shutil
import sys
import typing

from .. import suites
from ..faults import Refusal, described
from ..judging import program

MODULE = pathlib.Path(__file__).resolve().parents[1]
PACKAGES = ("torch", "torchvision", "timm", "transformers", "torchbenchmark", "numpy", "triton")


class Experiment(typing.NamedTuple):
    suite: str  # as given
    model: str
    device: str
    dtype: str
    backend: str
    mode: str
    training: bool
    eval_mode: bool  # of a step of training
    batch: int
    threads: int | None
    repeat: int  # 1, 2, …

    @property
    def axes(self):
        """As results have them: by the names that PyTorch/XLA's results.jsonl is made from."""
        axes = {"suite": suite_name(self.suite), "model": self.model, "device": self.device, "dtype": self.dtype, "dynamo": self.backend,
                "mode": self.mode, "test": "train" if self.training else "eval", "batch": str(self.batch)}
        axes |= {"module_mode": "eval"} if self.eval_mode else {}
        axes |= {"threads": str(self.threads)} if self.threads else {}
        return axes | ({"repeat": str(self.repeat)} if self.repeat > 1 else {})

    @property
    def name(self):
        test = "training in eval mode" if self.eval_mode else "training" if self.training else "inference"
        return (f"{suite_name(self.suite)}/{self.model} {self.backend} {self.mode} {self.dtype} {test} {self.device} batch={self.batch}"
                f"{f' threads={self.threads}' if self.threads else ''}{f' repeat={self.repeat}' if self.repeat > 1 else ''}")

    def described(self, asked) -> str:
        """For experiment.py."""
        suite = str(pathlib.Path(self.suite).resolve()) if self.suite.endswith(".py") else self.suite
        return json.dumps({"experiment": {**self._asdict(), "suite": suite}, "claims": claims_of(asked), "speedup": asked.claim, "patience": asked.timeout})


def suite_name(suite):
    return pathlib.Path(suite).stem if suite.endswith(".py") else suite


def claims_of(asked):
    return [name for name in ("accuracy", "performance") if getattr(asked, name)]


def told_of(suite, models):
    """The names of a suite, and those of these models that it does not have."""
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what it prints is no experiment
            module = suites.found(suite)
            return {"names": list(module.NAMES), "unknown": [each for each in models if not suites.knows(module, each)]}
    except Refusal:
        raise
    except (Exception, SystemExit) as error:
        raise Refusal(f"importing {suite} threw {described(error, suite)}") from None


def models_of(asked, told):
    """The names of a suite's models that were asked for. `told` is what the suite has."""
    names = [each for each in asked.models if each not in told["unknown"]] if asked.models else told["names"]
    return [each for each in names if (not asked.filter or any(one.search(each) for one in asked.filter))
            and not any(one.search(each) for one in asked.exclude)]


def require_known(models, told):
    """Raises Refusal for a model that none of the suites has. `told` is what each has, by its name."""
    listed = [name for suite in told.values() for name in suite["names"]]
    for model in models:
        if all(model in suite["unknown"] for suite in told.values()):
            near = difflib.get_close_matches(model, listed, n=1)
            have, whose = ("have", "their lists have") if len(told) > 1 else ("has", "its list has")
            raise Refusal(f"{' and '.join(told)} {have} no model {model}{f', did you mean {near[0]}?' if near else ''}; {whose} {', '.join(dict.fromkeys(listed))}")


def points_of(asked):
    """Configurations: the last one changes fastest."""
    tests = [(False, False)] * asked.inference + [(True, asked.use_eval_mode)] * asked.training
    return itertools.product(asked.device, asked.dtype, asked.backend, asked.mode, tests)


def checksum_of(files):
    total = hashlib.sha256()
    for file in files:
        total.update(str(file).encode() + b"\0" + file.read_bytes())
    return total.hexdigest()[:16]


def version_of(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def identity_of(asked):
    """What results of one file have in common. Changed software makes other results, which are not those of this run."""
    files = [pathlib.Path(shutil.which(program()) or program()), *sorted(MODULE.rglob("*.py")), *(pathlib.Path(each).resolve() for each in asked.suite if each.endswith(".py"))]
    settings = {name: value for name, value in os.environ.items() if name.startswith(("PERFSPEC_", "TORCH", "OMP_", "MKL_")) and name not in ("PERFSPEC_OUTPUT", "PERFSPEC_RUN_ID")}
    return {"claims": claims_of(asked), "speedup": asked.claim, "timeout": asked.timeout, "host": platform.node(), "python": f"{sys.executable} {platform.python_version()}",
            **{each: version_of(each) for each in PACKAGES}, "perfspec and suites": checksum_of(files), "environment": settings}


def experiments_of(asked):
    """All experiments that are asked for, in their order. Raises Refusal where there are none."""
    names = [suite_name(each) for each in asked.suite]
    if len(set(names)) < len(names):
        raise Refusal(f"two suites are called {max(names, key=names.count)}: give one file another name")
    told = {suite: told_of(suite, asked.models) for suite in asked.suite}
    require_known(asked.models, told)
    per_suite = {suite: models_of(asked, has) for suite, has in told.items()}
    points = list(points_of(asked))
    todo = [Experiment(suite, model, *point[:-1], *point[-1], asked.batch, asked.threads, repeat) for repeat in range(1, asked.repeat + 1)
            for point in points for suite, models in per_suite.items() for model in models]
    if not todo:
        raise Refusal(f"no model of {', '.join(asked.suite)} is left by --filter and --exclude; see --list without them")
    mine = todo[asked.partition[0] - 1::asked.partition[1]]
    if not mine:
        raise Refusal(f"--partition {asked.partition[0]}/{asked.partition[1]} has none of {len(todo)} experiments: make fewer parts")
    return mine
