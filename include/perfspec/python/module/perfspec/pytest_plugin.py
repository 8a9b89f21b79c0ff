# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The fixture `perf` of pytest.

    def test_compiled(perf, eager, compiled):
        perf.require(perf.speedup(eager, compiled) > 0.95)
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import operator
import os
import pathlib
import sys
import sysconfig
import typing
import warnings

import pytest

from . import libraries
from .claims import Claim, Query
from .compiler.asking import asks
from .faults import Refusal
from .judging import Judge, taken_request
from .words import Words
from .worker import Worker

__tracebackhide__ = operator.methodcaller("errisinstance", Refusal)  # pytest shows the line of the test
# Options of a run, as --perf-NAME here and PERFSPEC_NAME for the judge. The flags take no value, because pytest's own arguments follow.
FLAGS = ("update_baselines", "force")
OPTIONS = ("budget", "cap", "confirm", "false_failure", "false_pass", "margin", "drift", "rounds", "iterations", "launches", "seed", "undecided",
           "policy", "baseline_dir", "build_variant", "mode", "only", "output", "verbosity", "regression", "with", "against")
FACTORS = (str, int, float, bool, type(None))  # values of a parameter that name themselves
Record = typing.Dict[str, typing.Any]
JUDGE: pytest.StashKey[Judge] = pytest.StashKey()
PERF: pytest.StashKey[Perf] = pytest.StashKey()
TABLES: pytest.StashKey[dict[str, str]] = pytest.StashKey()  # by the process whose claims it has
HEAD = "PERFSPEC_TEST_HEAD"  # the root of the checkout that is compared with another one, in fresh processes of both
MODULE = os.path.dirname(__file__)
FROZEN_BY_PYTHON = 1000  # objects at most: Python 3.12 freezes 375 as it starts
SENT = "perfspec"  # what processes of pytest-xdist send each other
REQUEST: pytest.StashKey[dict[str, str]] = pytest.StashKey()
passes = itertools.count(1)


class PerfWarning(UserWarning):
    """A claim that fails no test, and deserves a look."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("perfspec", "performance claims (perfspec)")
    for name in sorted(OPTIONS + FLAGS):
        kind = {"action": "store_const", "const": "1"} if name in FLAGS else {"metavar": "VALUE"}
        group.addoption("--perf-" + name.replace("_", "-"), dest="perf_" + name, default=None, help=f"{name} of every claim of this run", **kind)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "perf(**options): makes performance claims; tests with the fixture perf have it. Options are those of their claims")
    config.stash[REQUEST] = taken_request()
    if "torch" in sys.modules:
        asks.note_of(sys.modules["torch"])
    else:
        asks.watch()


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "perf" in getattr(item, "fixturenames", ()):
            item.add_marker("perf")


def judge_of(config: pytest.Config) -> Judge:
    """The judge of this run; it starts with the first claim."""
    if config.stash.get(JUDGE, None) is None:
        options = {f"PERFSPEC_{name.upper()}": value for name in OPTIONS + FLAGS if (value := config.getoption("perf_" + name)) is not None}
        variables = {**os.environ, **options, **config.stash[REQUEST]}
        reference = {}
        if (against := variables.get("PERFSPEC_AGAINST")) and not config.stash[REQUEST]:
            variables[HEAD], reference = str(config.rootpath), {"reference": reference_of(config, against)}
        config.stash[JUDGE] = Judge({**start_of(config), **reference}, variables, str(config.invocation_params.dir))
    return config.stash[JUDGE]


def reference_of(config: pytest.Config, checkout: str) -> dict[str, str]:
    """How the judge starts tests in another checkout: by its Python, in the folder of this run. Raises Refusal where that has no such folder."""
    root, folder = config.rootpath.resolve(), config.invocation_params.dir.resolve()
    other = (folder / checkout).resolve()
    own, there = other / ".venv/bin/python", other / os.path.relpath(folder, root)
    if root not in (folder, *folder.parents) or not there.is_dir():
        raise Refusal(f"pytest was started in {folder}, its rootdir is {root}, and {other} has no folder that corresponds: write --perf-against={checkout}, "
                      f"with =, and start pytest in its rootdir or below")
    return {"executable": str(own) if own.exists() else sys.executable, "folder": str(there)}


def require_own_modules(root: pathlib.Path) -> None:
    """Raises Refusal in the other checkout where it runs code of the first one, which is then compared with itself."""
    head = os.environ.get(HEAD, str(root))
    python = [each + os.sep for each in (sys.prefix, sys.base_prefix, sysconfig.get_paths()["stdlib"]) if each.startswith(head + os.sep)]
    for name, module in list(sys.modules.items()) if head != str(root) else ():
        file = str(getattr(module, "__file__", None))
        if file.startswith(head + os.sep) and not file.startswith((str(root) + os.sep, MODULE, *python)) and "site-packages" not in file:
            raise Refusal(f"both checkouts run {name} of {file}: give {root} a .venv, into which its own code is installed")


def options_of(config: pytest.Config) -> list[str]:
    """The arguments of this run without the tests that it names. One of the same text behind an option is rather the option's: `--rootdir . .`"""
    if sent := getattr(config, "workerinput", {}).get(SENT):
        return list(sent)
    given = [str(each) for each in config.invocation_params.args]
    for test in config.args if config.args_source is pytest.Config.ArgsSource.ARGS else ():
        if places := [place for place, each in enumerate(given) if each == test]:
            given.pop(max(places, key=lambda place: (not ["", *given][place].startswith("-"), place)))
    return given


def start_of(config: pytest.Config) -> dict[str, typing.Any]:
    """What the judge gets first: the project, and how one test is run again: as this run, without its other tests."""
    root, own = config.rootpath, config.rootpath / ".perfspec"
    with contextlib.suppress(OSError):  # what is recorded there is for this machine alone
        own.mkdir(exist_ok=True)
        (own / ".gitignore").write_text("*\n")
    options = options_of(config)
    options += ["-n0"] if config.pluginmanager.hasplugin("xdist") else []
    options += ["-c", from_folder(config, config.inipath)] if config.inipath else []
    return {"executable": sys.executable, "again": ["-m", "pytest", *options, "--rootdir", from_folder(config, root)], "suite": "pytest",
            "baselines": str(root / "baselines"), "build": str(own)}


def from_folder(config: pytest.Config, path: pathlib.Path) -> str:
    """The path from where pytest was started: in another checkout it is the same."""
    return os.path.relpath(path, config.invocation_params.dir)


def name_and_axes(node: pytest.Item) -> tuple[str, dict[str, str]]:
    """The test without its parameters, and these. One whose value has no name of its own has the axis `id`, with pytest's id of the test."""
    if (call := getattr(node, "callspec", None)) is None:
        return node.nodeid, {}
    axes = {name: str(value) for name, value in call.params.items() if isinstance(value, FACTORS)}
    if len(axes) < len(call.params):
        axes["id"] = call.id
    return node.nodeid[:-len(f"[{call.id}]")], axes


class Perf(Words):
    """What a test says about performance. Queries and claims measure nothing; `require`, `check`, `warn` and `record` do."""

    def __init__(self, node: pytest.Item) -> None:
        super().__init__(getattr(node, "funcargs", {}))
        self._node = node
        self._pass = next(passes)
        self._worker = Worker(self._registry, str(node.path))
        self._failures: list[str] = []
        self._texts: list[str] = []  # of claims that were not judged
        self._judged = False

    def require(self, claim: Claim | Query, **options: typing.Any) -> Record:
        """Judges a claim, and ends the test where it fails. Options are `budget="10s"`, `margin="1%"`, `key="name"` and the like. Returns the record that
        `--perf-output` writes; an empty one in a process that repeats another claim."""
        return self._evaluate("require", claim, options)

    def check(self, claim: Claim | Query, **options: typing.Any) -> Record:
        """Goes on where the claim fails; the test fails in its end."""
        return self._evaluate("check", claim, options)

    def warn(self, claim: Claim | Query, **options: typing.Any) -> Record:
        """Warns where the claim does not hold."""
        return self._evaluate("warn", claim, options)

    def record(self, query: Query, **options: typing.Any) -> Record:
        """Measures a query without a claim."""
        return self._evaluate("record", query, options)

    def _evaluate(self, effect: str, claim: Claim | Query, options: dict[str, typing.Any]) -> Record:
        is_claim = isinstance(claim, Claim) or getattr(claim, "word", "") == "same_output"
        if is_claim == (effect == "record") or not isinstance(claim, (Claim, Query)):
            raise Refusal(f"perf.{effect} takes a {'query, perf.latency(f)' if effect == 'record' else 'claim, such as perf.latency(f) < 0.003'}")
        judge = judge_of(self._node.config)
        self._worker.settings = libraries.settings()  # a test may set threads before its claims
        require_own_modules(self._node.config.rootpath)
        return self._take(effect, judge.judge(self._claim_as_json(effect, claim, options), self._worker))

    def _claim_as_json(self, effect: str, claim: Claim | Query, options: dict[str, typing.Any]) -> dict[str, typing.Any]:
        """The claim as the judge reads it. Raises Refusal for a baseline of a subject that has no name."""
        marked: dict[str, typing.Any] = {}
        for mark in reversed(list(self._node.iter_markers("perf"))):
            marked.update(mark.kwargs)
        options = {name: str(value) for name, value in {**marked, **options}.items()}
        claim_json = claim.as_json() if isinstance(claim, Claim) else {"query": claim.as_json()}
        bound = claim_json.get("bound")
        if isinstance(bound, dict) and "baseline" in bound and "key" not in options and self._nameless.intersection(claim_json["query"]["subjects"]):
            raise Refusal("the names of subjects form the key of a baseline, and a lambda has none: write perf.latency(parse=lambda: …), or key=\"name\"")
        name, axes = name_and_axes(self._node)
        path, caller = self._node.path, sys._getframe(3)
        node = from_folder(self._node.config, path) + self._node.nodeid[len(self._node.nodeid.partition("::")[0]):]
        return {"test": name, "node": node, "code": str(path), "axes": axes, "unverified": self._unverified, "work": self._work, "pass": self._pass,
                "declared_at": f"{path.name}:{(self._node.location[1] or 0) + 1}", "effect": effect, "claim": str(claim),
                "file": caller.f_code.co_filename, "line": caller.f_lineno, "options": options, **claim_json}

    def _take(self, effect: str, done: dict[str, typing.Any]) -> Record:
        text = done["text"]
        if done["skipped"]:  # a fresh process is for another claim, or --perf-only leaves this one out
            if done["failed"]:
                pytest.fail("the test ended here in the process that started this one", pytrace=False)
            return {}
        self._judged = self._judged or done["is_judged"]
        if done["failed"] and effect == "require":
            pytest.fail(text, pytrace=False)
        if done["failed"]:
            self._failures.append(text)
        elif not done["is_judged"]:
            self._texts.append(text)
        elif done["is_worth_a_warning"] or (effect == "warn" and done["verdict"] != "holds"):
            warnings.warn(PerfWarning(text), stacklevel=4)
        else:
            print(text)  # pytest shows it with -s and -rP
        return done["record"]


@pytest.fixture
def perf(request: pytest.FixtureRequest) -> typing.Iterator[Perf]:
    """Performance claims of this test."""
    made = request.node.stash[PERF] = Perf(request.node)
    frozen_before = gc.get_freeze_count()
    yield made
    if frozen_before < FROZEN_BY_PYTHON:  # otherwise the program has frozen objects itself, and keeps them so
        gc.unfreeze()  # what was frozen while subjects were loaded


@pytest.hookimpl(trylast=True)  # after the test, if it passed
def pytest_runtest_call(item: pytest.Item) -> None:
    """A test whose checks failed fails in its end; one that could judge nothing is skipped."""
    made = item.stash.get(PERF, None)
    if made is None:
        return
    unjudged = "\n".join(made._texts)
    failures, made._failures = made._failures, []
    if failures:
        pytest.fail("\n".join(failures), pytrace=False)
    if unjudged and not made._judged:
        raise pytest.skip.Exception(unjudged, _use_item_location=True)
    if unjudged:
        warnings.warn(PerfWarning(unjudged), stacklevel=1)


@pytest.hookimpl(tryfirst=True)  # before the report is made
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Shows the checks that failed before something else ended the test."""
    made = item.stash.get(PERF, None)
    if made is not None and call.when == "call" and made._failures:
        item.add_report_section("call", "performance claims", "\n".join(made._failures))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: typing.Any) -> None:
    """pytest-xdist starts a worker, which gets the tests of this run without its options."""
    node.workerinput[SENT] = options_of(node.config)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if session.config.stash[REQUEST] and exitstatus == pytest.ExitCode.USAGE_ERROR:  # this checkout does not have the test
        os._exit(judge_of(session.config).end() & 0xFF)
    if (judge := session.config.stash.get(JUDGE, None)) and (text := judge.finish()):
        getattr(session.config, "workeroutput", session.config.stash.setdefault(TABLES, {}))[SENT] = text


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: typing.Any) -> None:
    """A worker of pytest-xdist has ended: its table is shown by the process that has the terminal."""
    if text := getattr(node, "workeroutput", {}).get(SENT):
        node.config.stash.setdefault(TABLES, {})[node.gateway.id] = text


def pytest_terminal_summary(terminalreporter: typing.Any, config: pytest.Config) -> None:
    for text in config.stash.get(TABLES, {}).values():
        terminalreporter.section("performance claims")
        terminalreporter.write_line(text)
