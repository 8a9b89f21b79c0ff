#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The pipelines of ci/pipelines: against the schemas of GitHub and GitLab, and each job's commands with the real tool.

usage: pipelines_test.py <perfspec, the tool>

The commands run in a repository of their own. Scripts replace programs that build or measure; the tool and Git are real. Exit code 77 and a reason
if ci/setup did not install check-jsonschema.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
PIPELINES = ROOT / "ci/pipelines"
SCHEMAS = {"github.yml": ["--builtin-schema", "vendor.github-workflows"],
           "gitlab.yml": ["--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci"]}
PACKAGES = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "perfspec/check-jsonschema"

if not PACKAGES.exists():
    print(f"skipped: check-jsonschema is not installed: no {PACKAGES} (ci/setup)")
    sys.exit(77)
sys.path.append(str(PACKAGES))
sys.path.append(str(pathlib.Path(__file__).resolve().parent / "page"))
sys.dont_write_bytecode = True
from ruamel.yaml import YAML
from sample_results import recorded_result


def read(name):
    return YAML(typ="safe").load((PIPELINES / name).read_text(encoding="utf-8"))


def jobs_of(name):
    """{job: [script of a step]}, but those that install packages; GitLab runs all lines of a job in one shell."""
    if name == "github.yml":
        return {job: [step["run"] for step in about["steps"] if "apt-get" not in step.get("run", "apt-get")] for job, about in read(name)["jobs"].items()}
    return {job: ["\n".join(about["script"])] for job, about in read(name).items() if isinstance(about, dict) and "script" in about}


def help_of(command):
    return subprocess.run([TOOL, *command, "--help"], capture_output=True, text=True, check=False).stdout


def unknown_words(script):
    """The commands and options of the tool in a script that the tool does not have."""
    unknown = []
    for line in script.splitlines():
        found = re.search(r'"?\$TOOL"? (.*)', line)
        if not found:
            continue
        words = found[1].split()
        command = words[:2] if words[0] == "baselines" else words[:1]
        text = help_of(command)
        if "Usage: perfspec " + " ".join(command) not in text:
            unknown.append(" ".join(command))
        unknown += [word for word in words if word.startswith("-") and not re.search(re.escape(word) + r"[ ,=\n]", text)]
    return unknown


def result(key, verdict):
    line = {**recorded_result(), "key": key, "test": key, "verdict": verdict, "failed": verdict == "violated", "waiver": None, "notes": []}
    return json.dumps(line, separators=(",", ":")) + "\n"


def result_with_processes():
    """A result that carries ten processes, which CI has no baselines for."""
    line = json.loads(result("key", "skipped"))
    line["disturbed"] |= {"devices": [], "slowed_device": 0}  # accept refuses what a slowed device measured
    session = line["baseline"]["taken"][0] | {"values": [1.28 + number / 1000 for number in range(10)]}
    line["baseline"].update(action="would_be_recorded", taken=[session], values=[])
    return json.dumps(line, separators=(",", ":")) + "\n"


def two_violated_nights():
    """A file of results for each night, with a claim that another program violated in both."""
    files = {}
    for night in (1, 2):
        line = json.loads(result("other key", "violated"))
        line.update(time=f"2026-10-{night:02}T03:17:00Z", run_id=str(night), baseline=None)
        files[f"2026-10-{night:02}.jsonl"] = json.dumps(line, separators=(",", ":")) + "\n"
    return files


def jobs_of_a_schedule(name):
    """The jobs that run when the clock starts the pipeline."""
    if name == "github.yml":
        as_python = lambda text: text.replace("&&", "and").replace("||", "or").replace("always()", "True").replace("github.event_name", "'schedule'")
        return {job for job, about in read(name)["jobs"].items() if eval(as_python(about["if"]))}
    chosen = set()
    for job in jobs_of(name):
        fits = [rule for rule in read(name)[job]["rules"] if rule["if"] in ('$CI_PIPELINE_SOURCE == "schedule"', "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH")]
        if fits and fits[0].get("when") != "never":
            chosen.add(job)
    return chosen


class Checkout:
    """A repository with a commit, and scripts in place of programs that build, measure and call a server."""

    def __init__(self, verdict):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="perfspec pipeline "))
        self.work, programs = self.folder / "work", self.folder / "programs"
        for folder in (self.work / "build", self.work / "baselines", programs):
            folder.mkdir(parents=True)
        (self.folder / "line").write_text(result("key ", verdict), encoding="utf-8")
        (self.work / "CMakeLists.txt").touch()
        code = 1 if verdict == "violated" else 0
        measures = f'#!/bin/sh\nsed "s/key /key $SHARD$CI_NODE_INDEX/g" "{self.folder}/line" >> "$PERFSPEC_OUTPUT"\nexit {code}\n'
        log = f'#!/bin/sh\necho "$(basename "$0") $*" >> "{self.folder}/log"\nmkdir -p baseline-build\n'
        for path, text in ((programs / "ctest", measures), (self.work / "build/my_tests", measures), (programs / "cmake", log),
                           (programs / "gh", log), (programs / "curl", log), (programs / "date", '#!/bin/sh\necho "$NIGHT"\n')):
            path.write_text(text, encoding="utf-8")
            path.chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "TOOL": str(TOOL),
                            "GIT_CONFIG_GLOBAL": "/dev/null", "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
                            "GITHUB_OUTPUT": str(self.folder / "outputs"), "NUMBER": "7", "RUN": "12", "PERFORMANCE_TOKEN": "token"}
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "--message=first")
        head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=self.work, capture_output=True, text=True, check=True).stdout.strip()
        self.environment.update(TARGET=head, BASE=head, CI_MERGE_REQUEST_DIFF_BASE_SHA=head)
        self.make_origin()

    def make_origin(self):
        """A repository on a server, and its address at GitLab."""
        self.origin = self.folder / "origin.git"
        self.git("clone", "--quiet", "--bare", ".", str(self.origin))
        self.git("remote", "add", "origin", str(self.origin))
        self.environment.update(CI_SERVER_HOST="gitlab.example", CI_PROJECT_PATH="group/project", PERFORMANCE_TOKEN="token", GIT_CONFIG_COUNT="1",
                                GIT_CONFIG_KEY_0=f"url.{self.origin}.insteadOf", GIT_CONFIG_VALUE_0="https://performance:token@gitlab.example/group/project.git")

    def kept(self):
        """The files of the kept results on the server."""
        done = subprocess.run(["git", "ls-tree", "--name-only", "performance-results"], cwd=self.origin, capture_output=True, text=True, check=True)
        return done.stdout.split()

    def keep(self, files):
        """Adds results of other nights to those on the server."""
        for name, text in files.items():
            (self.work / "kept" / name).write_text(text, encoding="utf-8")
        for words in (["add", "--all"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message=nights"],
                      ["push", "--quiet", str(self.origin), "HEAD:performance-results"]):
            self.git("-C", "kept", *words)

    def night(self, name, number):
        """The exit codes of the scheduled job, in a clean working tree, with a result of this verdict."""
        shutil.rmtree(self.work / "kept", ignore_errors=True)
        return self.run(jobs_of(name)["history"], NIGHT=f"2026-11-{number:02}")

    def git(self, *arguments):
        subprocess.run(["git", *arguments], cwd=self.work, check=True, env=self.environment)

    def run(self, scripts, **variables):
        """The exit code of each script, as GitHub runs those with always()."""
        return [subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=self.work, env={**self.environment, **variables},
                               stdout=subprocess.DEVNULL, check=False).returncode for script in scripts]

    def text(self, name):
        path = self.folder / name
        return path.read_text(encoding="utf-8") if path.exists() else ""


class Pipelines(unittest.TestCase):
    def checkout(self, verdict="holds"):
        made = Checkout(verdict)
        self.addCleanup(shutil.rmtree, made.folder, True)
        return made

    def check_schema(self, path, options):
        return subprocess.run([sys.executable, "-m", "check_jsonschema", *options, path], capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": str(PACKAGES)})

    def test_each_pipeline_is_one_by_the_schema_of_its_service(self):
        for name, options in SCHEMAS.items():
            done = self.check_schema(PIPELINES / name, options)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            with tempfile.NamedTemporaryFile("w", suffix=".yml", encoding="utf-8") as wrong:
                wrong.write((PIPELINES / name).read_text(encoding="utf-8").replace("script:", "scripts:").replace("runs-on:", "runs_on:"))
                wrong.flush()
                self.assertNotEqual(self.check_schema(wrong.name, options).returncode, 0)

    def test_each_command_of_the_tool_exists(self):
        for name in SCHEMAS:
            for job, scripts in jobs_of(name).items():
                self.assertEqual(unknown_words("\n".join(scripts)), [], f"{name}, {job}")
        self.assertEqual(unknown_words('"$TOOL" report results.jsonl --max-undecide 10%\n$TOOL reports x'), ["--max-undecide", "reports"])

    def test_github_installs_packages_where_a_hosted_job_builds(self):
        for job, about in read("github.yml")["jobs"].items():
            installs = "apt-get install -y libfmt-dev nlohmann-json3-dev catch2 libcli11-dev" in str(about["steps"])
            self.assertEqual(installs, about["runs-on"] == "ubuntu-24.04", job)

    def test_github_compares_with_the_merge_base_and_comments(self):
        base, build, compare, report, comment, keep = jobs_of("github.yml")["merge-base"]
        for verdict, code in (("holds", 0), ("violated", 1)):
            checkout = self.checkout(verdict)
            self.assertEqual(checkout.run([base, build]), [0, 0])
            self.assertEqual(checkout.run([compare, report, comment, keep]), [1 if code else 0, code, 0, 0])
            self.assertIn(f"### perfspec: 1 {verdict}", checkout.text("summary"))
            self.assertIn("gh pr comment 7 --body-file summary", checkout.text("log"))
            self.assertRegex(checkout.text("outputs"), r"^commit=[0-9a-f]{40}\n$")
            self.assertEqual(checkout.text("log").count("cmake -S ../baseline"), 1)
            self.assertEqual(checkout.run([build]), [0])  # with the baseline build in the cache
            self.assertEqual(checkout.text("log").count("cmake -S ../baseline"), 1)
            shutil.rmtree(checkout.work / "baseline-build")
            self.assertEqual(checkout.run([build]), [0])  # a runner that kept ../baseline

    def judge_shards(self, checkout, scripts, shards, variables):
        for shard in shards:
            checkout.run(scripts, **variables(shard))

    def test_github_merges_shards_and_a_missing_one_is_an_error(self):
        jobs = jobs_of("github.yml")
        for verdict, shards, code in (("holds", (0, 1), 0), ("violated", (0, 1), 1), ("holds", (0,), 4)):
            checkout = self.checkout(verdict)
            self.judge_shards(checkout, jobs["own-runner"], shards, lambda shard: {"SHARD": str(shard)})
            self.assertEqual(checkout.run(jobs["report"]), [0, code])
            self.assertIn("### perfspec:", checkout.text("summary"))

    def test_gitlab_merges_shards_and_a_missing_one_is_an_error(self):
        jobs = jobs_of("gitlab.yml")
        for verdict, shards, code in (("holds", (1, 2), 0), ("violated", (1, 2), 1), ("holds", (1,), 4)):
            checkout = self.checkout(verdict)
            self.judge_shards(checkout, jobs["own-runner"], shards, lambda shard: {"CI_NODE_INDEX": str(shard), "CI_NODE_TOTAL": "2"})
            self.assertEqual(checkout.run(jobs["report"]), [code])
            self.assertTrue((checkout.work / "junit.xml").exists())

    def test_gitlab_compares_with_the_merge_base_and_comments(self):
        for verdict, code in (("holds", 0), ("violated", 1)):
            checkout = self.checkout(verdict)
            for _ in range(2):
                self.assertEqual(checkout.run(jobs_of("gitlab.yml")["merge-base"]), [code])
                shutil.rmtree(checkout.work / "baseline-build")
            self.assertIn("body@summary", checkout.text("log"))

    def test_baselines_are_accepted_from_the_results_of_a_run(self):
        for name in SCHEMAS:
            checkout = self.checkout()
            results = checkout.work / "results.jsonl"
            results.write_text(result_with_processes(), encoding="utf-8")
            accepted = jobs_of(name)["accept"]
            if name == "github.yml":
                accepted = accepted[:2]  # the last step pushes
            codes = checkout.run(accepted)
            self.assertEqual(codes, [0] * len(codes), name)
            self.assertEqual(len(list((checkout.work / "baselines").rglob("*.json"))), 1, name)

    def test_the_clock_starts_the_history_alone(self):
        for name in SCHEMAS:
            self.assertEqual(jobs_of_a_schedule(name), {"history"}, name)

    def test_history_keeps_the_results_of_each_night(self):
        for name in SCHEMAS:
            checkout = self.checkout()
            for number, limit in ((3, 1), (1, 0), (2, 0)):  # the server refuses what the first night pushes
                checkout.git("--git-dir", str(checkout.origin), "config", "receive.maxInputSize", str(limit))
                self.assertEqual(set(checkout.night(name, number)) == {0}, limit == 0, name)
            self.assertEqual(checkout.kept(), ["2026-11-01.jsonl", "2026-11-02.jsonl"], name)
            self.assertTrue((checkout.work / "history.html").exists(), name)

    def test_history_fails_where_a_key_was_violated_twice(self):
        for name in SCHEMAS:
            checkout = self.checkout()
            checkout.night(name, 1)
            checkout.keep(two_violated_nights())
            self.assertEqual(checkout.night(name, 2)[-1], 1, name)
            self.assertEqual(len(checkout.kept()), 4, name)

    def test_history_keeps_the_results_of_a_violation_and_fails(self):
        for name in SCHEMAS:
            checkout = self.checkout("violated")
            self.assertIn(1, checkout.night(name, 1), name)
            self.assertEqual(checkout.kept(), ["2026-11-01.jsonl"], name)

    def test_history_does_not_restart_without_its_server(self):
        for name in SCHEMAS:
            checkout = self.checkout()
            checkout.night(name, 1)
            checkout.origin.rename(checkout.folder / "away.git")
            self.assertIn(128, checkout.night(name, 2), name)
            self.assertFalse((checkout.work / "kept").exists(), name)

    def test_history_fails_where_nothing_was_measured(self):
        for name in SCHEMAS:
            checkout = self.checkout()
            (checkout.work / "build/my_tests").write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
            self.assertNotEqual(set(checkout.night(name, 1)), {0}, name)

    def test_bash_finds_no_fault_in_the_scripts(self):
        if shutil.which("shellcheck") is None:
            self.skipTest("shellcheck is not installed")
        for name in SCHEMAS:
            for job, scripts in jobs_of(name).items():
                for script in scripts:
                    done = subprocess.run(["shellcheck", "--shell=bash", "--severity=warning", "-"], input=script, capture_output=True, text=True, check=False)
                    self.assertEqual(done.returncode, 0, f"{name}, {job}: {done.stdout}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
