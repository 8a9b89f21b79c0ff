#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Pull requests of a scratch project as CI judges them, by the text of the pages: the first claims, a change that costs nothing, a slower one, and that one
accepted.

usage: pull_request_test.py recipe <prefix of an installed perfspec>    the first recipe of ci/README.md, in a shallow clone of one branch
       pull_request_test.py github <source folder of perfspec>          the job merge-base of ci/pipelines/github.yml, in a clone
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAY, PERFSPEC = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()

LIBRARY = """cmake_minimum_required(VERSION 3.16)
project(mine LANGUAGES CXX)
add_library(sums sums.cpp)
"""
TESTS = """enable_testing()
PERFSPEC
add_executable(my_tests sum_test.cpp)
target_link_libraries(my_tests PRIVATE sums perfspec::catch2_main)
perfspec_discover_tests(my_tests)
""".replace("PERFSPEC", "find_package(perfspec REQUIRED)" if WAY == "recipe" else f"""include(FetchContent)
FetchContent_Declare(perfspec SOURCE_DIR {PERFSPEC})
FetchContent_MakeAvailable(perfspec)""")
SUMS = """#include <vector>

unsigned sum(const std::vector<unsigned>& numbers) {
    unsigned result = 0;
    for (int pass = 0; pass < PASSES; ++pass)
        for (const unsigned n : numbers) result = result * 31 + n;
    return result;
}
"""
CLAIM = """#include <perfspec/catch2.hpp>

#include <vector>

unsigned sum(const std::vector<unsigned>& numbers);

TEST_CASE("a sum is no slower than before") {
    auto sums = perfspec::subject("sum", [numbers = std::vector<unsigned>(10'000, 7)] { return sum(numbers); });
    PERF_CHECK(latency(sums) < 1.2 * baseline());
}
"""
WAIVER = """{"waivers": [{"key": "a sum is no slower than before / latency(sum)", "ceiling": "300%", "until": "2999-12-31",
    "reason": "sums are exact now", "owner": "the team"}]}
"""
# Each with its changed files, the exit code of CI, and what it has to print. The next one begins where the last green one ended.
PULL_REQUESTS = [
    ("first-claim", {"CMakeLists.txt": LIBRARY + TESTS, "sum_test.cpp": CLAIM}, 0, "1 new"),
    ("unchanged", {"notes.txt": "Sums are fast."}, 0, "1 holds"),
    ("slower", {"sums.cpp": SUMS.replace("PASSES", "3")}, 1, "1 violated"),
    ("accepted", {"sums.cpp": SUMS.replace("PASSES", "3"), "baselines/perfspec.json": WAIVER}, 0, "waived"),
]


class Repository:
    """A repository on a server, and a clone of a runner that keeps its folders."""

    def __init__(self, folder):
        self.work, self.origin, self.author = folder / "runner/work", folder / "origin.git", folder / "author"
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("PERFSPEC_", "CTEST_", "GIT_"))}
        self.environment.update(CI="true", GIT_CONFIG_GLOBAL="/dev/null", PATH=f"{PERFSPEC}/bin:{os.environ['PATH']}", CMAKE_GENERATOR="Ninja")
        for key in ("AUTHOR", "COMMITTER"):
            self.environment.update({f"GIT_{key}_NAME": "A developer", f"GIT_{key}_EMAIL": "developer@example.org"})
        self.run("git", "init", "--quiet", "--bare", "--initial-branch=main", self.origin, at=folder)
        self.run("git", "clone", "--quiet", self.origin, self.author, at=folder)
        self.run("git", "switch", "--quiet", "--create", "main")
        self.push("main", {"CMakeLists.txt": LIBRARY, "sums.cpp": SUMS.replace("PASSES", "1")})

    def run(self, *command, at=None, **variables):
        """What a command printed, which has to succeed."""
        return subprocess.run(command, cwd=at or self.author, env={**self.environment, **variables}, check=True, stdout=subprocess.PIPE, text=True).stdout

    def push(self, branch, files):
        for name, text in files.items():
            (self.author / name).parent.mkdir(exist_ok=True)
            (self.author / name).write_text(text, encoding="utf-8")
        self.run("git", "add", ".")
        self.run("git", "commit", "--quiet", "--message", branch)
        self.run("git", "push", "--quiet", "origin", f"HEAD:{branch}")

    def check_out(self, branch):
        """At first in a new clone."""
        if self.work.exists():
            self.run("git", "fetch", "--quiet", "origin", branch, at=self.work)
            self.run("git", "checkout", "--quiet", "FETCH_HEAD", at=self.work)
        else:
            depth = ["--depth=1", "--single-branch"] if WAY == "recipe" else []
            self.run("git", "clone", "--quiet", *depth, "--branch", branch, f"file://{self.origin}", self.work, at=self.author)

    def judge(self, script, **variables):
        """The exit code of a script of CI, and what it printed."""
        done = subprocess.run(["bash", "-e", "-c", script], cwd=self.work, env={**self.environment, **variables}, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout


def recipe(repository):
    page = (ROOT / "ci/README.md").read_text(encoding="utf-8")
    script = re.search(r"^## First recipe:.*?^```bash\n(.*?)^```", page, re.M | re.S)[1]
    return repository.judge(script, CMAKE_PREFIX_PATH=str(PERFSPEC))


def github(repository):
    """The steps of the job as GitHub runs them, but those that install packages and write a comment."""
    job = re.search(r"^  merge-base:\n(.*?)^  \S", (ROOT / "ci/pipelines/github.yml").read_text(encoding="utf-8"), re.M | re.S)[1]
    tool = re.search(r"^  TOOL: (.*)$", (ROOT / "ci/pipelines/github.yml").read_text(encoding="utf-8"), re.M)[1]
    variables = {"TOOL": tool, "TARGET": repository.run("git", "rev-parse", "origin/main").strip()}
    last, printed = 0, ""
    for step in re.split(r"^      - ", job, flags=re.M):
        script = re.search(r"^        run: (?:\|\n)?(.*)", step, re.M | re.S)
        if not script or "apt-get" in step or "gh pr" in step or (last and "if: always()" not in step):
            continue
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as output:
            code, text = repository.judge(script[1], GITHUB_OUTPUT=output.name, GITHUB_STEP_SUMMARY="/dev/stdout", **variables)
            variables["BASE"] = output.read().strip().removeprefix("commit=") or variables.get("BASE", "")
        last, printed = code or last, printed + text
    return last, printed


def judge_all(repository):
    """How many pull requests have another result than expected."""
    wrong = 0
    for branch, files, expected, words in PULL_REQUESTS:
        repository.push(branch, files)
        repository.check_out(branch)
        code, printed = recipe(repository) if WAY == "recipe" else github(repository)
        print(f"== {branch}\n{printed}\n== {branch}: exit code {code}, {expected} expected, with \"{words}\"", flush=True)
        wrong += code != expected or words not in printed
        if expected == 0:
            repository.run("git", "push", "--quiet", "origin", "HEAD:main")
        else:
            repository.run("git", "reset", "--quiet", "--hard", "origin/main")
    return wrong


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="perfspec pull request ") as scratch:
        found = judge_all(Repository(pathlib.Path(scratch)))
    sys.exit(f"{found} of {len(PULL_REQUESTS)} pull requests have another result than expected" if found else 0)
