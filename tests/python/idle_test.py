#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bodies that return what they hold, and short bodies that compute."""

import unittest

from started_worker import WorkerTest, to
from perfspec import timing
from perfspec.worker import COMPUTES_NOTHING

HELD = 3


class Rule(unittest.TestCase):
    def test_bodies_that_return_what_they_hold_compute_nothing(self):
        held, other = 1, 2

        def nothing():
            pass

        def either():
            """A body with a local name."""
            found = held
            return found
        for body in (lambda: held, lambda: 1.5, lambda: None, lambda: HELD, nothing, either):
            self.assertTrue(timing.computes_nothing(body), body)
        for body in (lambda: held + other, lambda: len("a"), lambda: HELD.real, lambda: [held][0], lambda: held < other,
                     lambda: (held, other), lambda: f"{held}", b"ab".hex, self.computing):
            self.assertFalse(timing.computes_nothing(body), body)

    def computing(self):
        return self.id()


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
        for request in (to("run", subject="made", iterations=20), to("memory", subject="made"), to("run", subject="made", iterations=100)):
            self.assertEqual(process.ask(request), ("error", {"reason": self.REASON, "kind": "body_threw"}))
        for name in ("global", "constant"):
            self.assertEqual(process.ask(to("run", subject=name, iterations=20))[0], "error", name)

    def test_short_bodies_that_compute_are_timed(self):
        process = self.served(self.FILE)
        for name in ("summing", "making", "formatting", "length", "entry", "is_in", "of_c"):
            self.assertEqual(process.ask(to("run", subject=name, iterations=20))[0], "ran", name)

    def test_a_start_and_a_number_that_is_judged_are_not(self):
        process = self.served(self.FILE)
        self.assertEqual(process.ask(to("load", subject="made"))[0], "loaded")
        self.assertEqual(process.ask(to("run", subject="made", iterations=1))[0], "ran")
        self.assertEqual(process.ask(to("value", subject="made")), ("value", {"value": 499500}))


if __name__ == "__main__":
    unittest.main()
