#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Claims of tests in Python as the judge reads them, and pytest's outcomes of its verdicts."""
import datetime
import re
import unittest

from scripted_judge import MODULE, JudgedTest
from perfspec.claims import Baseline, Query, Within
from perfspec.faults import Refusal


def latency(*names):
    return Query("latency", names or ("f",))


class Claims(unittest.TestCase):
    def test_every_comparison_from_either_side(self):
        q = latency()
        for claim, sign in ((q < 1, "<"), (q <= 1, "<="), (q > 1, ">"), (q >= 1, ">="), (q == 1, "=="), (1 > q, "<"), (1 <= q, ">=")):
            self.assertEqual(claim.as_json(), {"query": {"word": "latency", "subjects": ["f"]}, "comparison": sign, "bound": 1.0})

    def test_bounds(self):
        for bound, expected, text in (
                ("3ms", "3ms", "3ms"), (datetime.timedelta(milliseconds=3), 0.003, "0:00:00.003000"),
                (1.05 * Baseline(), {"baseline": 1.05}, "1.05 * baseline()"), (Baseline() + "2ms", {"baseline": 1.0, "plus": "2ms"}, "baseline() + 2ms"),
                (Baseline() - 0.002, {"baseline": 1.0, "minus": 0.002}, "baseline() - 0.002"), (2 * (Baseline() - "5%"), {"baseline": 1.9}, "1.9 * baseline()"),
                (Baseline() + "5 %" + "200us", {"baseline": 1.05, "plus": "200us"}, "1.05 * baseline() + 200us"),
                (1.2 * latency("g"), {"factor": 1.2, "query": {"word": "latency", "subjects": ["g"]}}, "1.2 * latency(g)")):
            with self.subTest(text):
                claim = latency() < bound
                self.assertEqual((claim.as_json()["bound"], str(claim)), (expected, f"latency(f) < {text}"))

    def test_a_tolerance_is_a_percentage_or_a_distance(self):
        claim = Query("speedup", ("a", "b")) == Within(1.4, "5%")
        self.assertEqual((claim.as_json()["bound"], claim.as_json()["tolerance"], str(claim)), (1.4, "5%", "speedup(a, b) == within(1.4, 5%)"))

    def test_queries_are_written_as_in_cpp(self):
        for word, given, text in (("percentile", {"percent": 99}, "p99(latency(f))"), ("percentile", {"percent": 95}, "percentile(latency(f), 95)"),
                                  ("throughput", {"work": "items"}, "throughput(f)"), ("throughput", {"work": "bytes"}, "throughput(f, bytes)"),
                                  ("metric", {"name": "tokens/s", "direction": "more_is_better"}, 'metric("tokens/s", more_is_better, f)')):
            query = Query(word, ("f",), given)
            self.assertEqual((str(query < 1), query.as_json()), (text + " < 1", {"word": word, "subjects": ["f"], **given}))

    def test_what_is_no_claim_is_refused(self):
        for wrong in (lambda: bool(latency()), lambda: bool(latency() < 1), lambda: 1 < latency() < 2, lambda: (latency() < None).as_json(),
                      lambda: (latency() < True).as_json(), lambda: (2 * latency() < 1).as_json(), lambda: 2 * (Baseline() + "1ms"),
                      lambda: Baseline() + "1ms" + "2ms", lambda: Baseline() - "1ms" - "5%", lambda: (latency() < 1.1 * 2534.0).as_json()):
            self.assertRaises(Refusal, wrong)
        self.assertEqual((latency() < datetime.timedelta(minutes=2)).as_json()["bound"], 120.0)


class Fixture(JudgedTest):
    def test_verdicts_are_outcomes_of_pytest(self):
        tests = """
def f(): return sum(range(9))
def claim(perf, effect, key): return getattr(perf, effect)(perf.latency(f) < 1, key=key)
def test_holds(perf, capsys): assert (claim(perf, "require", "holds"), capsys.readouterr().out) == ({"key": "holds"}, "")
def test_require(perf): claim(perf, "require", "violated"); claim(perf, "check", "later")
def test_check(perf): claim(perf, "check", "violated"); claim(perf, "check", "error")
def test_warn(perf): claim(perf, "warn", "undecided")
def test_noted(perf): claim(perf, "check", "noted")
def test_undecided(perf): claim(perf, "check", "undecided")
def test_skipped(perf): claim(perf, "check", "skipped")
def test_partly_judged(perf): claim(perf, "check", "skipped"); claim(perf, "check", "holds")
def test_refused(perf): claim(perf, "check", "refused")
def test_forgotten(perf): perf.latency(f) < 1
def test_only_declared(perf): perf.subject("f", f)
@pytest.mark.xfail(strict=True, raises=AssertionError)
def test_xfail(perf): claim(perf, "check", "violated")
def test_skip(perf): pytest.skip("on purpose"); claim(perf, "check", "later")
def test_suspect(perf): claim(perf, "require", "suspect"); claim(perf, "check", "holds")
def test_both(perf): claim(perf, "check", "suspect"); claim(perf, "check", "violated")
"""
        printed = self.run_pytest(tests)
        for outcome in ("PASSED test_it.py::test_holds", "FAILED test_it.py::test_require", "FAILED test_it.py::test_check", "PASSED test_it.py::test_warn",
                        "PASSED test_it.py::test_noted", "SKIPPED [1] test_it.py:11: a.py:7: the text of skipped", "PASSED test_it.py::test_partly_judged",
                        "FAILED test_it.py::test_refused", "FAILED test_it.py::test_forgotten", "PASSED test_it.py::test_only_declared",
                        "XFAIL test_it.py::test_xfail", "SKIPPED [1] test_it.py:18: on purpose",
                        "SKIPPED [1] test_it.py:19: a.py:7: the text of suspect", "FAILED test_it.py::test_both",
                        "the text of violated  (a.py:7)\nthe text of error  (a.py:7)", "PerfWarning: a.py:7: the text of undecided", "no such claim", "performance claims",
                        "\na.py:7: the text of noted\na.py:7: the text of undecided\na.py:7: the text of skipped\nthe table"):
            self.assertIn(outcome, printed)
        self.assertNotIn("later", [each["options"]["key"] for each in self.claims()])
        self.assertNotIn("judging.py", printed)
        self.assertNotIn("hidden", printed)
        self.assertIn("the text of holds", printed)  # by -rA
        printed = self.run_pytest(tests, "-W", "error")
        for outcome in ("FAILED test_it.py::test_warn", "PASSED test_it.py::test_noted", "PASSED test_it.py::test_undecided", "PASSED test_it.py::test_partly_judged"):
            self.assertIn(outcome, printed)
        self.assertIn("the text of holds", self.run_pytest(tests, "-s", "-rN"))

    def test_a_check_that_failed_is_shown_also_if_the_test_then_raises(self):
        printed = self.run_pytest("""
def test_it(perf):
    perf.check(perf.latency(sorted=lambda: sorted([2, 1])) < 1, key="violated")
    raise ValueError("later")
""")
        self.assertIn("ValueError: later", printed)
        self.assertEqual(printed.count("the text of violated"), 1)

    def test_a_check_that_failed_fails_also_a_skip_and_a_teardown(self):
        printed = self.run_pytest("""
import unittest
def check(perf): perf.check(perf.latency(f=lambda: sum([1])) < 1, key="violated")
@pytest.fixture
def late(perf): yield; check(perf)
@pytest.fixture
def early(perf): check(perf); pytest.skip("on purpose")
def test_teardown(late): pass
def test_setup(early): pass
def test_skip(perf): check(perf); pytest.skip("on purpose")
def test_other_skip(perf): check(perf); raise unittest.SkipTest("on purpose")
def test_import(perf): check(perf); pytest.importorskip("no_such_module")
def test_xfail(perf): check(perf); pytest.xfail("on purpose")
@pytest.mark.xfail(strict=True)
def test_known(perf): check(perf); pytest.skip("on purpose")
@pytest.mark.xfail(strict=True)
def test_known_but_late(late): pass
""")
        self.assertIn("5 failed, 1 passed, 2 xfailed, 2 errors", printed)
        for outcome in ("ERROR test_it.py::test_teardown", "ERROR test_it.py::test_setup", "XFAIL test_it.py::test_known", "FAILED test_it.py::test_known_but_late"):
            self.assertIn(outcome, printed)

    def test_claims_after_one_that_an_exception_left_have_their_own_verdicts(self):
        printed = self.run_pytest("""
import signal
signal.signal(signal.SIGALRM, lambda *_: pytest.fail("too late"))
def f(): return signal.setitimer(signal.ITIMER_REAL, 0.3)
def g(): return sum(range(9))
def test_left(perf): perf.check(perf.latency(f) < 1, key="late")
def test_violated(perf): perf.check(perf.latency(g) < 1, key="violated")
def test_holds(perf): perf.check(perf.latency(g) < 1)
""")
        for outcome in ("FAILED test_it.py::test_left - Failed: too late", "FAILED test_it.py::test_violated", "PASSED test_it.py::test_holds", "the table"):
            self.assertIn(outcome, printed)

    def test_ctrl_c_in_a_body_ends_the_run(self):
        printed = self.run_pytest("""
def f(): raise KeyboardInterrupt
def test_it(perf): perf.check(perf.latency(f) < 1)
def test_later(perf): perf.check(perf.latency(f) < 1)
""")
        self.assertEqual((self.code, self.claims(), "INTERNALERROR" in printed), (2, [], False), printed)

    def test_what_a_program_froze_itself_stays_frozen(self):
        tests = """
import gc
@pytest.fixture(autouse=True)
def around():
    if before := os.environ["FROZEN"]: gc.freeze()
    yield
    assert (gc.get_freeze_count() > 1000) == bool(before)  # Python 3.12 freezes 375 as it starts
def test_it(around, perf): perf.check(perf.latency(sorted=lambda: sorted([2, 1])) < 1)
"""
        for frozen in ("", "yes"):
            self.run_pytest(tests, FROZEN=frozen)
            self.assertEqual(self.code, 0)

    def test_a_claim_leaves_states_and_random_numbers_as_they_were(self):
        printed = self.run_pytest("""
import random, perfspec
class Net:
    def __init__(self): self.steps = 0
    def state_dict(self): return self.steps
    def load_state_dict(self, steps): self.steps = steps
def step_of(net):
    def step(): net.steps += 1; return random.random()
    return step
def test_it(perf):
    net, made = Net(), []
    def make(): made.append(Net()); return perfspec.body(step_of(made[0]), state=made)
    step, loaded = perf.subject("step", step_of(net), state=[net]), perf.subject("loaded", load=make)
    random.seed(3)
    for steps in (5, 6):
        net.steps, drawn = steps, random.getstate()
        perf.check(perf.speedup(step, loaded) < 1)
        assert (net.steps, made[0].steps, random.getstate() == drawn) == (steps, 0, True)
""")
        self.assertIn("1 passed", printed)

    def test_what_is_no_subject_is_refused_with_what_to_write(self):
        reasons = {"perf.latency(sum)": "sum is called with arguments: write `lambda: sum(x)`", "perf.latency(3)": "int is no callable",
                   "perf.speedup(f)": "speedup takes 2 subjects, but got 1", "perf.check(perf.latency(f))": "perf.check takes a claim",
                   "perf.check(perf.latency(lambda: f()) < perf.baseline())": "a lambda has none: write perf.latency(parse=lambda: …)",
                   "perf.latency(f); perf.latency(f=lambda: 3)": "two subjects are called f",
                   "perf.load_time(f)": "f has nothing to load: write perf.subject(\"f\", load=make)",
                   "perf.throughput(perf.subject('f', f, items=3), of='bytes')": "f does not say how many bytes a call does",
                   "perf.subject('f', f, bytes='4MB')": "bytes is '4MB': give a number, such as bytes=4e6",
                   "perf.latency(f); perf.subject('f', f, unverified=True)": "f is a subject already, and this perf.subject says something else of it",
                   "perf.subject('f', f, items=2); perf.latency(f); perf.subject('f', f, items=3)": "f is a subject already",
                   "perf.subject('f', f, files=3)": "perf.subject does not take files=: state the work of a call by items=, bytes=, flops=", "perf.subject('f', f, load=f)": "f has load=, which returns the body",
                   "perf.check(perf.latency(lambda: perf.check(perf.latency(f) < 1)) < 1)": "", "perf.check(perf.latency(f) < 1, key='dies')": "exit code 0"}
        tests = [f"def test_{number}(perf): {statement}\n" for number, statement in enumerate(reasons)]
        printed = self.run_pytest("def f(): return sum(range(9))\n" + "".join(tests))
        for number, reason in enumerate(reasons.values()):
            self.assertIn(reason, re.search(rf"_ test_{number} _(.*?)\n____|$", printed, re.DOTALL)[0] if number < 13 else printed)
        self.assertNotIn("Traceback", printed)
        self.assertIn("a body makes a claim while it is measured", self.claims()[0]["ran"][0]["reason"])

    def test_work_is_any_number(self):
        self.run_pytest("""
class Two:
    def __float__(self): return 2.0
def f(): return 1
def test_it(perf): perf.check(perf.throughput(perf.subject("f", f, items=Two())) < 1)
""")
        self.assertEqual(self.claims()[0]["work"], {"f": {"items": 2.0}})

    def test_pytest_cov_pauses_in_tests_of_claims(self):
        conftest = """
def pytest_configure(config):
    config.addinivalue_line("markers", "no_cover: as pytest-cov has it")
    if os.environ["COV"]: config.pluginmanager.register(object(), "_cov")
    config.option.no_cov = os.environ["COV"] == "--no-cov"
"""
        tests = "".join(f"def test_{name}({name}, request): assert bool(request.node.get_closest_marker('no_cover')) == {expected}\n"
                        for name, expected in (("perf", "(os.environ['COV'] == '--cov')"), ("tmp_path", "False")))
        for cov in ("", "--cov", "--no-cov"):
            self.assertIn("2 passed", self.run_pytest(tests, "--strict-markers", conftest="import os" + conftest, COV=cov))

    def test_the_marker_selects(self):
        printed = self.run_pytest("def test_it(perf): pass\ndef test_other(): pass\n", "-m", "perf")
        self.assertIn("1 passed, 1 deselected", printed)

    def test_options_are_those_of_the_judge(self):
        from perfspec.pytest_plugin import FLAGS, OPTIONS

        table = (MODULE.parent.parent / "plan/option_table-inl.hpp").read_text()
        own = {"trace", "key", "processes"}  # of no use in Python, or written at a call
        self.assertEqual(set(OPTIONS + FLAGS) | own, set(re.findall(r'\.name = "(\w+)"', table)))


if __name__ == "__main__":
    unittest.main()
