#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Iterators that the first call of a body uses up, and inputs that a call changes."""

import functools
import importlib.util
import itertools
import types
import unittest

import started_worker  # noqa: F401 finds the module
from perfspec import libraries
from perfspec.bodies import held_inputs
from perfspec.faults import Refusal


class Iterators(unittest.TestCase):
    def test_iterators_that_the_first_call_used_up_are_told_from_others(self):
        def twice(numbers):
            yield from numbers
            yield from numbers

        shared = [1, 2]
        for made, used in ((lambda: iter(shared), True), (lambda: twice(shared), True), (lambda: map(abs, iter(shared)), True),
                           (lambda: zip(shared, iter(shared)), True), (lambda: itertools.cycle(shared), False), (lambda: shared, False)):
            held = made()
            before = held_inputs.unused_iterators(lambda held=held: held)
            self.assertEqual(len(before), 0 if held is shared else 1)
            for _ in zip(range(5), held):
                pass
            self.assertEqual(any(map(held_inputs.is_used_up, before)), used, made)

    def test_an_iterator_is_found_wherever_a_body_holds_it(self):
        held = iter([1])
        owner = types.SimpleNamespace(held=held)

        class Model:
            def __init__(self):
                self.held = held

            def call(self):
                return self.held

        of_file = {"held": held}
        exec("def body():\n    return held", of_file)
        for body in (lambda: held, lambda at=held: at, functools.partial(sum, held), Model().call, of_file["body"]):
            self.assertEqual(held_inputs.unused_iterators(body), [held])
        self.assertEqual(held_inputs.unused_iterators(lambda: owner.held), [])  # within an object nobody looks
        list(held)
        with self.assertRaises(Refusal) as caught:
            held_inputs.require_unused([held], "eager")
        self.assertIn("the first call of the body of eager used up a list_iterator, and later calls find nothing in it", str(caught.exception))


class Inputs(unittest.TestCase):
    def require(self, body, *times):
        """times  of the calls after the first, in nanoseconds, by a script"""
        inputs = held_inputs.inputs_of(body, __file__)
        body()
        left = list(times)

        def timed():
            body()
            return left.pop(0)

        held_inputs.require_as_much_work(held_inputs.changed_among(inputs), timed, "sorting")
        return left

    def test_a_body_that_has_less_to_do_with_what_a_call_leaves_is_refused(self):
        numbers = list(range(100, 0, -1))
        with self.assertRaises(Refusal) as caught:
            self.require(lambda: numbers.sort(), *(20_000_000, 1_000_000) * 5)
        self.assertEqual(str(caught.exception), "the body of sorting changes the list that it reads, and then has less to do: a call takes 20 ms with what "
                                                "was there at first, and 1 ms with what a call leaves: let the body work on a copy")
        self.assertEqual(numbers, list(range(1, 101)))

    def test_a_call_that_is_interrupted_does_not_hide_that_later_ones_have_less_to_do(self):
        less, hidden = (20_000_000, 1_000_000), (20_000_000, 14_000_000)
        for times in (less * 3 + hidden * 2 + less * 7 + hidden * 3, hidden + less * 14):  # 10 and 14 rounds of 15
            numbers = list(range(100, 0, -1))
            with self.assertRaises(Refusal) as caught:
                self.require(lambda: numbers.sort(), *times)
            self.assertIn("a call takes 20 ms with what was there at first, and 1 ms with what a call leaves", str(caught.exception))

    def test_a_body_that_takes_as_long_is_none_and_neither_is_one_of_which_some_calls_are_slow(self):
        same, slow = (20_000_000, 20_000_000), (20_000_000, 1_000_000)
        for times in (same * 5, slow * 2 + same * 3, slow * 3 + same * 6 + slow * 6, (500, 300) * 5):  # at most 9 rounds of 15
            numbers = list(range(100, 0, -1))
            self.assertEqual(self.require(lambda: numbers.sort(), *times), [])

    def test_inputs_that_stay_as_they_are_are_not_timed(self):
        numbers = list(range(100, 0, -1))
        self.assertEqual(self.require(lambda: sorted(numbers), 1), [1])

    def test_a_few_numbers_and_numbers_within_objects_are_seen_where_a_call_sorts_them(self):
        few, box = list(range(20, 0, -1)), types.SimpleNamespace(inner={"numbers": list(range(20, 0, -1))})
        for body, numbers in ((lambda: few.sort(), few), (lambda: box.inner["numbers"].sort(), box.inner["numbers"])):
            with self.assertRaises(Refusal) as caught:
                self.require(body, *(3_000, 800) * 5)
            self.assertIn("the body of sorting changes the list that it reads, and then has less to do: a call takes 0.003 ms", str(caught.exception))
            self.assertEqual(numbers, list(range(1, 21)))

    def test_tables_caches_and_counters_within_objects_may_change(self):
        """They have other elements after a call, and not the same in another order."""
        box = types.SimpleNamespace(table=[0.0] * 200, calls=[0] * 8, seen=[], order=list(range(20)))

        def body():
            box.table[:] = [1.5] * 200
            box.calls[0] += 1
            box.seen.append(1)

        self.assertEqual(self.require(body, *(3_000_000, 800) * 5), [3_000_000, 800] * 5)
        few = [0, 1, 2]  # an index that moves on
        self.assertEqual(self.require(lambda: few.append(few.pop(0)), 1), [1])

    def test_a_list_that_a_call_brings_into_another_order_in_the_same_time_is_fine(self):
        box = types.SimpleNamespace(numbers=list(range(20)))
        for times in ((3_000, 2_900) * 5, (3_000, 800) * 2 + (3_000, 2_500) * 3, (400, 200) * 5):
            self.assertEqual(self.require(lambda: box.numbers.reverse(), *times), [])

    def test_a_body_that_needs_more_than_its_inputs_put_back_is_left_alone(self):
        queue, at = [1] * 100, [object()]

        def body():
            queue.clear()
            at.pop()

        self.assertEqual(self.require(body, 1), [1])  # at is empty in the second call

    def test_lists_of_objects_and_counters_are_no_inputs(self):
        models, calls = [object()] * 100, [0]
        self.assertEqual(held_inputs.inputs_of(lambda: (models, calls), __file__), [])

    @unittest.skipIf(libraries.numpy() is None and importlib.util.find_spec("numpy") is None, "there is no NumPy")
    def test_arrays_within_objects_are_seen_where_a_call_sorts_them(self):
        import numpy
        box = types.SimpleNamespace(numbers=numpy.arange(20)[::-1].copy(), weights=numpy.zeros(200))
        inputs = held_inputs.inputs_of(lambda: box, __file__)
        box.weights += 1
        self.assertEqual(held_inputs.changed_among(inputs), [])
        box.numbers.sort()
        self.assertEqual([each.value is box.numbers for each in held_inputs.changed_among(inputs)], [True])

    @unittest.skipIf(libraries.numpy() is None and importlib.util.find_spec("numpy") is None, "there is no NumPy")
    def test_arrays_are_put_back(self):
        import numpy
        array = numpy.array([3.0, float("nan"), 2.0] * 40)
        kept, = held_inputs.inputs_of(lambda: array, __file__)
        self.assertFalse(kept.is_changed())
        array.sort()
        self.assertTrue(kept.is_changed())
        kept.put(kept.before)
        self.assertFalse(kept.is_changed())


if __name__ == "__main__":
    unittest.main()
