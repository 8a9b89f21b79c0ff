#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What the judge learns of a run of pytest, and fresh processes that repeat its tests."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

from scripted_judge import MODULE, JudgedTest
from perfspec.faults import Refusal


class Runs(JudgedTest):
    def test_the_judge_learns_where_a_claim_is_and_runs_its_subjects(self):
        self.run_pytest("""
@pytest.fixture
def eager(): return lambda: sum(range(99))
def by_name(): return sum(range(9))
@pytest.mark.perf(budget="2s", margin="1%")
@pytest.mark.parametrize("n", [8])
@pytest.mark.parametrize("kind", [object()], ids=["big"])
class TestModel:
    def test_all(self, perf, eager, n, kind):
        perf.require(perf.speedup(eager, by_name) > 0.95, budget="3s")
        perf.check(perf.speedup(lambda: sum([1]), lambda: sum([2])) > 0.95)
""", "--perf-seed", "5", "--perf-update-baselines")
        first, second = self.claims()
        self.assertEqual((first["test"], first["axes"]), ("test_it.py::TestModel::test_all", {"n": "8", "id": "big-8"}))
        self.assertTrue(first["node"] == "test_it.py::TestModel::test_all[big-8]", first)
        self.assertEqual((first["query"]["subjects"], second["query"]["subjects"]), (["eager", "by_name"], ["test_it.py:12", "test_it.py:12#2"]))
        self.assertEqual((first["options"], first["claim"], first["line"]), ({"budget": "3s", "margin": "1%"}, "speedup(eager, by_name) > 0.95", 11))
        self.assertEqual((first["hello"]["protocol"], first["hello"]["language"][:8], "threads" in first["hello"]["settings"]), (2, "Python 3", True), first["hello"])
        ran = first["ran"][1]
        self.assertEqual((ran["answer"], ran["number"], ran["iterations"], ran["elapsed_ns"] > 0, ran["cpu_ns"] >= 0), ("ran", 1, 2, True, True), ran)
        self.assertEqual(self.messages[0]["again"], ["-m", "pytest", "-p", "perfspec.pytest_plugin", "-p", "no:cacheprovider", "-rA", *self.messages[0]["again"][7:]])

    def test_a_fresh_process_has_the_options_of_python(self):
        self.flags = ["-O", "-X", "dev", "-W", "error::DeprecationWarning"]
        self.run_pytest("def test_it(perf): perf.check(perf.latency(f=lambda: sum([1])) < 1)\n")
        words = ["-O", "-Werror::DeprecationWarning", "-X", "dev", "-m", "pytest"]
        self.assertEqual((self.messages[0]["again"][:6], self.messages[0]["command"].split()[1:]), (words, words))

    def test_a_fresh_process_has_the_options_of_the_run(self):
        self.run_pytest("def test_it(perf): perf.check(perf.latency(f=lambda: sum([1])) < 1)\n", "-k", "test_it.py", "-x", "test_it.py")
        again = self.messages[0]["again"]
        self.assertEqual((again[7], again[9:12], again[-2]), ("--rootdir", ["-k", "test_it.py", "-x"], "--rootdir"))

    def test_claims_are_those_of_the_project_whatever_folder_pytest_was_started_in(self):
        from perfspec.pytest_plugin import HEAD

        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve() / "repository"
            tests = root / "tests"
            tests.mkdir(parents=True)
            (tests / "test_it.py").write_text("def test_it(perf): perf.check(perf.latency(f=lambda: 1) < 1)\n")
            for top, head, project, test in ((None, {}, tests, "test_it.py::test_it"), (".git", {}, root, "tests/test_it.py::test_it"),
                                             ("../baselines", {}, root, "tests/test_it.py::test_it"),
                                             ("tests/pytest.ini", {}, tests, "test_it.py::test_it"), ("tests/baselines", {}, tests, "test_it.py::test_it"),
                                             ("tests/deep/baselines", {HEAD: str(tests / "deep")}, tests / "deep", "test_it.py::test_it")):
                if top == "tests/pytest.ini":
                    (root / top).touch()
                else:
                    (root / (top or ".")).mkdir(parents=True, exist_ok=True)
                self.start(root, folder="tests", **head)
                start, claim = self.messages[:2]
                self.assertEqual((start["baselines"], start["build"], claim["test"]), (str(project / "baselines"), str(project / ".perfspec"), test))

    def test_a_fresh_process_runs_its_test_also_if_plugins_deselect_it(self):
        conftest = """
import pytest
@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items): yield; items.clear()
"""
        tests = "def test_it(): pass\ndef test_other(): pass\n"
        printed = self.run_pytest(tests, "test_it.py", "test_it.py::test_it", conftest=conftest, PERFSPEC_CHILD='{"version": 4}')
        self.assertIn("1 passed", printed)

    def test_a_group_of_xdist_is_no_part_of_the_test(self):
        conftest = """
def pytest_collection_modifyitems(items):
    for item in items:
        item._nodeid = item.nodeid + "@group"
        item._id = type(item.id).parse(item._nodeid) if hasattr(item, "id") else None  # of later versions
"""
        self.run_pytest("@pytest.mark.parametrize('n', [8])\ndef test_it(perf, n): perf.check(perf.latency(f=lambda: sum([1])) < 1)\n", conftest=conftest)
        self.assertEqual([(each["test"], each["node"]) for each in self.claims()], [("test_it.py::test_it", "test_it.py::test_it[8]")])

    def test_parameters_that_print_alike_differ_and_those_of_plugins_are_left_out(self):
        conftest = """
import pytest
@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc):  # as pytest-repeat does
    metafunc.fixturenames.append("__step")
    metafunc.parametrize("__step", [0], indirect=True, ids=["1-1"])
@pytest.fixture
def __step(request): return request.param
"""
        self.run_pytest("""
@pytest.mark.parametrize("n, kind", [(1, None), ("1", object()), ("1e-07", None), ("1x", None)])
def test_it(perf, n, kind): perf.check(perf.latency(f=lambda: sum([1])) < 1)
""", conftest=conftest)
        self.assertEqual([(each["test"], each["axes"]) for each in self.claims()],
                         [("test_it.py::test_it", axes) for axes in ({"n": "1", "kind": "None"}, {"n": "'1'", "id": "1-kind1"}, {"n": "'1e-07'", "kind": "None"},
                                                                     {"n": "1x", "kind": "None"})])
        self.assertEqual(self.claims()[1]["node"], "test_it.py::test_it[1-kind1-1-1]")

    def test_a_fresh_process_leaves_the_files_of_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            files = {name: pathlib.Path(folder, name) for name in ("basetemp", "log-file", "junit-xml", "own-log")}
            files["basetemp"].mkdir()
            files["basetemp"] /= "file"
            for file in files.values():
                file.write_text("kept")
            options = [f"--{name}={folder}/{name}" for name in files]
            conftest = """
def pytest_addoption(parser): parser.addoption("--own-log", dest="report_log"), parser.addoption("--own-fork", dest="forked"), parser.addoption("--own-cov", dest="cov_source")
def pytest_configure(config): config.option.report_log and open(config.option.report_log, "w")
"""
            printed = self.run_pytest("def test_it(tmp_path, request): assert not request.config.option.forked\n", "--own-fork=1", *options, conftest=conftest, PERFSPEC_CHILD='{"version": 4}')
            self.assertIn("1 passed", printed)
            self.assertEqual([file.read_text() for file in files.values()], 4 * ["kept"])
        self.run_pytest("def test_it(perf): perf.check(perf.latency(f=lambda: sum([1])) < 1)\n", "--own-cov=it", conftest=conftest)
        self.assertIn("--no-cov", self.messages[0]["again"])

    def test_a_process_that_repeats_a_claim_ends_with_its_judge(self):
        read, write = os.pipe()
        self.addCleanup(os.close, read)
        os.dup2(write, 3)
        printed = self.run_pytest("def test_it(perf): perf.check(perf.latency(f=lambda: sum([1])) < 1, key='dies')\ndef test_later(): open('later', 'w')\n",
                                  PERFSPEC_CHILD='{"version": 4}')
        self.assertEqual((self.code, "passed" in printed or "failed" in printed), (0, False), printed)

    def test_another_checkout_has_the_folder_of_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            for each in (root / "first", root / "baseline"):
                each.mkdir()
                (each / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
                (each / "test_it.py").write_text("def test_it(perf): perf.check(perf.latency(f=lambda: 1) < 1)\n")
            for at, arguments, words in (("first", ["--perf-baseline-build=../baseline"], "1 passed"),
                                         ("first", ["--perf-baseline-build", "../baseline"], "write --perf-baseline-build=../baseline with ="),
                                         (".", ["first", "--perf-baseline-build=baseline"], "start pytest in its rootdir"), ("first", ["--perf-baseline-build=../none"], "none has no folder that")):
                self.assertIn(words, self.start(root, *arguments, folder=at))
                if words == "1 passed":
                    self.assertEqual(self.messages[0]["baseline_build"]["folder"], str(root / "baseline"))
            self.assertFalse((root / "baseline/.perfspec").exists())

    def test_the_script_that_starts_the_judge_is_no_judge(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "perfspec"
            script.write_text(f"#!{sys.executable}\nfrom perfspec.__main__ import main\nmain()\n")
            script.chmod(0o755)
            variables = {**os.environ, "PYTHONPATH": str(MODULE), "PERFSPEC_JUDGE": str(script), "PYTHONDONTWRITEBYTECODE": "1"}
            done = subprocess.run([script, "judge"], env=variables, capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, "name the program" in done.stderr), (1, True), done.stderr)

    def test_python_itself_is_no_code_of_a_checkout(self):
        from perfspec.pytest_plugin import HEAD, require_own_modules

        module = types.ModuleType("shared")
        module.__file__ = "/first/python/lib/shared.py"
        with mock.patch.dict(sys.modules, shared=module), mock.patch.dict(os.environ, {HEAD: "/first"}):
            self.assertRaises(Refusal, require_own_modules, pathlib.Path("/baseline"))
            with mock.patch.object(sys, "base_prefix", "/first/python"):
                require_own_modules(pathlib.Path("/baseline"))

    @unittest.skipUnless(importlib.util.find_spec("xdist"), "pytest-xdist is not installed")
    def test_workers_of_xdist_have_the_options_of_the_run_and_show_their_tables(self):
        tests = "".join(f"def test_{n}(perf): perf.check(perf.latency(f=lambda: sum([1])) < 1)\n" for n in range(8))
        printed = self.run_pytest(tests, "-p", "xdist", "-n2", "-k", "test_it.py", "-x")
        starts = [each["again"] for each in self.messages if "again" in each]
        self.assertEqual((len(starts), printed.count("the table")), (2, 2), printed)
        self.assertEqual([each[9:15] for each in starts], 2 * [["-p", "xdist", "-n2", "-k", "test_it.py", "-x"]])
        self.assertEqual({each[-3] for each in starts}, {"-n0"})


if __name__ == "__main__":
    unittest.main()
