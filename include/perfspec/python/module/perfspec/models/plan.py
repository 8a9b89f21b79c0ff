# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The experiments of a run, and the identity of its software and settings."""

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
    suite: str  # as in --suite
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
        """The axes of the results, from which PyTorch/XLA's results.jsonl is made."""
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

    def as_json(self, arguments) -> str:
        """The argument of experiment.py."""
        suite = str(pathlib.Path(self.suite).resolve()) if self.suite.endswith(".py") else self.suite
        return json.dumps({"experiment": {**self._asdict(), "suite": suite}, "claims": claims_of(arguments), "speedup": arguments.claim, "patience": arguments.timeout})


def suite_name(suite):
    return pathlib.Path(suite).stem if suite.endswith(".py") else suite


def claims_of(arguments):
    return [name for name in ("accuracy", "performance") if getattr(arguments, name)]


class Listing(typing.NamedTuple):
    names: list[str]  # of the suite's models
    unknown: list[str]  # models of --models that the suite does not have


def listing_of(suite, models):
    try:
        with contextlib.redirect_stdout(sys.stderr):  # standard output has only perfspec's lines, as of --list
            module = suites.module_of(suite)
            return Listing(list(module.NAMES), [each for each in models if not suites.knows(module, each)])
    except Refusal:
        raise
    except (Exception, SystemExit) as error:
        raise Refusal(f"importing {suite} threw {described(error, suite)}") from None


def selected_models(arguments, listing):
    """The names of a suite's models that the arguments select."""
    names = [each for each in arguments.models if each not in listing.unknown] if arguments.models else listing.names
    return [each for each in names if (not arguments.filter or any(one.search(each) for one in arguments.filter))
            and not any(one.search(each) for one in arguments.exclude)]


def require_known(models, listings):
    """Raises Refusal for a model that none of the suites has. listings  by the suite's name"""
    names = [name for listing in listings.values() for name in listing.names]
    for model in models:
        if all(model in listing.unknown for listing in listings.values()):
            near = difflib.get_close_matches(model, names, n=1)
            have, whose = ("have", "their lists have") if len(listings) > 1 else ("has", "its list has")
            raise Refusal(f"{' and '.join(listings)} {have} no model {model}{f', did you mean {near[0]}?' if near else ''}; {whose} {', '.join(dict.fromkeys(names))}")


def configurations_of(arguments):
    """The last field changes fastest."""
    tests = [(False, False)] * arguments.inference + [(True, arguments.use_eval_mode)] * arguments.training
    return itertools.product(arguments.device, arguments.dtype, arguments.backend, arguments.mode, tests)


def checksum_of(files):
    digest = hashlib.sha256()
    for file in files:
        digest.update(str(file).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def version_of(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def identity_of(arguments):
    """What all results of one file have in common: software and settings."""
    files = [pathlib.Path(shutil.which(program()) or program()), *sorted(MODULE.rglob("*.py")), *(pathlib.Path(each).resolve() for each in arguments.suite if each.endswith(".py"))]
    settings = {name: value for name, value in os.environ.items() if name.startswith(("PERFSPEC_", "TORCH", "OMP_", "MKL_")) and name not in ("PERFSPEC_OUTPUT", "PERFSPEC_RUN_ID")}
    return {"claims": claims_of(arguments), "speedup": arguments.claim, "timeout": arguments.timeout, "host": platform.node(), "python": f"{sys.executable} {platform.python_version()}",
            **{each: version_of(each) for each in PACKAGES}, "perfspec and suites": checksum_of(files), "environment": settings}


def experiments_of(arguments):
    """All experiments of a run, in their order. Raises Refusal if there are none."""
    names = [suite_name(each) for each in arguments.suite]
    if len(set(names)) < len(names):
        raise Refusal(f"two suites are called {max(names, key=names.count)}: give one file another name")
    listings = {suite: listing_of(suite, arguments.models) for suite in arguments.suite}
    require_known(arguments.models, listings)
    models_of = {suite: selected_models(arguments, listing) for suite, listing in listings.items()}
    configurations = list(configurations_of(arguments))
    experiments = [Experiment(suite, model, *others, *test, arguments.batch, arguments.threads, repeat) for repeat in range(1, arguments.repeat + 1)
                   for *others, test in configurations for suite, models in models_of.items() for model in models]
    if not experiments:
        raise Refusal(f"no model of {', '.join(arguments.suite)} is left by --filter and --exclude; see --list without them")
    part, count = arguments.partition
    if not experiments[part - 1::count]:
        raise Refusal(f"--partition {part}/{count} has none of {len(experiments)} experiments: make fewer parts")
    return experiments[part - 1::count]
