#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""ci/sweep, with a command that writes down what it was asked for."""
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "ci/sweep"

# Writes its settings to calls.txt and as a result; ends with the code in the file that is called as its batch, if there is one.
COMMAND = """#!/usr/bin/env bash
cd "$(dirname "$0")"
echo "${PERFSPEC_DEVICE-} ${PERFSPEC_DTYPE-} ${PERFSPEC_BATCH-} ${PERFSPEC_THREADS-}: $*" >> calls.txt
echo "{\\"batch\\": \\"$PERFSPEC_BATCH\\"}" >> "$PERFSPEC_OUTPUT"
if [ -e "wait" ]; then sleep 60; fi
[ ! -e "batch$PERFSPEC_BATCH" ] || exit "$(cat "batch$PERFSPEC_BATCH")"
"""


class Sweep(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="perfspec sweep ")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.command = self.folder / "tests"
        self.command.write_text(COMMAND)
        self.command.chmod(0o755)
        self.output = self.folder / "results.jsonl"

    def sweep(self, *options, command=None):
        arguments = [SCRIPT, *options, "--output", self.output, "--", *(command or [self.command, "a b"])]
        ended = subprocess.run(arguments, capture_output=True, text=True, check=False)
        self.said = ended.stdout + ended.stderr
        return ended.returncode

    def calls(self):
        file = self.folder / "calls.txt"
        return file.read_text().splitlines() if file.exists() else []

    def test_runs_every_combination_with_its_settings_in_the_environment(self):
        self.assertEqual(self.sweep("--dtype", "float32,bfloat16", "--batch", "1,8", "--device", "cpu"), 0, self.said)
        self.assertEqual(self.calls(), ["cpu float32 1 : a b", "cpu float32 8 : a b", "cpu bfloat16 1 : a b", "cpu bfloat16 8 : a b"])
        self.assertIn("ci/sweep: point 3 of 4: dtype=bfloat16 batch=1 device=cpu\n", self.said)
        self.assertEqual(len(self.output.read_text().splitlines()), 4)

    def test_goes_on_after_a_failure_and_ends_with_a_table_and_the_worst_code(self):
        (self.folder / "batch2").write_text("8")
        (self.folder / "batch4").write_text("77")
        self.assertEqual(self.sweep("--batch", "1,2,4,8"), 8, self.said)
        self.assertEqual(len(self.calls()), 4)
        self.assertIn("  exit code  point\n          0  batch=1\n          8  batch=2\n         77  batch=4\n          0  batch=8\n"
                      "ci/sweep: 2 of 4 points did not pass\n", self.said)
        (self.folder / "batch2").unlink()
        self.assertEqual(self.sweep("--batch", "1,2,4,8", "--again"), 77, self.said)

    def test_does_not_run_finished_points_again_and_keeps_their_codes(self):
        (self.folder / "batch1").write_text("42")
        self.assertEqual(self.sweep("--batch", "1"), 42)
        self.assertEqual(self.sweep("--batch", "1,8"), 42)
        self.assertEqual(self.calls(), ["  1 : a b", "  8 : a b"])
        self.assertIn("ci/sweep: point 1 of 2: batch=1: finished before, exit code 42\n", self.said)
        self.assertEqual(self.output.read_text(), '{"batch": "1"}\n{"batch": "8"}\n')

    def test_a_point_that_was_stopped_leaves_no_results_and_is_run_again(self):
        (self.folder / "wait").touch()
        with subprocess.Popen([SCRIPT, "--batch", "1,8", "--output", self.output, "--", self.command], stdout=subprocess.DEVNULL,
                              start_new_session=True) as running:
            while not self.calls():
                time.sleep(0.01)
            os.killpg(running.pid, signal.SIGINT)
        self.assertEqual(running.returncode, 130)
        self.assertEqual(self.output.read_text(), "")
        (self.folder / "wait").unlink()
        self.assertEqual(self.sweep("--batch", "1,8", command=[self.command]), 0, self.said)
        self.assertEqual(self.calls(), ["  1 : ", "  1 : ", "  8 : "])
        self.assertEqual(self.output.read_text(), '{"batch": "1"}\n{"batch": "8"}\n')

    def test_a_list_cut_off_anywhere_loses_no_point_and_doubles_none(self):
        self.assertEqual(self.sweep("--batch", "1,16"), 0)
        file = pathlib.Path(f"{self.output}.experiments")
        whole = file.read_bytes()
        results = '{"batch": "1"}\n{"batch": "16"}\n'
        for at in range(whole.index(b'{"name": "batch=16"'), len(whole)):
            for left in (results, results[:-5], '{"batch": "1"}\n'):
                with self.subTest(list=whole[:at], results=left):
                    self.output.write_text(left)
                    file.write_bytes(whole[:at])
                    self.assertEqual(self.sweep("--batch", "1,16"), 0, self.said)
                    self.assertEqual(self.said.count("finished before"), 1, self.said)
                    self.assertEqual(self.calls()[-1], "  16 : a b")
                    self.assertEqual(self.output.read_text(), results)

    def test_refuses_a_list_with_a_line_that_it_did_not_write(self):
        self.assertEqual(self.sweep("--batch", "1"), 0)
        with open(f"{self.output}.experiments", "a", encoding="utf-8") as file:
            file.write("0\tbatch=10\tbatch=16\n")
        self.assertEqual(self.sweep("--batch", "1,16"), 2)
        self.assertIn("results.jsonl.experiments is damaged", self.said)

    def test_a_command_that_cannot_be_run_is_no_finished_point(self):
        self.assertEqual(self.sweep("--batch", "1", command=["no-such-command"]), 2)
        self.assertIn("the command cannot be run (exit code 127): no-such-command; correct it, and sweep again", self.said)
        self.assertEqual(self.sweep("--batch", "1"), 0, self.said)
        self.assertEqual(self.calls(), ["  1 : a b"])

    def test_refuses_to_say_where_results_are_that_are_gone(self):
        self.assertEqual(self.sweep("--batch", "1"), 0)
        self.output.unlink()
        self.assertEqual(self.sweep("--batch", "1"), 2)
        self.assertIn("is gone, and", self.said)
        self.assertEqual(self.sweep("--batch", "1", "--again"), 0, self.said)

    def test_waits_for_no_other_sweep_that_writes_the_same_file(self):
        (self.folder / "wait").touch()
        with subprocess.Popen([SCRIPT, "--batch", "1", "--output", self.output, "--", self.command], stdout=subprocess.DEVNULL,
                              start_new_session=True) as running:
            while not self.calls():
                time.sleep(0.01)
            os.kill(running.pid, signal.SIGKILL)  # what it started goes on
            running.wait()
            self.assertEqual(self.sweep("--batch", "1"), 2)
            self.assertIn("another run, or what it started, still writes to", self.said)
            os.killpg(running.pid, signal.SIGKILL)

    def test_starts_over_when_it_is_told_to(self):
        self.assertEqual(self.sweep("--batch", "1"), 0)
        self.assertEqual(self.sweep("--batch", "1", "--again"), 0)
        self.assertEqual(len(self.calls()), 2)
        self.assertEqual(self.output.read_text(), '{"batch": "1"}\n')

    def test_refuses_results_of_something_else(self):
        self.output.write_text("{}\n")
        self.assertEqual(self.sweep("--batch", "1"), 2)
        self.assertIn("has results that are not of this command; name another --output, or --again to empty it", self.said)
        self.output.unlink()
        self.assertEqual(self.sweep("--batch", "1"), 0)
        self.assertEqual(self.sweep("--batch", "1", command=["false"]), 2)
        self.assertIn('has results of something else (command: ["', self.said)

    def test_refuses_wrong_input_before_it_runs_anything(self):
        for options, said in [
            ((), "there is nothing to sweep: name values, such as --batch 1,8"),
            (("--batch", "1,,8"), '--batch is "1,,8", expected values with commas between, such as --batch 1,8'),
            (("--batch", "8,8"), '--batch is "8,8", which has a value twice'),
            (("--batch", "1", "--batch", "8"), "--batch is given twice"),
            (("--size", "8"), "--size is no option"),
        ]:
            self.assertEqual(self.sweep(*options), 2)
            self.assertIn(said, self.said)
        self.assertEqual(self.calls(), [])
        none = subprocess.run([SCRIPT, "--batch", "1", "--output", self.output], capture_output=True, text=True, check=False)
        self.assertEqual(none.returncode, 2)
        self.assertIn("there is no command: write it behind --", none.stderr)

    def test_explains_itself(self):
        said = subprocess.run([SCRIPT, "--help"], capture_output=True, text=True, check=True).stdout
        self.assertTrue(said.startswith("Runs a command once for each combination"), said)
        self.assertIn("--output FILE", said)


if __name__ == "__main__":
    unittest.main()
