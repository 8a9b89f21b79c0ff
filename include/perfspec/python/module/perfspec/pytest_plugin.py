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
import re
import shlex
import subprocess
import sys
import sysconfig
import typing
import unittest
import warnings

import pytest

from . import libraries
from .claims import Claim, Query
from .compiler.compile_calls import calls_of_compile
from .faults import Refusal
from .judging import Judge, take_judge_variables
from .queries import Queries
from .verifying import as_if_no_body_ran
from .worker import Worker

__tracebackhide__ = operator.methodcaller("errisinstance", Refusal)  # pytest shows the line of the test
# Options of a run: --perf-NAME here, PERFSPEC_NAME for the judge. Flags take no value, because pytest's own arguments follow them.
FLAGS = ("update_baselines", "record_anyway")
OPTIONS = ("budget", "cap", "confirm", "false_failure", "false_pass", "margin", "drift", "rounds", "iterations", "baseline_processes", "seed", "undecided",
           "ci", "baseline_dir", "build_variant", "mode", "only", "output", "verbosity", "allow_regression", "with", "baseline_build")
NO_FAILURES = (pytest.skip.Exception, pytest.xfail.Exception, unittest.SkipTest)  # exceptions that end a test
NAMED_VALUES = (str, int, float, bool, type(None))  # types of parameters whose value is its own name
NO_TEXT = re.compile(r"None|True|False|-?(\d+(\.\d+)?(e[-+]\d+)?|inf|nan)")  # how those print that are no text: as a text they are quoted
Record = typing.Dict[str, typing.Any]
JUDGE: pytest.StashKey[Judge] = pytest.StashKey()
PERF: pytest.StashKey[Perf] = pytest.StashKey()
COLLECTED: pytest.StashKey[list[pytest.Item]] = pytest.StashKey()
NOTES: pytest.StashKey[list[str]] = pytest.StashKey()  # claims that fail no test but deserve a look: the run ends with them
TABLES: pytest.StashKey[dict[str, str]] = pytest.StashKey()  # by process: "perfspec" or an id of pytest-xdist
HEAD = "PERFSPEC_TEST_HEAD"  # root of the checkout that --perf-baseline-build compares with another; set in fresh processes of both
MODULE = os.path.dirname(__file__)
FROZEN_BY_PYTHON = 1000  # objects at most: Python 3.12 freezes 375 as it starts
XDIST_KEY = "perfspec"  # of what processes of pytest-xdist send each other
JUDGE_VARIABLES: pytest.StashKey[dict[str, str]] = pytest.StashKey()
OF_THE_RUN = ("basetemp", "xmlpath", "report_log", "htmlpath", "allure_report_dir",  # options by which pytest and its plugins replace or empty files
              "forked")  # and start the test in a process that the judge does not know
LIKE_SCRIPT = "import sys; sys.path[:1] == [''] and sys.path.pop(0); import pytest; sys.exit(pytest.console_main())"  # what `pytest` does
ADVICE = {"unverified": "perf.subject(…, unverified=True)", "fresh_input": "make it in the body", "in_setup": "in the body",
          "before_value": '="', "after_value": '"', "before_word": '="', "after_word": '"'}  # words of the judge's advice
passes = itertools.count(1)
HAS_FOLDER_IN_PATH = sys.path[:1] in ([""], [os.getcwd()])  # as in `python -m pytest`, but not in `pytest`; before tests are imported


class Failed(pytest.fail.Exception, AssertionError):
    """A claim that fails its test."""

    __module__ = "builtins"  # pytest's short summary has the name


def fail(text: str) -> typing.NoReturn:
    raise Failed(text, pytrace=False)


class PerfWarning(UserWarning):
    """A claim of `perf.warn` that does not hold."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("perfspec", "performance claims (perfspec)")
    for name in sorted(OPTIONS + FLAGS):
        kind = {"action": "store_const", "const": "1"} if name in FLAGS else {"metavar": "VALUE"}
        group.addoption("--perf-" + name.replace("_", "-"), dest="perf_" + name, default=None, help=f"sets {name} for all claims of this run", **kind)


@pytest.hookimpl(tryfirst=True)  # before others take their options
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "perf(**options): the test makes performance claims, with these options. Tests with the fixture perf have this marker")
    config.stash[JUDGE_VARIABLES] = take_judge_variables()
    if config.stash[JUDGE_VARIABLES]:
        vars(config.option).update(dict.fromkeys(OF_THE_RUN), log_file=os.devnull)
    if "torch" in sys.modules:
        calls_of_compile.wrap_compile(sys.modules["torch"])
    else:
        calls_of_compile.watch()


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    session.stash[COLLECTED] = items[:]
    pauses = session.config.pluginmanager.hasplugin("_cov") and not session.config.getoption("no_cov", False)
    for item in items:
        if "perf" in getattr(item, "fixturenames", ()):
            item.add_marker("perf")
            if pauses:
                item.add_marker("no_cover")  # by which pytest-cov pauses: times are not those of code that is traced


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """In a fresh process, selects the test that it repeats: plugins may have deselected it, by its number or by earlier runs."""
    if session.config.stash[JUDGE_VARIABLES]:
        test = session.config.invocation_params.args[-1]
        its = [each for each in session.stash.get(COLLECTED, []) if argument_of(each) == test]
        session.items[:] = its[:1] or session.items  # pytest 7 collects a test once for each argument that names it


def judge_of(config: pytest.Config) -> Judge:
    """The judge of this run, which starts with the first claim, and again after one that did not finish."""
    if (judge := config.stash.get(JUDGE, None)) is None or judge.process.stdin.closed:
        options = {f"PERFSPEC_{name.upper()}": value for name in OPTIONS + FLAGS if (value := config.getoption("perf_" + name)) is not None}
        variables = {**os.environ, **options, **config.stash[JUDGE_VARIABLES]}
        baseline = {}
        if (against := variables.get("PERFSPEC_BASELINE_BUILD")) and not config.stash[JUDGE_VARIABLES]:
            variables[HEAD], baseline = str(config.rootpath), {"baseline_build": baseline_build_of(config, against)}
        config.stash[JUDGE] = Judge({**start_of(config), **baseline}, variables, str(config.invocation_params.dir))
    return config.stash[JUDGE]


def baseline_build_of(config: pytest.Config, checkout: str) -> dict[str, str]:
    """Python and folder by which the judge starts tests in another checkout. Raises Refusal if the folder of this run does not exist there."""
    root, folder = config.rootpath.resolve(), config.invocation_params.dir.resolve()
    other = (folder / checkout).resolve()
    python, same_folder = other / ".venv/bin/python", other / os.path.relpath(folder, root)
    if root not in (folder, *folder.parents) or not same_folder.is_dir():
        raise Refusal(f"{other} has no folder that corresponds to {folder}, in which pytest was started with rootdir {root}: write "
                      f"--perf-baseline-build={checkout} with =, and start pytest in its rootdir or below")
    return {"executable": str(python) if python.exists() else sys.executable, "folder": str(same_folder)}


def require_own_modules(root: pathlib.Path) -> None:
    """Raises Refusal in the other checkout if it runs code of the first one, which would then be compared with itself."""
    head = os.environ.get(HEAD, str(root))
    python = [each + os.sep for each in (sys.prefix, sys.base_prefix, sysconfig.get_paths()["stdlib"]) if each.startswith(head + os.sep)]
    for name, module in list(sys.modules.items()) if head != str(root) else ():
        file = str(getattr(module, "__file__", None))
        if file.startswith(head + os.sep) and not file.startswith((str(root) + os.sep, MODULE, *python)) and "site-packages" not in file:
            raise Refusal(f"both checkouts run {name} of {file}, so the code would be compared with itself: make a .venv in {root}, and install its own code there")


def options_of(config: pytest.Config) -> list[str]:
    """The arguments of this run without the names of tests. An equal text behind an option is taken for the option's value: `--rootdir . .`"""
    if received := getattr(config, "workerinput", {}).get(XDIST_KEY):
        return list(received)
    arguments = [str(each) for each in config.invocation_params.args]
    for test in config.args if config.args_source is pytest.Config.ArgsSource.ARGS else ():
        if places := [place for place, each in enumerate(arguments) if each == test]:
            arguments.pop(max(places, key=lambda place: (not ["", *arguments][place].startswith("-"), place)))
    return arguments


def start_of(config: pytest.Config) -> dict[str, typing.Any]:
    """The judge's first message: the project, and the command that repeats one test: that of this run, without its other tests."""
    project, _ = project_of(config)
    build = project / ".perfspec"
    with contextlib.suppress(OSError):  # its records are for this machine alone
        build.mkdir(exist_ok=True)
        (build / ".gitignore").write_text("*\n")
    options = options_of(config)
    options += ["-n0"] if config.pluginmanager.hasplugin("xdist") else []
    options += ["--no-cov"] if config.getoption("cov_source", None) else []  # pytest-cov erases what other processes of the run recorded
    options += ["-c", from_folder(config, config.inipath)] if config.inipath else []
    flags = subprocess._args_from_interpreter_flags()  # -O, -W, -X dev
    module = ["-m", "pytest"] if HAS_FOLDER_IN_PATH else ["-c", LIKE_SCRIPT]
    return {"executable": sys.executable, "command": shlex.join([sys.executable, *flags, "-m", "pytest"]), "suite": "pytest", "words": ADVICE,
            "again": [*flags, *module, *options, "--rootdir", from_folder(config, config.rootpath)], "baselines": str(project / "baselines"), "build": str(build)}


def project_of(config: pytest.Config) -> tuple[pathlib.Path, pathlib.Path]:
    """The nearest folder with baselines, in pytest's rootdir or above it in the repository; and the way from it to rootdir. Without such a folder it is rootdir; without
    pytest.ini, too, by which each folder in which pytest is started is a rootdir, the top of the repository. Another checkout has those of the first one."""
    root = pathlib.Path(os.environ.get(HEAD, config.rootpath))
    folders = [root, *root.parents]
    folders = folders[:next((i + 1 for i, each in enumerate(folders) if (each / ".git").exists()), None)]  # of this repository
    project = next((each for name in ("baselines", ".git")[:1 if config.inipath else 2] for each in folders if (each / name).exists()), root)
    return project, root.relative_to(project)


def from_folder(config: pytest.Config, path: pathlib.Path) -> str:
    """The path relative to the folder in which pytest was started: it is the same in another checkout."""
    return os.path.relpath(path, config.invocation_params.dir)


def id_of(node: pytest.Item) -> str:
    """pytest's id, without the group that pytest-xdist appends for `--dist loadgroup`."""
    return f"{node.parent.nodeid}::{node.name}"


def argument_of(node: pytest.Item) -> str:
    """The argument of pytest for this test alone."""
    return "::".join([from_folder(node.config, node.path), *id_of(node).split("::")[1:]])


def name_and_axes(node: pytest.Item) -> tuple[str, dict[str, str]]:
    """The test without its parameters, and the parameters as axes, without those of plugins, such as the number of a repetition. For a value of another
    type than NAMED_VALUES the axis `id` has pytest's id."""
    test = f"{project_of(node.config)[1]}/{id_of(node)}".removeprefix("./")
    if (call := getattr(node, "callspec", None)) is None:
        return test, {}
    own = {name: value for name, value in call.params.items() if not name.startswith("_")}  # plugins name theirs so, and add them last
    axes = {name: repr(value) if isinstance(value, str) and NO_TEXT.fullmatch(value) else str(value)
            for name, value in own.items() if isinstance(value, NAMED_VALUES)}
    if len(axes) < len(own):
        axes["id"] = "-".join(call._idlist[:len(call._idlist) + len(own) - len(call.params)])
    return test.removesuffix(f"[{call.id}]"), axes


class Perf(Queries):
    """The performance claims of a test. Queries and claims measure nothing; `require`, `check`, `warn` and `record` do."""

    def __init__(self, node: pytest.Item) -> None:
        super().__init__(getattr(node, "funcargs", {}))
        self._node = node
        self._pass = next(passes)
        self._worker = Worker(self._registry, str(node.path))
        self._failures: list[str] = []
        self._unjudged: list[str] = []  # texts of claims that were skipped
        self._suspects: list[str] = []  # of undecided claims that look violated
        self._has_claims = self._has_judged = False

    def require(self, claim: Claim | Query, **options: typing.Any) -> Record:
        """Judges a claim, and ends the test if it fails. Options are `budget="10s"`, `margin="1%"`, `key="name"` and so on. Returns the record that
        `--perf-output` writes; an empty one in a process that repeats another claim."""
        return self._evaluate("require", claim, options)

    def check(self, claim: Claim | Query, **options: typing.Any) -> Record:
        """Like `require`, but the test goes on if the claim fails, and fails at its end."""
        return self._evaluate("check", claim, options)

    def warn(self, claim: Claim | Query, **options: typing.Any) -> Record:
        """Warns if the claim does not hold."""
        return self._evaluate("warn", claim, options)

    def measure(self, query: Query, **options: typing.Any) -> Record:
        """Measures a query without a claim."""
        return self._evaluate("measure", query, options)

    def _evaluate(self, effect: str, claim: Claim | Query, options: dict[str, typing.Any]) -> Record:
        is_claim = isinstance(claim, Claim) or getattr(claim, "word", "") == "same_output"
        if is_claim == (effect == "measure") or not isinstance(claim, (Claim, Query)):
            raise Refusal(f"perf.{effect} takes a {'query, perf.latency(f)' if effect == 'measure' else 'claim, such as perf.latency(f) < 0.003'}")
        self._has_claims = True
        judge = judge_of(self._node.config)
        self._worker.torch_settings = libraries.torch_settings()  # a test may set threads before its claims
        require_own_modules(self._node.config.rootpath)
        message = self._claim_as_json(effect, claim, options)
        with as_if_no_body_ran(self._registry.subjects.values()):
            result = judge.judge(message, self._worker)
        return self._report(effect, result)

    def _claim_as_json(self, effect: str, claim: Claim | Query, options: dict[str, typing.Any]) -> dict[str, typing.Any]:
        """The claim as the judge reads it. Raises Refusal for a baseline of a subject that has no name."""
        of_markers: dict[str, typing.Any] = {}
        for marker in reversed(list(self._node.iter_markers("perf"))):
            of_markers.update(marker.kwargs)
        options = {name: str(value) for name, value in {**of_markers, **options}.items()}
        claim_json = claim.as_json() if isinstance(claim, Claim) else {"query": claim.as_json()}
        bound = claim_json.get("bound")
        if isinstance(bound, dict) and "baseline" in bound and "key" not in options and self._nameless.intersection(claim_json["query"]["subjects"]):
            raise Refusal("the names of subjects form the key of a baseline, and a lambda has none: write perf.latency(parse=lambda: …), or key=\"name\"")
        name, axes = name_and_axes(self._node)
        path, caller = self._node.path, sys._getframe(3)
        return {"test": name, "node": argument_of(self._node), "code": str(path), "axes": axes, "unverified": self._unverified, "work": self._work,
                "pass": self._pass, "declared_at": f"{path.name}:{(self._node.location[1] or 0) + 1}", "effect": effect, "claim": str(claim),
                "file": caller.f_code.co_filename, "line": caller.f_lineno, "options": options, **claim_json}

    def _report(self, effect: str, result: dict[str, typing.Any]) -> Record:
        if result["skipped"]:  # this fresh process is for another claim, or --perf-only leaves this one out
            if result["failed"]:
                fail("the test ended here in the process that started this one")
            return {}
        self._has_judged = self._has_judged or result["is_judged"]
        text = f"{result['place']}: {result['text']}"
        head, *rest = result["text"].split("\n")
        failure = "\n".join([f"{head}  ({result['place']})", *rest])  # the short summary begins with the claim
        if result["failed"] and effect == "require":
            fail(failure)
        if result["failed"]:
            self._failures.append(failure)
        elif not result["is_judged"]:
            self._unjudged.append(text)
        elif result["skips_test"]:
            self._suspects.append(text)
        elif effect == "warn" and result["verdict"] != "holds":
            warnings.warn(PerfWarning(text), stacklevel=4)
        elif result["is_worth_a_note"]:
            self._node.config.stash.setdefault(NOTES, []).append(text)  # a warning would fail under -W error
        elif self._node.config.getoption("capture") == "no":  # -s
            print(text)
        else:
            self._node.add_report_section("call", "performance claims", text)  # what a test prints itself stays its own
        return result["record"]


@pytest.fixture
def perf(request: pytest.FixtureRequest) -> typing.Iterator[Perf]:
    """Performance claims of this test."""
    fixture = request.node.stash[PERF] = Perf(request.node)
    frozen_before = gc.get_freeze_count()
    yield fixture
    if frozen_before < FROZEN_BY_PYTHON:  # otherwise the program froze objects itself, and they stay frozen
        gc.unfreeze()  # the objects of loaded subjects


@pytest.hookimpl(trylast=True)  # after the test, if it passed
def pytest_runtest_call(item: pytest.Item) -> None:
    """Fails a test that forgot its claims. Skips one that judged nothing, or of which a claim looks violated."""
    fixture = item.stash.get(PERF, None)
    if fixture is not None and fixture._has_queries and not fixture._has_claims:
        fail("the test judges none of its queries: write perf.check(perf.latency(f) < 1)")
    if fixture is None or not fixture._unjudged + fixture._suspects:
        return
    text = "\n".join(fixture._suspects + fixture._unjudged)
    if fixture._suspects or not fixture._has_judged:
        raise pytest.skip.Exception(text, _use_item_location=True)
    item.config.stash.setdefault(NOTES, []).append(text)


@pytest.hookimpl(tryfirst=True)  # before the report is made
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Fails a test whose checks failed, also if it then ends by a skip, or they are those of a teardown. Shows them beside another error."""
    fixture = item.stash.get(PERF, None)
    if fixture is None or not fixture._failures or (call.when == "setup" and call.excinfo is None):
        return
    failures, fixture._failures = "\n".join(fixture._failures), []
    if call.excinfo is None or call.excinfo.errisinstance(NO_FAILURES):
        call.excinfo = pytest.CallInfo.from_call(lambda: fail(failures), call.when).excinfo
    else:
        item.add_report_section(call.when, "performance claims", failures)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: typing.Any) -> None:
    """Sends the options of this run to a worker of pytest-xdist, which gets only its tests otherwise."""
    node.workerinput[XDIST_KEY] = options_of(node.config)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if session.config.stash[JUDGE_VARIABLES] and exitstatus == pytest.ExitCode.USAGE_ERROR:  # this checkout does not have the test
        os._exit(judge_of(session.config).end() & 0xFF)
    if judge := session.config.stash.get(JUDGE, None):
        text = "\n".join([*session.config.stash.get(NOTES, []), judge.finish()])
        getattr(session.config, "workeroutput", session.config.stash.setdefault(TABLES, {}))[XDIST_KEY] = text


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: typing.Any) -> None:
    """Takes the table of a worker of pytest-xdist that has ended, for the process that has the terminal."""
    if text := getattr(node, "workeroutput", {}).get(XDIST_KEY):
        node.config.stash.setdefault(TABLES, {})[node.gateway.id] = text


@pytest.hookimpl(tryfirst=True)  # pytest-benchmark ends a run there by an exception
def pytest_terminal_summary(terminalreporter: typing.Any, config: pytest.Config) -> None:
    for text in filter(None, config.stash.get(TABLES, {}).values()):
        terminalreporter.section("performance claims")
        terminalreporter.write_line(text)
