#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What `perfspec accept` does when it is killed, when the disk is full or read-only, and when results are hostile: the stored file is the old one or the
new one, and the message says what to mend.

usage: accept_faults.py <perfspec, the tool> <a file of results with a violated claim on a baseline>
"""
import copy
import itertools
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

TOOL, EXAMPLE = sys.argv[1:3]
KEYS = [f"case {i} / latency(f)" for i in range(20)]


def example():
    """A violated claim that carries a launch."""
    with open(EXAMPLE, encoding="utf-8") as lines:
        return next(r for r in map(json.loads, lines) if r["kind"] == "result" and (r.get("baseline") or {}).get("taken"))


def line_of(key, value):
    result = copy.deepcopy(example())
    result["key"] = key
    result["disturbed"] |= {"devices": [], "slowed_device": 0}  # accept refuses what a slowed device measured
    session = result["baseline"]["taken"][0]
    session |= {m: value for m in ("q1", "q3", "p90", "p99")} | {"values": [value * (1 + 0.001 * i) for i in range(10)]}
    return json.dumps(result)


def perfspec(*arguments, **options):
    return subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, check=False, **options)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="perfspec-faults-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.baselines = self.folder / "baselines"

    def results(self, value, keys=KEYS):
        path = self.folder / f"{value}.jsonl"
        path.write_text("".join(line_of(key, value) + "\n" for key in keys), encoding="utf-8")
        return path

    def values(self):
        """The value of the first launch of each key."""
        [file] = self.baselines.rglob("*.json")
        return {key: entry["sessions"][0]["values"][0] for key, entry in json.loads(file.read_text(encoding="utf-8"))["entries"].items()}


class Killed(Folder):
    def seconds_whole(self, results):
        """The shortest of five: what a first run reads from the disk, or a busy machine adds, would let most runs end before their kill."""
        seconds = []
        for _ in range(5):
            began = time.monotonic()
            done = perfspec("accept", results, "--baseline-dir", self.baselines, "--force")
            seconds.append(time.monotonic() - began)
            self.assertEqual(done.returncode, 0, done.stderr)
        return min(seconds)

    def killed_after(self, results, seconds):
        """Whether the kill came before the end."""
        command = [TOOL, "accept", results, "--baseline-dir", self.baselines, "--force"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(seconds)
            process.kill()
            return process.wait() != 0

    def test_at_200_moments_it_leaves_whole_entries_and_nothing_in_the_way(self):
        sides = [self.results(1.0), self.results(2.0)]
        whole = self.seconds_whole(sides[0])
        draw = random.Random(9)
        interrupted = 0
        for i in itertools.count():
            interrupted += self.killed_after(sides[1 - i % 2], draw.uniform(0, whole))
            self.assertEqual(set(self.values()), set(KEYS))
            self.assertLessEqual(set(self.values().values()), {1.0, 2.0})
            if interrupted == 200:
                break
            self.assertLess(i, 4000, f"only {interrupted} of {i} runs were interrupted")
        self.assertEqual(perfspec("baselines", "verify", "--baseline-dir", self.baselines).returncode, 0)
        # Values that no killed run knew, so that this one writes: what a killed run left beside the file is taken over by the next write.
        self.assertEqual(perfspec("accept", self.results(3.0), "--baseline-dir", self.baselines, "--force").returncode, 0)
        self.assertEqual(set(self.values().values()), {3.0})
        self.assertEqual([p.name for p in self.baselines.rglob(".*")], [])


class Disk(Folder):
    """In a mount namespace of its own, where the system lets us have one."""

    def accept_on(self, prepare):
        """Accepts 1.0, prepares the disk, accepts 2.0; what the second one said."""
        script = f"""set -e
            mount -t tmpfs -o size=256k perfspec "$1"
            "$2" accept "$3" --baseline-dir "$1/baselines" >&2
            {prepare}
            code=0; "$2" accept "$4" --baseline-dir "$1/baselines" || code=$?
            rm -f "$1/filler"; cp -r "$1/baselines" "$5"; exit $code"""
        if subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("this system gives no mount namespace")
        disk = self.folder / "disk"
        disk.mkdir()
        return subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", disk, TOOL, self.results(1.0),
                               self.results(2.0), self.baselines], capture_output=True, text=True, check=False)

    def assert_old_file_and(self, done, reason):
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn(reason, done.stderr)
        self.assertIn("cannot update", done.stderr)
        self.assertEqual(set(self.values().values()), {1.0})
        self.assertEqual([p.name for p in self.baselines.rglob(".*")], [])

    def test_a_full_disk_keeps_the_old_file(self):
        self.assert_old_file_and(self.accept_on('cat /dev/zero > "$1/filler" 2>/dev/null || true'), "No space left on device")

    def test_a_read_only_disk_is_named(self):
        self.assert_old_file_and(self.accept_on('mount -o remount,ro "$1"'), "Read-only file system")


class Hostile(Folder):
    def refused(self, text, told):
        path = self.folder / "hostile.jsonl"
        path.write_text(text, encoding="utf-8")
        began = time.monotonic()
        done = perfspec("accept", path, "--baseline-dir", self.baselines)
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertIn(told, done.stdout + done.stderr)
        self.assertFalse(self.baselines.exists())
        return time.monotonic() - began

    def test_numbers_that_are_none_are_named_with_their_line(self):
        good = line_of("k", 1.25)
        for number in ("NaN", "1e400", "-1.25", "0"):
            self.refused(good + "\n" + good.replace('"value": 1.25,', f'"value": {number},', 1) + "\n", "hostile.jsonl:2")

    def test_nesting_and_size_cost_nothing(self):
        self.refused("[" * 1_000_000 + "\n", "hostile.jsonl:1")
        self.refused("[" * 200_000_000 + "\n", "hostile.jsonl")

    def test_keys_stay_in_their_folder(self):
        hostile = json.loads(line_of("../../../etc/passwd \x01 \"quoted\" \N{ROCKET}", 1.0))
        hostile |= {"suite": "../../escape", "hardware_key": "../up"}
        path = self.folder / "names.jsonl"
        path.write_text(json.dumps(hostile) + "\n", encoding="utf-8")
        self.assertEqual(perfspec("accept", path, "--baseline-dir", self.baselines).returncode, 0)
        self.assertEqual([p.relative_to(self.folder).parts[0] for p in self.folder.rglob("*.json")], ["baselines"])


if __name__ == "__main__":
    if not os.access(TOOL, os.X_OK):
        sys.exit(f"{TOOL} is no program")
    unittest.main(argv=sys.argv[:1])
