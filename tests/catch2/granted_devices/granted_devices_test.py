#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Tests of perfspec_discover_tests(… GPUS 1), run by ctest with a made-up resource specification: each test sees the device granted to it.

usage: granted_devices_test.py <ctest> <the build folder of the test program> <prefix of the tests' names>
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CTEST, BUILD, PREFIX = sys.argv[1:4]


def run(*options):
    """{test: [(device, begin, end)]} of the tests, as ctest ran them."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("CTEST_RESOURCE") and name != "CUDA_VISIBLE_DEVICES"}
    done = subprocess.run([CTEST, "--test-dir", BUILD, "-R", f"^{PREFIX}", "-V", "-j4", *options], capture_output=True, text=True, check=False,
                          env=variables)
    said = re.findall(r"(\d+): (begin|end) (\S+) (\d+)\n", done.stdout)
    uses = {}
    for test, when, device, at in said:
        uses.setdefault(test, {"device": set()})["device"].add(device)
        uses[test][when] = int(at)
    return done, uses


class GrantedDevices(unittest.TestCase):
    def run_with(self, *ids):
        with tempfile.TemporaryDirectory() as folder:
            spec = pathlib.Path(folder) / "resources.json"
            spec.write_text(json.dumps({"version": {"major": 1, "minor": 0}, "local": [{"gpus": [{"id": one, "slots": 1} for one in ids]}]}),
                            encoding="utf-8")
            return run("--resource-spec-file", spec)

    def test_each_test_sees_one_device_of_the_specification(self):
        done, uses = self.run_with("4", "7")
        self.assertEqual((done.returncode, len(uses)), (0, 4), done.stdout)
        for use in uses.values():
            self.assertIn(use["device"], ({"4"}, {"7"}))

    def test_no_two_tests_use_a_device_at_the_same_time(self):
        _, uses = self.run_with("4", "7")
        for device in ("4", "7"):
            spans = sorted((use["begin"], use["end"]) for use in uses.values() if use["device"] == {device})
            for (_, end), (begin, _) in zip(spans, spans[1:]):
                self.assertLessEqual(end, begin)

    def test_without_a_specification_all_devices_are_visible(self):
        done, uses = run()
        self.assertEqual((done.returncode, len(uses)), (0, 4), done.stdout)
        self.assertEqual({frozenset(use["device"]) for use in uses.values()}, {frozenset({"all"})})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
