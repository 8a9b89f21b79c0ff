# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Which experiments there are, and of what software."""
import difflib
import hashlib
import itertools
import json
import os
import pathlib
import platform
import subprocess
import typing

from . import Trouble

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULE = ROOT / "include/perfspec/python/module"
SUBJECTS = MODULE / "perfspec_experiment.py"
BUILT = "build/*/ci/judge/perfspec-judge"


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

    def described(self):
        """For perfspec_experiment.py."""
        fields = {**self._asdict(), "suite": str(pathlib.Path(self.suite).resolve()) if self.suite.endswith(".py") else self.suite}
        return json.dumps(fields)


def suite_name(suite):
    return pathlib.Path(suite).stem if suite.endswith(".py") else suite


def judge_of(asked):
    """The program that judges an experiment."""
    if asked.judge:
        found = [asked.judge]
    else:
        found = sorted(ROOT.glob(BUILT), key=lambda each: each.stat().st_mtime)
    if not found or not os.access(found[-1], os.X_OK) or not found[-1].is_file():
        raise Trouble(f"there is no {found[-1] if found else BUILT}: build it by cmake --preset dev && cmake --build --preset dev --target perfspec_judge, "
                      "or name it by --judge")
    return found[-1].resolve()


def python_of(asked):
    """The Python that workers are run by; of a list of experiments, which runs none, any judge does, and none."""
    if asked.list and not asked.judge and not list(ROOT.glob(BUILT)):
        return os.environ.get("PERFSPEC_PYTHON") or "python3"
    asked.judge = judge_of(asked)
    return answer_of([asked.judge, "--interpreter"], asked.judge)


def answer_of(command, what):
    try:
        done = subprocess.run([str(each) for each in command], capture_output=True, text=True, check=False)
    except OSError as error:
        raise Trouble(f"{what} cannot be run: {error}") from None
    if done.returncode != 0:
        raise Trouble(f"{(done.stderr.strip().splitlines() or [f'{what} ended with {done.returncode}'])[-1]}")
    return done.stdout.strip()


def models_of(asked, told):
    """The names of a suite's models that were asked for.

    told  what the suite has"""
    names = [each for each in asked.models if each not in told["unknown"]] if asked.models else told["names"]
    return [each for each in names if (not asked.filter or any(one.search(each) for one in asked.filter))
            and not any(one.search(each) for one in asked.exclude)]


def require_known(models, told):
    """Raises Trouble for a model that none of the suites has.

    told  what each suite has, by its name"""
    listed = [name for suite in told.values() for name in suite["names"]]
    for model in models:
        if all(model in suite["unknown"] for suite in told.values()):
            near = difflib.get_close_matches(model, listed, n=1)
            have, whose = ("have", "their lists have") if len(told) > 1 else ("has", "its list has")
            raise Trouble(f"{' and '.join(told)} {have} no model {model}{f', did you mean {near[0]}?' if near else ''}; {whose} {', '.join(dict.fromkeys(listed))}")


def points_of(asked):
    """Configurations: the last one changes fastest."""
    tests = [(False, False)] * asked.inference + [(True, asked.use_eval_mode)] * asked.training
    return itertools.product(asked.device, asked.dtype, asked.backend, asked.mode, tests)


def checksum_of(files):
    total = hashlib.sha256()
    for file in files:
        total.update(str(file).encode() + b"\0" + file.read_bytes())
    return total.hexdigest()[:16]


def identity_of(asked, python, versions):
    """What results of one file have in common. Changed software makes other results, which are not those of this run."""
    files = [*([asked.judge] if asked.judge else []), *sorted(MODULE.rglob("*.py")), *(pathlib.Path(each).resolve() for each in asked.suite if each.endswith(".py"))]
    claims = [name for name in ("accuracy", "performance") if getattr(asked, name)]
    settings = {name: value for name, value in os.environ.items() if name.startswith(("PERFSPEC_", "TORCH", "OMP_", "MKL_")) and name != "PERFSPEC_OUTPUT"}
    return {"claims": claims, "timeout": asked.timeout, "host": platform.node(), "python": python, **versions, "perfspec and suites": checksum_of(files),
            "environment": settings}


def experiments_of(asked):
    """All experiments that are asked for, in their order, and the identity. Raises Trouble where there are none."""
    python = python_of(asked)
    names = [suite_name(each) for each in asked.suite]
    if len(set(names)) < len(names):
        raise Trouble(f"two suites are called {max(names, key=names.count)}: give one file another name")
    told = {suite: json.loads(answer_of([python, SUBJECTS, suite, *asked.models], python)) for suite in asked.suite}
    require_known(asked.models, told)
    per_suite = {suite: models_of(asked, has) for suite, has in told.items()}
    points = list(points_of(asked))
    todo = [Experiment(suite, model, *point[:-1], *point[-1], asked.batch, asked.threads, repeat) for repeat in range(1, asked.repeat + 1)
            for point in points for suite, models in per_suite.items() for model in models]
    if not todo:
        raise Trouble(f"no model of {', '.join(asked.suite)} is left by --filter and --exclude; see --list without them")
    mine = todo[asked.partition[0] - 1::asked.partition[1]]
    if not mine:
        raise Trouble(f"--partition {asked.partition[0]}/{asked.partition[1]} has none of {len(todo)} experiments: make fewer parts")
    return mine, identity_of(asked, python, told[asked.suite[0]]["versions"])
