#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""`python -m perfspec models` with a suite of tiny models in plain Python, some of them faulty.

  models_test.py PERFSPEC
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from started_worker import MODULE
ROOT = pathlib.Path(__file__).resolve().parents[2]
SUITE = pathlib.Path(__file__).resolve().with_name("models_suite.py")
PROGRAM = ""


class Models(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="perfspec models ")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.output = self.folder / "results.jsonl"
        self.suite = self.folder / "tiny.py"
        shutil.copy(SUITE, self.suite)
        # Its own folder for temporary files, because it would wait for other measurements of the machine. The number of rounds ends each measurement,
        # not the budget, so that a busy machine measures as much as an idle one.
        self.environment = {**os.environ, "MODELS_TEST": str(self.folder), "TMPDIR": str(self.folder), "PYTHONPATH": str(MODULE), "PERFSPEC_JUDGE": PROGRAM,
                            "PERFSPEC_BUDGET": "20s", "PERFSPEC_ROUNDS": "20", "PERFSPEC_CI": "off"}

    def command(self, *options):
        return [sys.executable, "-m", "perfspec", "models", "--suite", str(self.suite), *options]

    def run_models(self, *options, output=True, **variables):
        ended = subprocess.run([*self.command(*options), *(["--output", str(self.output)] if output else [])], capture_output=True, text=True, check=False,
                               timeout=60, env={**self.environment, **variables})
        self.said = ended.stdout + ended.stderr
        return ended.returncode

    def start(self, *options):
        running = subprocess.Popen([*self.command(*options), "--output", str(self.output)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=self.environment)
        self.addCleanup(running.wait)
        self.addCleanup(running.kill)
        return running

    def wait_for(self, file):
        while not (self.folder / file).exists():
            time.sleep(0.01)

    def results(self):
        lines = [json.loads(each) for each in self.output.read_text().splitlines()]
        return [each for each in lines if each["kind"] == "result"]

    def require_schema(self, line):
        """A result has all members of record.schema.json, and no others."""
        schema = json.loads((ROOT / "include/perfspec/report/record.schema.json").read_text())
        self.assertEqual(set(line), {*schema["required"], *schema["then"]["required"]})
        self.assertEqual([name for name, one in schema["properties"].items() if line[name] not in one.get("enum", [line[name]])], [])

    def built(self):
        file = self.folder / "built.txt"
        return [each.split() for each in file.read_text().splitlines()] if file.exists() else []

    def row(self, name="compiled over eager, "):
        """Cells of a row after its name; of the only row of the whole suite: models, passed, speedups, …"""
        lines = [line.strip() for line in self.said.splitlines() if line.strip().startswith(name) and "  " in line.strip()]
        self.assertEqual(len(lines), 1, self.said)
        return [cell.strip() for cell in lines[0].split("  ") if cell.strip()][1:]

    def test_each_fault_is_a_line_with_its_code_and_none_stops_the_others(self):
        self.assertEqual(self.run_models("--timeout", "8"), 42, self.said)
        self.assertEqual(self.row()[:3], ["7 (1 skipped)", "2 (29 %)", "2"], self.said)
        self.assertEqual(self.row("wrong "), ["differ", "fail_accuracy"])
        self.assertEqual((self.row("hangs "), self.row("crashes ")), (["timeout"], ["infra_error"]))
        self.assertEqual((self.row("lacks_memory ")[-1], self.row("cannot_be_built ")), ("OOM", ["model_fail_to_load"]))
        self.assertEqual((self.row("right ")[5:], self.row("righter ")[5:]), (["same"], ["same"]))
        self.assertIn(self.row("righter ")[4], ("holds", "undecided"), self.said)
        for each in self.results():
            self.require_schema(each)
        for said in ("  violated: output[1], int 1: ", "  error: its process was ended by SIGABRT; its last lines: ", "  error: it did not end within 8 s",
                     "no memory is left", "no such configuration", "  skipped: a_package_that_is_not_there is not installed"):
            self.assertIn(said, self.said)

    def test_a_claim_on_the_speedup_is_violated_where_a_fresh_process_agrees(self):
        self.assertEqual(self.run_models("--models", "right", "--claim", "20"), 42, self.said)
        self.assertRegex(self.said, r"\n  violated: speedup \d\.\d+ \(\d\.\d+ \.\. \d\.\d+\)\n")
        self.assertEqual(self.row("right ")[4:], ["violated", "same"])
        for each in self.results():
            self.require_schema(each)
        self.assertEqual(len([each for each in self.built() if each[0] == "right"]), 4)  # eager and compiled, and both again

    def test_all_that_pass_end_with_0_and_can_be_exported_for_pytorch_xla(self):
        self.assertEqual(self.run_models("--models", "right,righter", "--batch", "3", "--threads", "1", "--dtype", "bfloat16", "--backend", "eager"), 0, self.said)
        self.assertEqual(self.row()[:3], ["2", "2 (100 %)", "2"])
        self.assertIn(["right", "3", "bfloat16", "cpu", "False", "1"], self.built())
        speedup = next(each for each in self.results() if each["claim"] == "speedup(eager, compiled) > 0.95")
        exported = self.folder / "xla.jsonl"
        subprocess.run([PROGRAM, "export", self.output, "--format", "xla", "-o", exported], check=True, capture_output=True)
        line = next(each for each in map(json.loads, exported.read_text().splitlines()) if each["experiment"]["experiment_name"] == "speedup(eager, compiled)")
        self.assertEqual(line["model"], {"suite_name": "tiny", "model_name": "right"})
        fields = line["experiment"]
        self.assertEqual((fields["accelerator"], fields["dynamo"], fields["test"], fields["batch_size"]), ("cpu", "eager", "eval", 3))
        self.assertEqual((speedup["axes"]["dtype"], speedup["axes"]["mode"], speedup["axes"]["threads"]), ("bfloat16", "default", "1"))

    def test_only_skipped_models_are_no_success(self):
        self.assertEqual(self.run_models("--models", "not_here"), 77, self.said)
        self.assertEqual(self.row()[0], "0 (1 skipped)")

    def test_a_run_adds_its_results_and_the_newest_of_a_model_count(self):
        (self.folder / "go_on").touch()
        self.assertEqual(self.run_models("--models", "wrong,hangs", "--accuracy"), 42, self.said)
        before = self.output.read_text()
        self.suite.write_text(self.suite.read_text().replace('"wrong":', '"no_more":'))
        self.assertEqual(self.run_models("--models", "wrong,right", "--accuracy"), 0, self.said)
        self.assertTrue(self.output.read_text().startswith(before))
        self.assertEqual((self.row()[:2], self.row("wrong ")), (["3", "3 (100 %)"], ["same"]))

    def test_resume_runs_only_what_has_no_results_of_the_configuration(self):
        self.assertEqual(self.run_models("--models", "wrong"), 42, self.said)
        before, count = self.output.read_text(), len(self.built())
        self.assertEqual(self.run_models("--models", "wrong", "--resume"), 42, self.said)
        self.assertIn("perfspec models: 1 of 1: tiny/wrong\n  violated: output", self.said)
        self.assertEqual((self.output.read_text(), len(self.built())), (before, count))
        self.assertEqual(self.run_models("--models", "wrong", "--resume", "--mode", "reduce-overhead"), 42, self.said)
        self.assertGreater(len(self.built()), count)
        self.assertEqual([each["axes"]["mode"] for each in self.results()], ["default", "reduce-overhead"])

    def test_goes_on_after_it_was_stopped_and_no_result_is_there_twice(self):
        running = self.start("--models", "right,hangs,righter", "--claim", "0.1")
        self.wait_for("hangs")
        running.send_signal(signal.SIGTERM)
        self.assertEqual(running.wait(), 143)
        (self.folder / "go_on").touch()
        self.assertEqual(self.run_models("--models", "right,hangs,righter", "--claim", "0.1", "--resume"), 0, self.said)
        self.assertEqual([each[0] for each in self.built() if each[0] != "hangs"], ["right", "right", "righter", "righter"])
        self.assertEqual(self.row()[:3], ["3", "3 (100 %)", "3"])
        keys = [each["key"] for each in self.results()]
        self.assertEqual(len(keys), len(set(keys)))

    def test_a_judge_that_dies_at_once_stops_the_run(self):
        judge = self.folder / "judge"
        judge.write_text("#!/bin/sh\necho last words >&2\nkill -SEGV $$\n")
        judge.chmod(0o755)
        self.assertEqual(self.run_models("--models", "right", PERFSPEC_JUDGE=str(judge)), 2, self.said)
        self.assertIn("measured nothing: its process ended with exit code 1; its last lines: last words | perfspec models: the judge ended", self.said)

    def test_takes_a_model_of_the_suites_that_have_it(self):
        other = self.folder / "other.py"
        other.write_text("NAMES = ['right', 'left']\nNEEDS = ['a_package_that_is_not_there']\nmake = None\n")
        suites = ("--suite", f"{self.suite},{other}", "--accuracy")
        self.assertEqual(self.run_models(*suites, "--models", "left,unlisted,right"), 77, self.said)
        names = [each.rpartition(" ")[2] for each in self.said.splitlines() if each.startswith("perfspec models: ")]
        self.assertEqual(names, ["tiny/unlisted", "tiny/right", "other/left", "other/right"])
        self.assertEqual({each["metric"] for each in self.results()}, {"same_output"})
        self.assertEqual(self.run_models(*suites, "--models", "left,rihgt"), 2)
        self.assertIn("other.py is called rihgt, did you mean right?; there are right, righter, ", self.said)

    def test_a_judge_that_is_not_there_is_named(self):
        self.assertEqual(self.run_models("--models", "right", PERFSPEC_JUDGE="/nowhere/perfspec"), 2)
        self.assertIn("/nowhere/perfspec", self.said)

    def test_refuses_wrong_input_before_it_runs_anything(self):
        for options, said in [
            (("--models", "rihgt"), "tiny.py is called rihgt, did you mean right?"),
            (("--dtype", "float8"), "argument --dtype: invalid choice: 'float8' (choose from "),
            (("--mode", "fast"), "argument --mode: invalid choice: 'fast' (choose from "), (("--no-such",), "unrecognized arguments: --no-such"),
            (("--batch", "0"), 'argument --batch: "0" is no whole number from 1'), (("--claim", "fast"), "argument --claim: invalid float value: 'fast'"),
            (("--suite", "tim"), "there is no suite tim, did you mean timm?"), (("--suite", "nowhere.py"), "nowhere.py: there is no such file"),
            (("--output", "/nowhere/results.jsonl"), "No such file or directory: '/nowhere/"),
        ]:
            self.assertEqual(self.run_models(*options, output="--output" not in options), 2, options)
            self.assertIn(said, self.said)
        self.assertEqual(self.run_models(output=False), 2)
        self.assertIn("the following arguments are required: --output", self.said)
        twin = self.folder / "twin" / "tiny.py"
        twin.parent.mkdir()
        shutil.copy(SUITE, twin)
        self.assertEqual(self.run_models("--suite", f"{self.suite},{twin}"), 2)
        self.assertIn("two suites have the same name: rename one of the files", self.said)
        self.assertEqual(self.built(), [])

    def test_a_file_that_is_no_suite_says_what_a_suite_is(self):
        self.suite.write_text("x = 1\n")
        self.assertEqual(self.run_models(), 2)
        self.assertIn("is no suite: a file needs NAMES = [...] and make(name, batch)", self.said)
        self.suite.write_text("import a_module_that_is_not_there\n")
        self.assertEqual(self.run_models(), 2)
        self.assertIn("threw ModuleNotFoundError: No module named 'a_module_that_is_not_there'", self.said)


def judges_nothing():
    """Whether the judge's build measures nothing: it is not optimized, or has a sanitizer."""
    probe = Models("run_models")
    probe.setUp()
    code = probe.run_models("--models", "right")
    probe.doCleanups()
    return code == 77


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if judges_nothing():
        print("the judge measures nothing in this build: it is not optimized, or has a sanitizer")
        sys.exit(77)
    unittest.main()
