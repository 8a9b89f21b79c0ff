# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The flow from a run in CI that fails to one that passes: results as artifact, `perfspec accept`, a diff to review, a commit.

accept_flow.py PROGRAM TOOL: a test program whose machine is scripted (accept_flow_program.cpp), and the tool. Each command of a message is
pasted into a shell unchanged.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

OWN = ("PERFSPEC_", "GIT_", "GITHUB_", "GITLAB_", "BUILDKITE", "TF_BUILD", "TEAMCITY_", "JENKINS_", "CODEBUILD_", "CI")


def environment(**variables):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OWN)}
    return kept | {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a",
                   "GIT_COMMITTER_EMAIL": "a@example.org"} | variables


BUSY = "run it again when the machine has less to do"


def run(command, folder, expected=0, **variables):
    """Standard output and error of a command (a list), or of a line for the shell."""
    done = subprocess.run(command, shell=isinstance(command, str), cwd=folder, env=environment(**variables), capture_output=True, text=True,
                          check=False)
    text = done.stdout + done.stderr
    if done.returncode != expected:
        if BUSY in text:  # otherwise disturbed processes are refused, and the flow ends
            print(f"skipped, because the machine has too much to do: {next(line for line in text.splitlines() if BUSY in line).strip()}")
            sys.exit(77)
        sys.exit(f"{command} in {folder} ended with {done.returncode}, expected {expected}:\n{text}")
    return text


def expect(what, text):
    if what not in text and what not in " ".join(text.split()):
        sys.exit(f"expected {what!r} in:\n{text}")


class Flow:
    def __init__(self, folder, program, tool):
        self.program = program
        self.path = f"{pathlib.Path(tool).parent}:{os.environ['PATH']}"
        self.project = folder / "project"
        self.runner = folder / "runner"
        self.artifact = self.runner / "results.jsonl"
        self.project.mkdir()
        run("git init -q -b main && mkdir baselines && echo Baselines > baselines/README && git add . && git commit -q -m first", self.project)
        run(["git", "clone", "-q", str(self.project), str(self.runner)], folder)

    def in_ci(self, expected, microseconds, **variables):
        """Runs a job and returns its output; its results are the artifact."""
        run("git pull -q && rm -f results.jsonl", self.runner)
        return run([self.program], self.runner, expected, CI="true", PERFSPEC_OUTPUT="results.jsonl", FLOW_CPU="Runner 9000",
                   FLOW_MICROSECONDS=str(microseconds), **variables)

    def paste(self, command):
        """At the top of a checkout, the artifact beside."""
        shutil.copy(self.artifact, self.project)
        return run(command, self.project, PATH=self.path)

    def result(self):
        return json.loads(self.artifact.read_text().splitlines()[-1])

    def commit(self):
        run("rm -f results.jsonl && git add baselines && git commit -q -m baselines", self.project)


def unknown_hardware(flow):
    text = flow.in_ci(77, 200)
    if "the file that asserts is compiled with" in text:
        print("nothing is judged in this build")
        sys.exit(77)
    expect("skipped no baselines for hardware \"runner-9000-1c\" are committed; to store what this run measured as baselines: ", text)
    summary = next(line for line in text.splitlines() if line.startswith("  1 x skipped: "))  # breaks no command
    command = summary.rsplit(": ", 1)[1]
    expect(": recorded: 200", flow.paste(command))
    expect("?? baselines/runner-9000-1c/", run("git status --short", flow.project))
    flow.commit()
    expect("holds", flow.in_ci(0, 200))


def regression(flow):
    text = flow.in_ci(42, 400, GITHUB_ACTIONS="true")
    expect("violated", text)
    expect("\n::error file=", text)
    expect("results.jsonl: no such file", run("perfspec report results.jsonl", flow.project, 2, PATH=flow.path))
    run("perfspec report results.jsonl", flow.runner, 1, PATH=flow.path)
    command = flow.result()["commands"]["from CI"]
    expect(f"  from CI: {command}\n", text)
    expect(": updated: was 200", flow.paste(command))
    changed = run("git diff --numstat", flow.project).split()
    if changed[:2] != ["1", "1"] or len(changed) != 3:  # the line of the recording session, and nothing else
        sys.exit(f"expected one changed line of one file, found {changed}")
    diff = run("git diff -U0", flow.project)
    expect('\n+        {"values": [40', diff)
    expect(flow.result()["commit"], diff)
    flow.commit()
    expect("holds", flow.in_ci(0, 400))


def nothing_to_do_twice(flow):
    expect("nothing to accept", flow.paste("perfspec accept results.jsonl"))
    if run("git diff", flow.project):
        sys.exit("accepting where every claim holds changed something")
    expect("no faults", run("perfspec baselines verify", flow.project, PATH=flow.path))


def main():
    program, tool = (os.path.abspath(path) for path in sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="perfspec-flow-") as folder:
        flow = Flow(pathlib.Path(folder), program, tool)
        for step in (unknown_hardware, regression, nothing_to_do_twice):
            step(flow)
            print(f"{step.__name__}: as it should be")


main()
