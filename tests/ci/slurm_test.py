#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""ci/slurm on a real Slurm of one node, which this test starts, with munge, in a folder of its own.

usage: slurm_test.py <perfspec, the tool> <a test program of perfspec> <the name of a test case with a claim on baseline()>

Exit code 77, and why, where Slurm or munge is not installed, or this user may not start them.
"""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "page"))
sys.dont_write_bytecode = True
from sample_results import recorded_result

TOOL, PROGRAM, TEST_CASE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "ci/slurm"
NEEDED = {"slurmctld": "slurmctld", "slurmd": "slurmd", "munged": "munge", "sbatch": "slurm-client", "ctest": "cmake"}
os.environ["PATH"] += ":/usr/sbin"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """A Slurm of this machine alone."""

    def __init__(self, folder):
        self.folder, self.daemons = folder, []
        host = socket.gethostname().split(".")[0]
        (folder / "munge").mkdir(mode=0o700)
        key = folder / "munge/key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        sock = folder / "munge/socket"
        for name in ("state", "spool"):
            (folder / name).mkdir()
        self.conf = folder / "slurm.conf"
        self.conf.write_text(f"""ClusterName=perfspec
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser={os.environ.get("USER", "root")}
AuthType=auth/munge
AuthInfo=socket={sock}
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MinJobAge=300
ReturnToService=2
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=only Nodes={host} Default=YES MaxTime=INFINITE State=UP
""")
        munge = ["munged", "--foreground", "--force", "--key-file", key, "--socket", sock, "--pid-file", folder / "munge/pid",
                 "--log-file", folder / "munge/log", "--seed-file", folder / "munge/seed"]
        os.environ["SLURM_CONF"] = str(self.conf)
        self.start("munged", munge, sock.exists)
        self.start("slurmctld", ["slurmctld", "-D", "-f", self.conf], lambda: self.says("scontrol", "ping", "UP"))
        self.start("slurmd", ["slurmd", "-D", "-f", self.conf], lambda: self.says("sinfo", "-h", "-o", "%T", "idle"))

    @staticmethod
    def says(*words):
        *command, wanted = words
        return wanted in subprocess.run(command, capture_output=True, text=True, check=False).stdout

    def start(self, name, command, is_ready):
        with open(self.folder / f"{name}.log", "w", encoding="utf-8") as log:
            self.daemons.append(subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT))
        for _ in range(100):
            if is_ready():
                return
            if self.daemons[-1].poll() is not None:
                break
            time.sleep(0.1)
        text = (self.folder / f"{name}.log").read_text(encoding="utf-8")[-600:]
        self.stop()
        skip(f"{name} does not start here: {text}")

    def stop(self):
        for one in reversed(self.daemons):
            one.terminate()
            try:
                one.wait(10)
            except subprocess.TimeoutExpired:
                one.kill()


def result(key, verdict="holds"):
    """A line of results with this key."""
    line = {**recorded_result(), "key": key, "test": key, "verdict": verdict, "failed": verdict == "violated", "waiver": None, "notes": []}
    return json.dumps(line, separators=(",", ":"))


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="perfspec slurm ")).resolve()
        cls.daemons = pathlib.Path(tempfile.mkdtemp(prefix="perfspec-slurm-")).resolve()  # without blanks, which slurm.conf cannot have
        cls.cluster = Cluster(cls.daemons)

    @classmethod
    def tearDownClass(cls):
        cls.cluster.stop()
        for folder in (cls.folder, cls.daemons):
            shutil.rmtree(folder, ignore_errors=True)

    def build_with(self, name, tests):
        """A build folder whose tests of ctest are these commands: {name: shell text}."""
        build = self.folder / name
        build.mkdir()
        lines = ['add_test(another "/bin/false")\n']  # without the label
        for test, command in tests.items():
            lines.append(f'add_test([==[{test}]==] "/bin/sh" "-c" [==[{command}]==])\nset_tests_properties([==[{test}]==] PROPERTIES LABELS perf)\n')
        (build / "CTestTestfile.cmake").write_text("".join(lines), encoding="utf-8")
        return build

    def writes(self, key, verdict="holds"):
        file = self.folder / f"line of {key}"
        file.write_text(result(key, verdict) + "\n", encoding="utf-8")
        return f'cat "{file}" >> "$PERFSPEC_OUTPUT"'

    def run_slurm(self, build, output, *options, shards=4):
        return subprocess.run([SCRIPT, "--shards", str(shards), "--build", build, "--output", output, "--tool", TOOL, "--wait", *options],
                              capture_output=True, text=True, check=False, timeout=120, cwd=self.folder)

    def test_four_shards_are_run_and_merged(self):
        build = self.build_with("good build", {f"test {n}": self.writes(f"key {n}") for n in range(6)})
        output = self.folder / "good output"
        done = self.run_slurm(build, output)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("6 results of 4 files, complete", done.stdout)
        keys = [json.loads(line)["key"] for line in (output / "results.jsonl").read_text(encoding="utf-8").splitlines()]
        self.assertEqual(sorted(keys), [f"key {n}" for n in range(6)])
        self.assertEqual(len(list(output.glob("shard-?.jsonl"))), 4)

    def test_a_shard_without_tests_is_no_error_and_a_violated_claim_is_the_exit_code(self):
        build = self.build_with("small build", {"one": self.writes("a"), "two": self.writes("b", "violated")})
        done = self.run_slurm(build, self.folder / "small output")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("2 results of 4 files, complete", done.stdout)

    def test_a_test_that_fails_without_a_result_is_an_error(self):
        build = self.build_with("crashing build", {"one": self.writes("a"), "two": "exit 1", "three": self.writes("c")})
        done = self.run_slurm(build, self.folder / "crashing output")
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertIn("2 results of 4 files, complete", done.stdout)
        self.assertRegex(done.stdout, "tests of shard [0-3] failed for another reason")

    def test_a_shard_whose_job_dies_is_an_error_and_the_others_are_merged(self):
        kill = self.writes("b") + '; scancel --signal=KILL --full "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"; sleep 20'
        build = self.build_with("dying build", {"one": self.writes("a"), "two": kill, "three": self.writes("c"), "four": self.writes("d")})
        output = self.folder / "dying output"
        done = self.run_slurm(build, output)
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertIn("expected 4", done.stdout)
        self.assertIn("shard 1 did not end", done.stdout)
        self.assertIn("3 results", done.stdout)
        self.assertTrue((output / "shard-1.partial.jsonl").exists())

    def test_what_cannot_be_submitted_is_refused(self):
        build = self.build_with("refused build", {"one": self.writes("a")})
        full = self.folder / "full"
        full.mkdir()
        (full / "shard-0.jsonl").write_text(result("old") + "\n", encoding="utf-8")
        for options, text in (((build, full), "which is not empty"), ((self.folder, self.folder / "x"), "no CTestTestfile.cmake"),
                              ((build, self.folder / "100%"), "name another folder")):
            done = self.run_slurm(*options)
            self.assertEqual(done.returncode, 2)
            self.assertIn(text, done.stderr)
        self.assertEqual(self.run_slurm(build, self.folder / "y", shards=0).returncode, 2)

    def test_a_process_is_launched_by_srun(self):
        baselines = self.folder / "baselines of srun"
        environment = {key: value for key, value in os.environ.items() if key != "CI"}
        environment.update(PERFSPEC_LAUNCHER="srun -N1 --exclusive", PERFSPEC_BASELINE_DIR=str(baselines), PERFSPEC_UPDATE_BASELINES="all")
        done = subprocess.run([PROGRAM, TEST_CASE], env=environment, capture_output=True, text=True, check=False, timeout=240)
        self.assertIn(done.returncode, (0, 77), done.stdout + done.stderr)
        files = list(baselines.rglob("*.json"))
        self.assertEqual(len(files), 1, done.stdout + done.stderr)
        jobs = subprocess.run(["scontrol", "show", "jobs", "--oneliner"], capture_output=True, text=True, check=True).stdout
        self.assertGreaterEqual(jobs.count("JobName=env "), 10)


if __name__ == "__main__":
    for program, package in NEEDED.items():
        if shutil.which(program) is None:
            skip(f"{program} is not installed (apt-get install {package})")
    unittest.main(argv=sys.argv[:1])
