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

from perfspec.models.outcomes import code_of

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
                            "PERFSPEC_BUDGET": "20s", "PERFSPEC_ROUNDS": "20", "PERFSPEC_POLICY": "local"}

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

    def codes(self):
        """The code of benchmarks/dynamo for each model with compared outputs or without an end."""
        return {each["axes"]["model"]: code_of(each) for each in self.results() if each["metric"] in ("same_output", "speedup") and code_of(each)}

    def row(self, name="compiled over eager, "):
        """Cells of a row after its name; of the only row of the whole suite: models, passed, speedups, …"""
        lines = [line.strip() for line in self.said.splitlines() if line.strip().startswith(name) and "  " in line.strip()]
        self.assertEqual(len(lines), 1, self.said)
        return [cell.strip() for cell in lines[0].split("  ") if cell.strip()][1:]

    def test_each_fault_is_a_line_with_its_code_and_none_stops_the_others(self):
        self.assertEqual(self.run_models("--timeout", "8"), 42, self.said)
        self.assertEqual(self.codes(), {"right": "pass", "righter": "pass", "wrong": "fail_accuracy", "crashes": "infra_error", "hangs": "timeout",
                                        "lacks_memory": "OOM", "cannot_be_built": "model_fail_to_load"})
        self.assertEqual(self.row()[:3], ["7 (1 skipped)", "2 (29 %)", "2"], self.said)
        self.assertEqual(self.row("wrong "), ["differ", "fail_accuracy"])
        self.assertEqual((self.row("hangs "), self.row("crashes ")), (["timeout"], ["infra_error"]))
        self.assertEqual(self.row("righter ")[5], "same", self.said)
        self.assertIn(self.row("righter ")[4], ("holds", "undecided"), self.said)
        for each in self.results():
            self.require_schema(each)
        for said in ("  fail_accuracy: output", "  infra_error: ", "  timeout: ", "no memory is left", "no such configuration",
                     "  skipped: a_package_that_is_not_there is not installed"):
            self.assertIn(said, self.said)

    def test_a_claim_on_the_speedup_is_violated_where_a_fresh_process_agrees(self):
        self.assertEqual(self.run_models("--models", "right", "--performance", "--claim", "20"), 42, self.said)
        self.assertRegex(self.said, r"\n  violated: speedup \d\.\d+ \(\d\.\d+ \.\. \d\.\d+\): violated, ")
        self.assertEqual(self.row("right ")[4:], ["violated", "same"])
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

    def test_does_not_run_finished_experiments_again_and_keeps_their_codes(self):
        self.assertEqual(self.run_models("--models", "wrong"), 42, self.said)
        before = self.output.read_text()
        count = len(self.built())
        self.assertEqual(self.run_models("--models", "wrong"), 42, self.said)
        self.assertIn("1 of 1: tiny/wrong inductor default float32 inference cpu batch=2: finished before\n", self.said)
        self.assertEqual((self.output.read_text(), len(self.built())), (before, count))
        self.assertEqual(self.run_models("--models", "wrong", "--again"), 42, self.said)
        self.assertGreater(len(self.built()), count)

    def test_goes_on_after_it_was_killed_and_no_result_is_there_twice(self):
        running = self.start("--models", "right,hangs,righter")
        self.wait_for("hangs")
        running.kill()
        with self.output.open("a") as out:
            out.write('{"of an experiment": "that was stopped"}\n{"cut o')
        (self.folder / "go_on").touch()
        for _ in range(100):  # until the processes of the killed one have ended, too
            if self.run_models("--models", "right,hangs,righter") != 2:
                break
            time.sleep(0.05)
        self.assertIn("1 of 3: tiny/right inductor default float32 inference cpu batch=2: finished before", self.said)
        self.assertEqual(self.codes(), {"right": "pass", "hangs": "pass", "righter": "pass"})
        keys = [each["key"] for each in self.results()]
        self.assertEqual(len(keys), len(set(keys)))
        self.assertEqual(list(self.folder.glob("results.jsonl.running-*")), [])

    def test_a_second_run_does_not_write_to_the_same_file(self):
        running = self.start("--models", "hangs")
        self.wait_for("hangs")
        self.assertEqual(self.run_models("--models", "hangs"), 2, self.said)
        self.assertIn("another run, or what it started, still writes to", self.said)
        running.send_signal(signal.SIGTERM)
        self.assertEqual(running.wait(), 143)

    def test_a_judge_that_dies_at_once_stops_the_run(self):
        judge = self.folder / "judge"
        judge.write_text("#!/bin/sh\necho last words >&2\nkill -SEGV $$\n")
        judge.chmod(0o755)
        self.assertEqual(self.run_models("--models", "right", PERFSPEC_JUDGE=str(judge)), 2, self.said)
        self.assertIn("measured nothing: its process ended with exit code 1; its last lines: last words | perfspec models: the judge ended", self.said)

    def test_results_of_other_software_or_settings_are_not_taken_for_finished(self):
        self.assertEqual(self.run_models("--models", "right"), 0, self.said)
        self.assertEqual(self.run_models("--models", "right", "--timeout", "100"), 2)
        self.assertIn("has results of something else (timeout: 900 then, 100 now); name another --output, or --again to start over", self.said)
        self.assertEqual(self.run_models("--models", "right", PERFSPEC_BUDGET="60ms"), 2)
        self.suite.write_text(self.suite.read_text() + "# changed\n")
        self.assertEqual(self.run_models("--models", "right"), 2)
        self.assertIn("has results of something else (perfspec and suites: ", self.said)
        shutil.rmtree(self.folder / "results.jsonl.experiments")
        self.assertEqual(self.run_models("--models", "right"), 2)
        self.assertIn("has results that are not of this command", self.said)

    def test_training_in_evaluation_mode_is_a_configuration_of_its_own(self):
        training = ("--models", "moded", "--training")  # needs torch: the result of the step does not count here
        self.run_models(*training)
        self.assertFalse((self.folder / "eval").exists())
        self.run_models(*training, "--inference", "--use-eval-mode")
        self.assertTrue((self.folder / "eval").exists())
        self.assertIn("2 of 2: tiny/moded inductor default float32 training in eval mode cpu batch=2\n", self.said)
        self.assertRegex(self.said, r"\ncompiled over eager, .*module_mode=eval, .*test=train ")
        modes = [(each["axes"]["test"], each["axes"].get("module_mode")) for each in self.results() if each["query"].startswith("same_output")]
        self.assertEqual(modes, [("train", None), ("eval", None), ("train", "eval")])

    def test_another_configuration_is_another_experiment(self):
        self.assertEqual(self.run_models("--models", "right"), 0, self.said)
        self.assertEqual(self.run_models("--models", "right", "--mode", "default,reduce-overhead"), 0, self.said)
        self.assertIn("1 of 2: tiny/right inductor default float32 inference cpu batch=2: finished before", self.said)
        self.assertEqual([each["axes"]["mode"] for each in self.results() if each["query"].startswith("speedup")], ["default", "reduce-overhead"])

    def test_repetitions_are_lines_of_their_own_and_one_model(self):
        self.assertEqual(self.run_models("--models", "right", "--repeat", "2", "--performance"), 0, self.said)
        self.assertEqual(sum(each["query"].startswith("speedup") for each in self.results()), 2)
        self.assertEqual(self.row()[:3], ["1", "1 (100 %)", "1"])

    def test_parts_are_all_experiments_each_once(self):
        parts = []
        for number in (1, 2, 3):
            self.assertEqual(self.run_models("--list", "--training", "--inference", "--partition", f"{number}/3", output=False), 0, self.said)
            parts += self.said.splitlines()
        self.assertEqual(self.run_models("--list", "--training", "--inference", output=False), 0)
        self.assertEqual(sorted(parts), sorted(self.said.splitlines()))
        self.assertEqual(len(parts), 16)

    def test_chooses_models_by_name_and_pattern(self):
        for options, names in [(("--filter", "^right"), ["right", "righter"]), (("--filter", "^right", "--exclude", "er$"), ["right"]),
                               (("--models", "unlisted"), ["unlisted"]), (("--filter", "wr", "--filter", "cr"), ["wrong", "crashes"])]:
            self.assertEqual(self.run_models("--list", *options, output=False), 0, self.said)
            self.assertEqual([each.split()[0].partition("/")[2] for each in self.said.splitlines()], names)

    def test_takes_a_model_of_the_suites_that_have_it(self):
        other = self.folder / "other.py"
        other.write_text("NAMES = ['right', 'left']\nmake = None\n")
        suites = ("--suite", f"{self.suite},{other}", "--list")
        self.assertEqual(self.run_models(*suites, "--models", "left,wrong,right", output=False), 0, self.said)
        self.assertEqual([each.split()[0] for each in self.said.splitlines()], ["tiny/wrong", "tiny/right", "other/left", "other/right"])
        self.assertEqual(self.run_models(*suites, "--models", "left,rihgt", output=False), 2)
        self.assertIn("tiny.py and", self.said)
        self.assertIn("other.py have no model rihgt, did you mean right?", self.said)

    def test_a_list_needs_no_judge(self):
        self.assertEqual(self.run_models("--models", "right", PERFSPEC_JUDGE="/nowhere/perfspec"), 2)
        self.assertIn("/nowhere/perfspec", self.said)
        self.assertEqual(self.run_models("--models", "right", "--list", output=False, PERFSPEC_JUDGE="/nowhere/perfspec"), 0, self.said)

    def test_refuses_wrong_input_before_it_runs_anything(self):
        for options, said in [
            (("--filter", "resnet"), "no model of"), (("--models", "rihgt"), "has no model rihgt, did you mean right?"),
            (("--partition", "3/2"), 'argument --partition: "3/2" is not a part and how many there are, such as 1/4'),
            (("--models", "right", "--partition", "2/2"), "--partition 2/2 has none of 1 experiments: make fewer parts"),
            (("--dtype", "float8"), '--dtype is "float8", expected float32, bfloat16, float16, amp'),
            (("--batch", "0"), 'argument --batch: "0" is no whole number from 1'),
            (("--backend", "a,,b"), 'argument --backend: "a,,b" is not of values with commas between'), (("--mode", "a,a"), "has a value twice"),
            (("--mode", "default,fast"), '--mode is "fast", expected default, reduce-overhead, max-autotune, max-autotune-no-cudagraphs'), (("--filter", "("), 'argument --filter: "(" is no regular expression'), (("--no-such",), "unrecognized arguments: --no-such"),
            (("--suite", "tim"), "there is no suite tim, did you mean timm?"), (("--suite", "nowhere.py"), "nowhere.py: there is no such file"),
            (("--use-eval-mode",), "--use-eval-mode is about steps of training, and inference is in evaluation mode anyway: add --training"),
            (("--claim", "fast"), 'argument --claim: "fast" is no speedup, such as 0.95'), (("--output", "/nowhere/results.jsonl"), "No such file or directory: '/nowhere/"),
        ]:
            self.assertEqual(self.run_models(*options, output=False) if "--output" in options else self.run_models(*options), 2, options)
            self.assertIn(said, self.said)
        self.assertEqual(self.run_models(output=False), 2)
        self.assertIn("--output is missing: name the file of results, such as --output results.jsonl", self.said)
        self.assertEqual(self.built(), [])

    def test_a_file_that_is_no_suite_says_what_a_suite_is(self):
        self.suite.write_text("x = 1\n")
        self.assertEqual(self.run_models(), 2)
        self.assertIn("is no suite: it has NAMES = [...] and make(name, batch)", self.said)
        self.suite.write_text("import a_module_that_is_not_there\n")
        self.assertEqual(self.run_models(), 2)
        self.assertIn("threw ModuleNotFoundError: No module named 'a_module_that_is_not_there'", self.said)


def judges_nothing():
    """Whether the judge's build measures nothing: it is not optimised, or has a sanitizer."""
    probe = Models("run_models")
    probe.setUp()
    code = probe.run_models("--models", "right", "--performance")
    probe.doCleanups()
    return code == 77


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if judges_nothing():
        print("the judge measures nothing in this build: it is not optimised, or has a sanitizer")
        sys.exit(77)
    unittest.main()
