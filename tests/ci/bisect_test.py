#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""ci/bisect on small histories. The test program is a script that writes the many results of its commit."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BISECT = pathlib.Path(__file__).resolve().parents[2] / "ci" / "bisect"
# Refuses variables that are no options, as every program of perfspec.
PROGRAM = """#!/bin/sh
if env | grep '^PERFSPEC_' | grep -qvE '^PERFSPEC_(BASELINE_BUILD|CI|OUTPUT|ALLOW_REGRESSION|FALSE_PASS|FALSE_FAILURE|BUDGET)='; then exit 2; fi
echo "against $PERFSPEC_BASELINE_BUILD, false pass $PERFSPEC_FALSE_PASS, false failure ${PERFSPEC_FALSE_FAILURE:-usual}, regression ${PERFSPEC_ALLOW_REGRESSION:-none}, arguments $*" >> "$(dirname "$0")/../../calls.txt"
failed=false
[ VERDICT = violated ] && failed=true
[ -z "$PERFSPEC_ALLOW_REGRESSION" ] || [ SIZE = large ] || { [ VERDICT = violated ] && { echo '{"kind":"result","verdict":"holds","failed":false}' > "$PERFSPEC_OUTPUT"; exit; }; }
verdict=VERDICT
case VERDICT in
    crashed) echo '{"kind":"result","verdict":"holds","failed":false}' > "$PERFSPEC_OUTPUT"; exit 139 ;;
    unfinished) verdict=holds; echo '{"kind":"started","key":"b"}' > "$PERFSPEC_OUTPUT" ;;
    partly_judged) echo '{"kind":"result","verdict":"holds","failed":false}' > "$PERFSPEC_OUTPUT"; verdict=skipped ;;
esac
yes '{"kind":"result","verdict":"'$verdict'","failed":'$failed',"comparison":"<"}' | head -n 3000 >> "$PERFSPEC_OUTPUT"
"""
BUILD = "mkdir -p build && cp program build/program && chmod +x build/program && ! grep -q broken program"


class Bisect(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="perfspec-bisect-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.repository = self.folder / "history"
        self.repository.mkdir()
        self.start_repository()

    def start_repository(self):
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "A developer")
        self.git("config", "user.email", "developer@example.org")

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.repository, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, number, verdict, size="small", broken=False):
        text = PROGRAM.replace("VERDICT", verdict).replace("SIZE", size) + f"# {number}{' broken' if broken else ''}\n"
        (self.repository / "program").write_text(text, encoding="utf-8")
        self.git("add", "program")
        self.git("commit", "-q", "-m", f"change {number}")

    def history(self, *verdicts):
        for number, verdict in enumerate(verdicts):
            self.commit(number, verdict)

    def bisect(self, *more, good=None, build=BUILD, folder="work", **variables):
        first = self.git("rev-list", "--max-parents=0", "HEAD") if good is None else good
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PERFSPEC_")}
        return subprocess.run(
            [BISECT, "--repository", self.repository, "--good", first, "--build", build, "--program", "build/program",
             "--folder", self.folder / folder, *more], capture_output=True, text=True, check=False, env={**environment, **variables})

    def states(self, *states):
        """A commit for each pair: the bytes of the program, and the verdict that it reads from another file."""
        text = PROGRAM.replace("VERDICT", '$(cat "$(dirname "$0")/../state")')
        for number, (program, state) in enumerate(states):
            (self.repository / "program").write_text(f"{text}# {program}\n", encoding="utf-8")
            (self.repository / "state").write_text(state, encoding="utf-8")
            (self.repository / "number").write_text(f"{number}", encoding="utf-8")
            self.git("add", ".")
            self.git("commit", "-q", "-m", f"state {number}")

    def test_it_finds_the_first_slow_commit(self):
        self.history(*["holds"] * 9, *["violated"] * 7)
        done = self.bisect()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"the first commit that violates a claim: [0-9a-f]+ change 9 \(A developer, ")
        self.assertIn("Compared with its parent alone, it is violated, too", done.stdout)
        # A false pass rate of 5 %, as in other runs, could lead a quarter of all bisections of six steps astray.
        self.assertIn("against " + str(self.folder / "work/good/build/program") + ", false pass 0.001", (self.folder / "work/calls.txt").read_text())

    def test_a_commit_that_changes_no_code_is_in_doubt(self):
        self.states(("a", "holds"), ("a", "holds"), ("a", "violated"), ("a", "violated"))
        first = self.git("rev-parse", "HEAD~3")
        done = self.bisect(good=first)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("In doubt: its program has the same machine code", done.stdout)

    def test_a_commit_that_changes_no_byte_has_the_verdict_of_its_parent(self):
        self.states(("a", "holds"), ("a", "violated"), ("a", "violated"), ("b", "violated"), ("b", "holds"), ("b", "violated"))
        done = self.bisect(good=self.git("rev-parse", "HEAD~5"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, "holds with the same bytes: [0-9a-f]+ state 2")
        self.assertIn(" state 3 (", done.stdout)
        self.assertIn("violated, too, at a false-failure rate of 1e-5", done.stdout)
        calls = (self.folder / "work/calls.txt").read_text().splitlines()
        self.assertEqual([call.split("false failure ")[1].split(",")[0] for call in calls], ["usual", "1e-5"])

    def test_a_file_that_the_program_reads_is_found_though_the_program_changes_before(self):
        self.states(("a", "holds"), ("b", "holds"), ("b", "holds"), ("b", "violated"), ("b", "violated"))
        done = self.bisect(good=self.git("rev-parse", "HEAD~4"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Searching again", done.stdout)
        self.assertIn(" state 3 (", done.stdout)

    def test_a_program_whose_library_changes_is_not_the_same(self):
        build = ("echo 'int n = SIZE;' | sed s/SIZE/$(cat number)/ | gcc -x c -shared -o liba.so - && "
                 "mkdir -p build && echo 'int main(void) { return 0; }' | gcc -x c -o build/program - -Wl,--no-as-needed,-rpath,$PWD -L. -la")
        for number in range(2):
            (self.repository / "number").write_text(f"{number}", encoding="utf-8")
            self.git("add", ".")
            self.git("commit", "-q", "-m", f"number {number}")
        trees = [self.folder / name for name in ("good", "step", "twin")]
        for tree, commit in zip(trees, ("HEAD~1", "HEAD", "HEAD~1")):
            self.git("worktree", "add", "-q", "--detach", tree, commit)
            subprocess.run(["bash", "-c", build], cwd=tree, check=True)
        script = ("set --; eval \"$(sed -n '/^code_of()/,/^bytes_of()/p' " + str(BISECT) + ")\"; program=build/program; folder=$PWD; "
                  "for t in good step twin; do (cd $t && bytes_of $folder/$t); done")
        good, step, twin = subprocess.run(["bash", "-c", script], cwd=self.folder, check=True, capture_output=True, text=True).stdout.splitlines()
        self.assertNotEqual(good, step)
        self.assertEqual(good, twin)

    def test_a_step_near_its_bound_is_marked(self):
        line = (',"key":"x","bound":100,"measured":{"value":101,"low":100.5,"high":102,"level":0.95},"evidence":{"processes":18},'
                '"baseline":{"median":90')
        text = PROGRAM.replace('"comparison":"<"}', '"comparison":"<"' + line + "}}")
        for number, verdict in enumerate(("holds", "violated")):
            (self.repository / "program").write_text(text.replace("VERDICT", verdict) + f"# {number}\n", encoding="utf-8")
            self.git("add", ".")
            self.git("commit", "-q", "-m", f"near {number}")
        done = self.bisect(good=self.git("rev-parse", "HEAD~1"))
        self.assertRegex(done.stdout, r"violated: [0-9a-f]+ near 1 \(near its bound\)")
        self.assertIn("  x: +12.2 % (+11.7 .. +13.3, 95 %) in 18 process pairs\n", done.stdout)

    def test_commits_that_cannot_be_judged_are_skipped(self):
        self.history("holds", "holds", "undecided", "error", "skipped", "holds", "violated", "violated")
        done = self.bisect()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(" change 6 (", done.stdout)

    def test_a_crash_or_a_claim_that_is_skipped_beside_one_that_holds_is_not_good(self):
        for odd in ("crashed", "partly_judged", "unfinished"):
            with self.subTest(odd=odd):
                self.repository = self.folder / odd
                self.repository.mkdir()
                self.start_repository()
                self.history("holds", "holds", "violated", odd, "violated", "violated", "violated")  # odd is the first step
                done = self.bisect(folder=f"work_{odd}")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn(" change 2 (", done.stdout)

    def test_commits_that_do_not_build_are_skipped_and_an_ambiguous_end_is_reported(self):
        for number in range(8):
            self.commit(number, "holds" if number < 4 else "violated", broken=number == 4)
        done = self.bisect()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("found no single commit", done.stdout)
        self.assertIn("does not build: ", done.stdout)

    def test_a_regression_that_is_allowed_shows_the_large_one(self):
        for number in range(12):
            self.commit(number, "holds" if number < 3 else "violated", "large" if number >= 8 else "small")
        self.assertIn(" change 3 (", self.bisect().stdout)
        self.assertIn(" change 8 (", self.bisect(folder="second", PERFSPEC_ALLOW_REGRESSION="50%").stdout)

    def test_arguments_reach_the_program(self):
        self.history("holds", "violated")
        self.bisect("--", "a test case", "--success")
        self.assertIn("arguments a test case --success", (self.folder / "work/calls.txt").read_text())

    def test_each_step_gets_a_test_that_older_commits_lack(self):
        self.history("holds", "holds", "holds", "violated", "violated")
        (self.repository / "tests").mkdir()
        (self.repository / "tests/new.txt").write_text("new\n", encoding="utf-8")
        build = f"{BUILD} && [ -e tests/new.txt ]"
        self.assertEqual(self.bisect(build=build, folder="without").returncode, 2)
        done = self.bisect("--with", "tests/new.txt", "--with", "tests", build=build)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(" change 3 (", done.stdout)
        self.assertFalse((self.folder / "work/step/tests").exists())

    def test_the_answer_is_judged_against_its_parent_or_nothing(self):
        for number, verdict in enumerate(("holds", "holds", "violated", "violated")):
            (self.repository / "new.txt").write_text(f"{number}", encoding="utf-8")
            self.git("add", *["new.txt"] * (number > 0))
            self.commit(number, verdict)
        done = self.bisect("--with", "new.txt", build=f"{BUILD} && git log -1 --format=%s >> ../built.txt")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual((self.folder / "work/built.txt").read_text().splitlines()[-2:], ["change 1", "change 2"])
        done = self.bisect(build=f"{BUILD} && if [ $(basename $PWD) = good ]; then touch new.txt; fi", folder="touched")  # git refuses to overwrite it
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("cannot check out", done.stderr)

    def test_no_regression_is_reported(self):
        self.history("holds", "holds", "holds")
        done = self.bisect()
        self.assertEqual(done.returncode, 1)
        self.assertIn("has nothing to find", done.stdout)

    def test_the_users_tree_branch_and_bisection_stay(self):
        self.history("holds", "holds", "holds", "violated", "violated")
        (self.repository / "program").write_text("my change\n", encoding="utf-8")
        before = self.git("status", "--porcelain", "--branch")
        self.git("bisect", "start")
        self.assertEqual(self.bisect().returncode, 0)
        self.assertEqual(self.git("status", "--porcelain", "--branch"), before)
        self.assertTrue((self.repository / ".git/BISECT_START").exists())
        self.assertEqual(self.git("worktree", "list").count("\n"), 0)

    def test_wrong_input_is_named(self):
        self.history("holds", "violated")
        for more, text in [(["--good", "nowhere"], "nowhere: no commit of"), (["--fast"], "--fast is no option"),
                           (["--program", "/bin/true"], "from the top of the tree"), (["--folder", self.folder], "exists; name one that does not"),
                           (["--build", "false"], "does not build"), (["--with", "nowhere.cpp"], "no file or folder below"), (["--good", "HEAD", "--bad", "HEAD~1"], "is no ancestor of")]:
            with self.subTest(more=more):
                done = self.bisect(*more, folder=f"work{len(str(more))}")
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
