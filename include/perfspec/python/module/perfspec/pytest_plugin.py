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
import platform
import sys
import typing
import warnings

import pytest

from . import libraries
from .claims import Baseline, Claim, Quantity, Query, Within
from .compiler.asking import asks
from .faults import Refusal
from .judging import CHILD, Ended, Judge
from .process import die_with_parent
from .subjects import Registry, Subject, body as body_of, takes_arguments
from .worker import Worker

__tracebackhide__ = operator.methodcaller("errisinstance", Refusal)  # pytest shows the line of the test
# Options of a run, as --perf-NAME here and PERFSPEC_NAME for the judge. The flags take no value, because pytest's own arguments follow.
FLAGS = ("update_baselines", "force")
OPTIONS = ("budget", "cap", "confirm", "false_failure", "false_pass", "margin", "drift", "rounds", "iterations", "launches", "seed", "undecided",
           "policy", "baseline_dir", "build_variant", "mode", "only", "output", "verbosity", "regression")
FACTORS = (str, int, float, bool, type(None))  # values of a parameter that name themselves
Body = typing.Union[typing.Callable[[], typing.Any], Subject]
Record = typing.Dict[str, typing.Any]
JUDGE: pytest.StashKey[Judge] = pytest.StashKey()
PERF: pytest.StashKey[Perf] = pytest.StashKey()
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
    config.stash[REQUEST] = {}
    if request := os.environ.pop(CHILD, None):  # programs that tests start are no children of that judge
        die_with_parent(os.environ)
        config.stash[REQUEST] = {CHILD: request, "PERFSPEC_PARENT": str(os.getpid())}
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
        config.stash[JUDGE] = Judge(start_of(config), {**os.environ, **options, **config.stash[REQUEST]}, str(config.invocation_params.dir))
    return config.stash[JUDGE]


def options_of(config: pytest.Config) -> list[str]:
    """The arguments of this run without the tests that it names. One of the same text behind an option is rather the option's: `--rootdir . .`"""
    given = [str(each) for each in config.invocation_params.args]
    for test in config.args:
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
    options += ["-c", str(config.inipath)] if config.inipath else []
    return {"executable": sys.executable, "again": ["-m", "pytest", *options, "--rootdir", str(root)], "suite": "pytest",
            "baselines": str(root / "baselines"), "build": str(own)}


def name_and_axes(node: pytest.Item) -> tuple[str, dict[str, str]]:
    """The test without its parameters, and these. One whose value has no name of its own has the axis `id`, with pytest's id of the test."""
    if (call := getattr(node, "callspec", None)) is None:
        return node.nodeid, {}
    axes = {name: str(value) for name, value in call.params.items() if isinstance(value, FACTORS)}
    if len(axes) < len(call.params):
        axes["id"] = call.id
    return node.nodeid[:-len(f"[{call.id}]")], axes


class Perf:
    """What a test says about performance. Queries and claims measure nothing; `require`, `check`, `warn` and `record` do.

    Subjects are callables without arguments: functions, lambdas, fixtures that return one, or what `subject` returns. `latency(parse=f)` names one.
    """

    def __init__(self, node: pytest.Item) -> None:
        self._node = node
        self._pass = next(passes)
        self._registry = Registry()
        self._worker = Worker(self._registry, str(node.path))
        self._bodies: dict[str, typing.Callable] = {}
        self._nameless: set[str] = set()
        self._unverified: list[str] = []
        self._failures: list[str] = []
        self._texts: list[str] = []  # of claims that were not judged
        self._judged = False

    def subject(self, name: str, body: typing.Callable[[], typing.Any], *, training: bool = False, state: typing.Iterable = (),
                precise: typing.Callable[[], typing.Any] | None = None, unverified: bool = False) -> Subject:
        """A body with a name, of which more is to be known.

        training  it runs with gradients; others run under torch.inference_mode
        state, precise  as those of perfspec.body
        unverified  its outputs are not compared
        Raises Refusal for what is no callable without arguments, and for a second body of this name."""
        if name in self._bodies:
            if self._bodies[name] == body:
                return self._registry.subjects[name]
            raise Refusal(f"two subjects are called {name}: name them, such as perf.speedup(before=f, after=g)")
        if not callable(body) or takes_arguments(body):
            raise Refusal(f"{name} is {'no callable' if not callable(body) else 'called with arguments'}: write `lambda: {name}(x)`")
        self._registry.add(name, lambda: body_of(body, state=state, precise=precise), training)
        self._bodies[name] = body
        if unverified:
            self._unverified.append(name)
        return self._registry.subjects[name]

    def _name(self, body: typing.Callable) -> str:
        """`eager` for the fixture or the function of that name, `test_model.py:12` for a lambda."""
        for fixture, value in getattr(self._node, "funcargs", {}).items():
            if value is body:
                return fixture
        name = getattr(body, "__name__", type(body).__name__)
        if name != "<lambda>":
            return name
        place = f"{os.path.basename(body.__code__.co_filename)}:{body.__code__.co_firstlineno}"
        names = (place if number == 1 else f"{place}#{number}" for number in itertools.count(1))
        name = next(each for each in names if self._bodies.get(each, body) is body)
        self._nameless.add(name)
        return name

    def _query(self, word: str, count: int, given: tuple, named: dict[str, typing.Any], percent: float | None = None) -> Query:
        if len(given) + len(named) != count:
            raise Refusal(f"{word} takes {count} subject{'s' if count > 1 else ''}, and {len(given) + len(named)} came")
        pairs = [*((None, each) for each in given), *named.items()]
        subjects = [each if isinstance(each, Subject) else self.subject(name or self._name(each), each) for name, each in pairs]
        return Query(word, tuple(each.name for each in subjects), percent)

    def latency(self, *x: Body, **named: Body) -> Query:
        """Wall time of a call: `perf.latency(parse) < "3ms"`. Times are seconds, or texts."""
        return self._query("latency", 1, x, named)

    def cpu_time(self, *x: Body, **named: Body) -> Query:
        """Processor time of a call, of all threads."""
        return self._query("cpu_time", 1, x, named)

    def percentile(self, of: Query, percent: float) -> Query:
        """`perf.percentile(perf.latency(f), 95)`."""
        if of.word != "latency":
            raise Refusal(f"a percentile is that of a latency, not of {of.word}: write perf.percentile(perf.latency(f), {percent:g})")
        return Query("percentile", of.subjects, percent)

    def p99(self, of: Query) -> Query:
        return self.percentile(of, 99)

    def speedup(self, *ab: Body, **named: Body) -> Query:
        """Time of the first subject divided by that of the second. Outputs are compared first."""
        return self._query("speedup", 2, ab, named)

    def same_output(self, *ab: Body, **named: Body) -> Query:
        """A claim by itself, that both return the same: `perf.require(perf.same_output(eager, compiled))`."""
        return self._query("same_output", 2, ab, named)

    def first_call(self, *x: Body, **named: Body) -> Query:
        """Time of the first call, in fresh processes, each of which runs the test up to here."""
        return self._query("first_call", 1, x, named)

    def peak_memory(self, *x: Body, **named: Body) -> Query:
        """How far a call raises the memory of the process, in fresh processes: `perf.peak_memory(f) < "2MiB"`."""
        return self._query("peak_memory", 1, x, named)

    def memory_ratio(self, *ab: Body, **named: Body) -> Query:
        """Peak memory of the first subject divided by that of the second, each in processes of its own."""
        return self._query("memory_ratio", 2, ab, named)

    def graph_breaks(self, *x: Body, **named: Body) -> Query:
        """Where torch.compile left the graph and returned to Python."""
        return self._query("graph_breaks", 1, x, named)

    def graphs(self, *x: Body, **named: Body) -> Query:
        """How many different graphs torch.compile made of it."""
        return self._query("graphs", 1, x, named)

    def compilations(self, *x: Body, **named: Body) -> Query:
        """How many functions torch.compile compiled, each again included."""
        return self._query("compilations", 1, x, named)

    def recompilations(self, *x: Body, **named: Body) -> Query:
        """How often torch.compile compiled a function again."""
        return self._query("recompilations", 1, x, named)

    def baseline(self) -> Baseline:
        """What the query had when it was recorded: `1.05 * perf.baseline()`, `perf.baseline() + "2ms"`, `perf.baseline() + "5%"`."""
        return Baseline()

    def within(self, around: typing.Any, by: Quantity) -> Within:
        """A bound with two sides: `perf.speedup(a, b) == perf.within(1.4, "5%")`; a number or a time in place of the percentage is a distance."""
        return Within(around, by)

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
        try:
            done = judge.judge(self._claim_as_json(effect, claim, options), self._worker, [("language", f"Python {platform.python_version()}"), *libraries.surroundings()])
        except Ended:
            code = judge.end()
            if self._node.config.stash[REQUEST]:
                os._exit(code & 0xFF)  # the judge of this fresh process has answered
            raise Refusal(f"the judge ended with exit code {code}") from None
        return self._take(effect, done)

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
        return {"test": name, "node": str(path) + self._node.nodeid[len(self._node.nodeid.partition("::")[0]):], "axes": axes, "unverified": self._unverified, "pass": self._pass,
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
    if frozen_before == 0:  # otherwise the program has frozen objects itself, and keeps them so
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


def pytest_terminal_summary(terminalreporter: typing.Any, config: pytest.Config) -> None:
    judge = config.stash.get(JUDGE, None)
    if judge is not None and (text := judge.finish()):
        terminalreporter.section("performance claims")
        terminalreporter.write_line(text)
