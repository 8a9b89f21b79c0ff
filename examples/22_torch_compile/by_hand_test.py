#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The loops of by_hand.py: by a clock that is written down here, and once with torch."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

import by_hand

FOLDER = pathlib.Path(__file__).resolve().parent


class Scripted:
    """A clock that only calls move on: the first body by these times, the second by those."""

    def __init__(self, first, second):
        self.now, self.order, self.times = 0, [], {"first": list(first), "second": list(second)}

    def __call__(self):
        return self.now

    def body(self, name):
        def call():
            self.order.append(name)
            self.now += self.times[name].pop(0)

        return call


class InTurn(unittest.TestCase):
    def found(self, first, second, pairs, least_ns=0):
        self.clock = Scripted(first, second)
        return by_hand.in_turn(self.clock.body("first"), self.clock.body("second"), pairs=pairs, least_ns=least_ns, clock=self.clock)

    def test_the_speedup_is_the_median_of_the_ratios_of_neighbors(self):
        # ratios 2, 40 and 1; the ratio of the medians would be 1.5, that of the sums 12.2
        self.assertEqual(self.found([20, 400, 30], [10, 10, 30], 3).speedup, 2.0)

    def test_both_are_called_by_turns_and_equally_often(self):
        self.found([1] * 3, [1] * 3, 3)
        self.assertEqual(self.clock.order, ["first", "second"] * 3)

    def test_goes_on_until_the_time_has_passed(self):
        self.assertEqual(self.found([30] * 9, [20] * 9, 1, least_ns=101).samples, 3)

    def test_does_not_end_before_it_has_its_pairs(self):
        self.assertEqual(self.found([30] * 9, [20] * 9, 4, least_ns=1).samples, 4)


class Interval(unittest.TestCase):
    def test_is_that_of_the_tables_of_the_sign_test(self):
        # ranks of 95 % in any table for the median: 6: 1 and 6; 10: 2 and 9; 20: 6 and 15; 30: 10 and 21; 100: 40 and 61
        for count, low, high in ((6, 1, 6), (10, 2, 9), (20, 6, 15), (30, 10, 21), (100, 40, 61)):
            self.assertEqual(by_hand.median_interval(list(range(count, 0, -1))), (low, high))

    def test_of_few_values_is_all_of_them(self):
        self.assertEqual([by_hand.median_interval(each) for each in ([7], [1, 2], [3, 1, 2, 5, 4])], [(7, 7), (1, 2), (1, 5)])


class Program(unittest.TestCase):
    def run_it(self, *words):
        done = subprocess.run([sys.executable, str(FOLDER / "by_hand.py"), str(FOLDER / "suite_models.py"), *words], capture_output=True, text=True,
                              env={**os.environ, "OMP_NUM_THREADS": "1"}, check=False)
        if done.returncode == 77:
            self.skipTest(done.stdout.strip())
        return done

    def test_measures_subjects_of_perfspec_by_both_loops(self):
        done = self.run_it("block eager", "block compiled")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([each["way"] for each in lines], ["in turn", "Timer"])
        for each in lines:
            self.assertTrue(0 < each["low"] <= each["speedup"] <= each["high"], each)
            self.assertGreater(each["samples"], 0)

    def test_says_which_subjects_there_are(self):
        done = self.run_it("block eagr", "block compiled")
        self.assertEqual(done.returncode, 1)
        self.assertIn("by_hand.py: there is no subject block eagr, did you mean block eager?", done.stderr)


if __name__ == "__main__":
    unittest.main()
