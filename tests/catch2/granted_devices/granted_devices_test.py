#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Tests of perfspec_discover_tests(… GPUS 1), run by ctest with resource specifications and a fake driver: each test sees its granted device, and a
grant of a missing device fails.

usage: granted_devices_test.py <ctest> <the build folder of the test program> <prefix of the tests' names> <folder of the driver> [<perfspec>]
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CTEST, BUILD, PREFIX, DRIVER = sys.argv[1:5]
TOOL = sys.argv[5] if len(sys.argv) > 5 else None


def variables(gpus, visible=None):
    """The environment of a machine with GPUs, some of them visible."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("CTEST_RESOURCE") and name != "CUDA_VISIBLE_DEVICES"}
    own.update(LD_LIBRARY_PATH=DRIVER, FAKE_GPUS=str(gpus))
    if visible is not None:
        own["CUDA_VISIBLE_DEVICES"] = visible
    return own


def uuid(number):
    """Of the GPU with that number on the machine."""
    two = f"{number + 1:02x}"
    return f"GPU-{two * 4}-{two * 2}-{two * 2}-{two * 2}-{two * 6}"


def run(environment, *options):
    """The end of ctest, and each test's output: its visible devices, the unique name of the current one, and what a fresh process inherits."""
    done = subprocess.run([CTEST, "--test-dir", BUILD, "-R", f"^{PREFIX}", "-V", "-j4", *options], capture_output=True, text=True, check=False,
                          env=environment)
    uses = {}
    for test, when, device, at, current, inherited in re.findall(r"(\d+): (begin|end) (\S+) (\d+) (\S+) (\S+)\n", done.stdout):
        use = uses.setdefault(test, {"device": set(), "current": set(), "inherited": set()})
        use["device"].add(device)
        use["current"].add(current)
        use["inherited"].add(inherited)
        use[when] = int(at)
    return done, uses


def run_with(ids, environment):
    with tempfile.TemporaryDirectory() as folder:
        spec = pathlib.Path(folder) / "resources.json"
        spec.write_text(json.dumps({"version": {"major": 1, "minor": 0}, "local": [{"gpus": [{"id": one, "slots": 1} for one in ids]}]}),
                        encoding="utf-8")
        return run(environment, "--resource-spec-file", spec)


class GrantedDevices(unittest.TestCase):
    def test_the_device_granted_to_a_test_is_its_current_one(self):
        done, uses = run_with(["4", "7"], variables(8))
        self.assertEqual((done.returncode, len(uses)), (0, 4), done.stdout)
        for use in uses.values():
            self.assertIn(use["device"], ({"4"}, {"7"}))
            self.assertEqual(use["current"], {uuid(int(*use["device"]))})
            self.assertEqual(use["inherited"], use["device"])

    def test_no_two_tests_use_a_device_at_the_same_time(self):
        _, uses = run_with(["4", "7"], variables(8))
        for device in ("4", "7"):
            spans = sorted((use["begin"], use["end"]) for use in uses.values() if use["device"] == {device})
            for (_, end), (begin, _) in zip(spans, spans[1:]):
                self.assertLessEqual(end, begin)

    def test_without_a_specification_all_devices_are_visible(self):
        done, uses = run(variables(8))
        self.assertEqual((done.returncode, len(uses)), (0, 4), done.stdout)
        self.assertEqual({frozenset(use["device"]) for use in uses.values()}, {frozenset({"all"})})

    def test_a_device_that_is_not_there_fails_the_test_and_says_what_to_do(self):
        for ids, environment, said in (
                (["4"], variables(2), 'ctest granted the GPU "4" (CUDA_VISIBLE_DEVICES=4), but the driver shows none to this process: '
                                      "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected"),
                (["1"], variables(8, visible="5"), 'ctest granted the GPU "1", a number, but CUDA_VISIBLE_DEVICES renumbers the GPUs'),
                (["card"], variables(8), 'ctest granted the GPU "card", but no GPU has that name'),
                (["gpu_aa"], variables(8), 'ctest granted the GPU "gpu_aa" (CUDA_VISIBLE_DEVICES=GPU-aa), but the driver shows none'),
                (["0"], {**variables(0), "LD_LIBRARY_PATH": ""}, 'ctest granted the GPU "0" (CUDA_VISIBLE_DEVICES=0), but ')):
            with self.subTest(ids=ids):
                done, uses = run_with(ids, environment)
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(uses, {})
                self.assertIn(said, done.stdout)
                self.assertIn("perfspec doctor --ctest-resources gpus.json", done.stdout)
                self.assertNotIn("Skipped", done.stdout)

    @unittest.skipUnless(TOOL, "the tool is not built")
    def test_the_doctor_writes_a_file_that_ctest_grants_from(self):
        with tempfile.TemporaryDirectory() as folder:
            spec = pathlib.Path(folder) / "gpus.json"
            for visible, expected in ((None, {uuid(0), uuid(1)}), ("5,3", {uuid(5), uuid(3)})):
                with self.subTest(visible=visible):
                    own = variables(2 if visible is None else 8, visible)
                    subprocess.run([TOOL, "doctor", "--ctest-resources", spec], check=True, env=own)
                    done, uses = run({**own, "CUDA_VISIBLE_DEVICES": "0"}, "--resource-spec-file", spec)  # the names hold in any order
                    self.assertEqual((done.returncode, len(uses)), (0, 4), done.stdout)
                    listed = json.loads(spec.read_text(encoding="utf-8"))["local"][0]["gpus"]
                    self.assertEqual({one["id"] for one in listed}, {one.lower().replace("-", "_") for one in expected})
                    self.assertLessEqual(set().union(*(use["current"] for use in uses.values())), expected)  # one after the other: one is enough


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
