#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bodies whose calls take no longer than those of an empty function, and short bodies that compute."""

import itertools
import unittest

from started_worker import WorkerTest
from perfspec import timing
from perfspec.worker import COMPUTES_NOTHING


class Rule(unittest.TestCase):
    """By a scripted clock: seconds of batches of the body, and of the empty function, by turns."""

    def looks_idle(self, body, empty):
        seconds = itertools.chain.from_iterable(zip(itertools.cycle(body), itertools.cycle(empty)))
        readings = itertools.chain.from_iterable((0, each) for each in seconds)
        return timing.looks_idle(lambda: 1, timer=lambda: next(readings))

    def test_calls_that_take_a_twentieth_longer_compute(self):
        found = [self.looks_idle([each], [100]) for each in (90, 100, 104, 106, 200)]
        self.assertEqual(found, [True, True, True, False, False])

    def test_the_fastest_batches_decide(self):
        self.assertTrue(self.looks_idle([900, 900, 102], [700, 100, 700]))
        self.assertFalse(self.looks_idle([900, 900, 320], [700, 100, 700]))


class Refused(WorkerTest):
    FILE = """
def idle(name, body):
    perfspec.subject(name)(lambda: body)
y = sum(range(1000))
@perfspec.subject
def made():
    y = sum(range(1000))
    return lambda: y
idle("global", lambda: y)
idle("constant", lambda: 1.5)
xs, entries = [1, 2, 3], {1: 2}
idle("length", lambda: len(xs))
idle("entry", lambda: entries[1])
idle("is_in", lambda: 1 in entries)
idle("of_c", b"ab".hex)
idle("summing", lambda: sum([1, 2, 3]))
idle("making", lambda: {each: y for each in "ab"})
idle("formatting", lambda: f"{y} {y}")
"""
    REASON = "the body of made " + COMPUTES_NOTHING

    def test_its_times_and_its_memory_are_refused(self):
        process = self.served(self.FILE)
        for request in ("run subject=made iterations=20", "memory subject=made", "run subject=made iterations=100"):
            self.assertEqual(process.ask(request), ("invalid", {"reason": self.REASON, "kind": "body_threw"}))
        for name in ("global", "constant"):
            self.assertEqual(process.ask(f"run subject={name} iterations=20")[0], "invalid", name)

    def test_short_bodies_that_compute_are_timed(self):
        process = self.served(self.FILE)
        for name in ("summing", "making", "formatting", "length", "entry", "is_in", "of_c"):
            self.assertEqual(process.ask(f"run subject={name} iterations=20")[0], "ran", name)

    def test_a_start_and_a_number_that_is_judged_are_not(self):
        process = self.served(self.FILE)
        self.assertEqual(process.ask("load subject=made")[0], "loaded")
        self.assertEqual(process.ask("run subject=made iterations=1")[0], "ran")
        self.assertEqual(process.ask("value subject=made"), ("value", {"value": "499500"}))


if __name__ == "__main__":
    unittest.main()
