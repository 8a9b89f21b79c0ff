# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The exit codes of `acceptance`, on a program with the same answer to every replay."""
import json
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

ACCEPTANCE = pathlib.Path(__file__).resolve().parent / "acceptance"


def report(violated, holds):
    stage = {"violated": violated, "holds": holds, "undecided": 1 - violated - holds}
    cost = {"all": {"p50": 10}, "holds": {"p50": 10}, "violated": {"p50": 20}}
    return {"first_stage": stage, "confirmed": stage, "pairs": cost, "blocks": cost, "processes": cost}


class Acceptance(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_on(self, script, *arguments):
        program = pathlib.Path(self.folder.name) / "replay"
        program.write_text(f"#!{sys.executable}\nimport sys\n{script}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return subprocess.run([sys.executable, str(ACCEPTANCE), "--program", str(program), *arguments], capture_output=True, text=True,
                              check=False)

    def test_a_missed_limit_is_1(self):
        done = self.run_on(f"print('''{json.dumps(report(1, 0))}''')", "--rows", "B")
        self.assertEqual(done.returncode, 1)
        self.assertIn("| B | at the bound, first stage, worst of five | synthetic | 100 % | <= 3.8 | **missed** |", done.stdout)
        self.assertIn("missed: B: 2 % inside, holds, least, synthetic: 0 %, limit >= 99.5", done.stderr)

    def test_a_control_that_does_not_exceed_its_limit_is_1(self):
        answers = f"""good, bad = '''{json.dumps(report(0, 1))}''', '''{json.dumps(report(1, 0))}'''
print(bad if '1.05' in sys.argv else '''{json.dumps(report(0, 0))}''' if '1.005' in sys.argv or sys.argv[-2] == '--margin' and '--bound' not in sys.argv else good)"""
        done = self.run_on(answers, "--rows", "B")
        self.assertEqual(done.returncode, 1)
        self.assertEqual([line.split(",")[0] for line in done.stderr.splitlines()],
                         ["missed: B: control: A B A B on the tick", "missed: B: control: A B B A on the tick"])

    def test_kept_limits_are_0(self):
        answers = f"""good, bad = '''{json.dumps(report(0, 1))}''', '''{json.dumps(report(1, 0))}'''
print(bad if '1.05' in sys.argv or '--order' in sys.argv else '''{json.dumps(report(0, 0))}''' if '1.005' in sys.argv or sys.argv[-2] == '--margin' and '--bound' not in sys.argv else good)"""
        done = self.run_on(answers, "--rows", "B")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_replay_that_fails_is_reported(self):
        done = self.run_on("sys.exit('a.csv:3: column wall_ns: found \"fast\"')", "--rows", "B")
        self.assertEqual(done.returncode, 1)
        self.assertIn('a.csv:3: column wall_ns: found "fast"', done.stderr)


if __name__ == "__main__":
    unittest.main()
