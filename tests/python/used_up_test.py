#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What calls of a body use up: iterators, files, queues."""

import collections
import csv
import functools
import itertools
import tempfile
import types
import unittest

import started_worker  # noqa: F401 finds the module
from perfspec.bodies import reached, used_up
from perfspec.faults import Refusal


def supplied(body):
    """The iterators that a body can reach, and that have something left."""
    return [each.value for each in used_up.supplies_of(body, __file__) if each.entries is None]


class Iterators(unittest.TestCase):
    def test_iterators_that_the_first_call_used_up_are_told_from_others(self):
        def twice(numbers):
            yield from numbers
            yield from numbers

        shared = [1, 2]
        for made, used in ((lambda: iter(shared), True), (lambda: twice(shared), True), (lambda: map(abs, iter(shared)), True),
                           (lambda: zip(shared, iter(shared)), True), (lambda: itertools.cycle(shared), False)):
            held = made()
            self.assertIn(held, supplied(lambda held=held: held))
            for _ in zip(range(5), held):
                pass
            self.assertEqual(used_up.is_used_up(held), used, made)

    def test_an_iterator_is_found_wherever_a_body_can_reach_it(self):
        held = iter([1])
        owner = types.SimpleNamespace(held=held)

        class Model:
            def __init__(self):
                self.held = held

            def call(self):
                return self.held

        of_file = {"held": held}
        exec(compile("def body():\n    return held", __file__, "exec"), of_file)
        for body in (lambda: held, lambda at=held: at, functools.partial(sum, held), Model().call, of_file["body"], lambda: owner.held):
            self.assertEqual(supplied(body), [held])

    def test_a_class_that_makes_up_attributes_is_no_iterator(self):
        class AttributesOfItems(dict):
            __getattr__ = dict.__getitem__

        configuration = AttributesOfItems(n=1)
        self.assertEqual(used_up.supplies_of(lambda: configuration, __file__), [])

    def test_a_file_is_used_up_where_it_is_read_to_its_end(self):
        with tempfile.NamedTemporaryFile("w+") as written:
            written.write("1,2\n" * 10)
            written.flush()
            self.assertFalse(used_up.is_used_up(written.file))  # it is written to
            with open(written.name) as read:
                rows = csv.reader(read)
                self.assertIn(read, supplied(lambda: rows))
                list(rows)
                self.assertTrue(used_up.is_used_up(read))


class Supplies(unittest.TestCase):
    def require(self, body, first_ns, later_ns):
        """What is said of a body, of which the first call takes first_ns and a later one later_ns, by a script; else how many calls were timed."""
        found, supplies = used_up.supplies_of(body, __file__), used_up.Supplies()
        supplies.begin(found, first_ns, body())
        calls = []

        def again():
            calls.append(body())
            return later_ns, calls[-1]

        try:
            for _ in range(3):
                supplies.require_some(again, lambda: reached.reached_by(body, __file__).objects, "draining")
                body()
        except Refusal as refusal:
            return str(refusal)
        return len(calls)

    def test_a_queue_that_the_first_call_empties_leaves_less_to_do(self):
        for make in (lambda: collections.deque(range(20_000)), lambda: list(range(20_000)), lambda: dict.fromkeys(range(20_000)), lambda: set(range(20_000))):
            queue = types.SimpleNamespace(jobs=make())
            kind = type(queue.jobs).__name__

            def body():
                found = len(queue.jobs)
                queue.jobs.clear()
                return found

            self.assertEqual(self.require(body, 1_000, 200), f"calls of the body of draining used up a {kind} of 20000, and later ones have less to do: the first one took "
                             "0.001 ms, and the last one 0.0002 ms: make it in the body, or make a list of it in the function")

    def test_events_whose_handling_returns_the_same_are_gone_where_a_call_takes_very_much_less(self):
        def body():
            events.clear()
            return "handled"

        for later_ns, expected in ((40_000, "used up a list of 8"), (60_000, "1")):  # of 5 ms: some objects set themselves up in the first call
            events = list(range(8))
            self.assertIn(expected, str(self.require(body, 5_000_000, later_ns)))

    def test_what_nobody_can_compare_is_told_by_time_alone(self):
        for first_ns, expected in ((5_000_000, "used up a list of 8"), (10_000, "1")):
            events = list(range(8))
            self.assertIn(expected, str(self.require(lambda: events.clear(), first_ns, 200)))

    def test_a_queue_that_later_calls_empty_is_seen_then(self):
        jobs = list(range(16))
        self.assertIn("used up a list of 16", self.require(lambda: len([jobs.pop() for _ in range(min(8, len(jobs)))]), 1_000, 200))

    def test_a_generator_is_seen_where_later_calls_return_something_else_in_less_time(self):
        for later_ns, expected in ((200, "used up a generator"), (900, "1")):
            epoch = types.SimpleNamespace(batches=(each for each in range(100)))
            self.assertIn(expected, str(self.require(lambda: sum(epoch.batches), 1_000, later_ns)))

    def test_a_file_that_each_call_reads_anew_is_fine(self):
        with tempfile.NamedTemporaryFile("w+") as written:
            written.write("1,2\n" * 10)
            written.flush()
            with open(written.name) as read:
                self.assertEqual(self.require(lambda: [read.seek(0), len(list(read))], 5_000_000, 200), 1)

    def test_what_takes_as_long_without_it_is_fine(self):
        hooks = types.SimpleNamespace(left=[print] * 8)
        self.assertEqual(self.require(lambda: hooks.left.clear(), 5_000_000, 4_900_000), 1)

    def test_a_body_that_fails_without_it_is_left_to_its_next_call(self):
        jobs = list(range(8))

        def body():
            if not jobs:
                raise IndexError
            jobs.clear()

        found, supplies = used_up.supplies_of(body, __file__), used_up.Supplies()
        supplies.begin(found, 5_000_000, body())
        supplies.require_some(body, lambda: [jobs], "draining")
        self.assertEqual(supplies.left, [])

    def test_an_epoch_that_ends_and_begins_anew_is_fine(self):
        """Its first call is the slowest, as most first calls are."""
        epoch = types.SimpleNamespace(left=iter(range(2)))

        def step():
            if next(epoch.left, None) is None:
                epoch.left = iter(range(2))

        self.assertEqual(self.require(step, 5_000_000, 200), 1)

    def test_a_queue_that_is_filled_again_is_fine(self):
        jobs = collections.deque(range(10))

        def body():
            done = [jobs.popleft() for _ in range(len(jobs))]
            jobs.extend(done)

        self.assertEqual(self.require(body, 5_000_000, 200), 0)


if __name__ == "__main__":
    unittest.main()
