#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Inputs that a call of a body changes, and has less to do with from then on."""

import importlib.util
import tempfile
import types
import unittest

import started_worker  # noqa: F401 finds the module
from perfspec import libraries
from perfspec.bodies import held_inputs
from perfspec.faults import Refusal


class Inputs(unittest.TestCase):
    def require(self, body, *times):
        """times  in nanoseconds, by a script: of a call with what was there at first, of one with what a call leaves, and so on. Every other round makes them
        the other way round."""
        inputs = held_inputs.inputs_of(body, __file__)
        body()
        left = [each for at in range(0, len(times), 2) for each in (times[at:at + 2] if at % 4 == 0 else times[at + 1:at - 1:-1])]

        def timed():
            body()
            return left.pop(0)

        held_inputs.require_as_much_work(held_inputs.changed_among(inputs), timed, "sorting")
        return sorted(left)

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

        self.assertEqual(len(self.require(body, *(3_000_000, 800) * 5)), 10)
        few = [0, 1, 2]  # an index that moves on
        self.assertEqual(self.require(lambda: few.append(few.pop(0)), 1), [1])

    def test_a_list_that_a_call_brings_into_another_order_in_the_same_time_is_fine(self):
        box = types.SimpleNamespace(numbers=list(range(20)))
        for times in ((3_000, 2_900) * 5, (3_000, 800) * 2 + (3_000, 2_500) * 3, (400, 200) * 5):
            self.assertEqual(self.require(lambda: box.numbers.reverse(), *times), [])

    def test_a_body_that_needs_more_than_its_inputs_put_back_is_left_alone(self):
        numbers, at = list(range(100, 0, -1)), [object()]

        def body():
            numbers.sort()
            at.pop()

        self.assertEqual(self.require(body, 1, 1), [1, 1])  # at is empty in the second call
        self.assertEqual(numbers, list(range(1, 101)))  # as the last call left it

    def test_a_list_that_a_call_takes_from_is_never_put_back(self):
        """It belongs to what was taken, as the free blocks of an allocator do."""
        free, used = list(range(512)), set()

        def take():
            block = free.pop()
            assert block not in used
            used.add(block)

        self.assertEqual(self.require(take, 1, 1), [1, 1])
        take()
        self.assertEqual((len(free), len(used)), (510, 2))

    def test_a_list_whose_index_changed_too_is_never_put_back(self):
        order = list(range(1000, 1020))
        at = {each: place for place, each in enumerate(order)}
        recent = types.SimpleNamespace(order=order, at=at, calls=dict.fromkeys("abcdefgh", 0))

        def touch():
            first, last = recent.order[0], recent.order[-1]
            recent.order[0], recent.order[-1] = last, first
            recent.at[last], recent.at[first] = 0 + 1000 - 1000, len(order) - 1

        self.assertEqual(self.require(touch, 1, 1), [1, 1])
        self.assertEqual([recent.order[place] for place in recent.at.values()], list(recent.at))

        def sort():
            recent.order.sort(reverse=True)
            recent.calls["a"] += 1000

        recent.at.clear()
        with self.assertRaises(Refusal):
            self.require(sort, *(3_000, 800) * 5)  # the other dictionary says nothing of the list

    def test_a_body_that_does_more_in_every_second_call_has_as_much_to_do(self):
        losses, done = [0.0] * 200, [0]
        inputs = held_inputs.inputs_of(lambda: losses, __file__)

        def timed():
            losses[done[0] % 200] = done[0] + 1.0
            done[0] += 1
            return 20_000_000 if done[0] % 2 == 0 else 1_000_000

        timed()
        held_inputs.require_as_much_work(held_inputs.changed_among(inputs), timed, "accumulating")
        self.assertEqual(done, [31])  # 15 rounds that disagree

    def test_lists_of_anything_are_seen_where_a_call_sorts_them(self):
        rows = [(each % 7, each) for each in range(100)]
        with self.assertRaises(Refusal):
            self.require(lambda: rows.sort(), *(3_000, 800) * 5)
        models = [object() for _ in range(100)]
        self.assertEqual(self.require(lambda: models.__setitem__(0, object()), 1, 1), [1, 1])  # others than before are no other order

    def test_counters_are_no_inputs(self):
        calls = [0]
        self.assertEqual(held_inputs.inputs_of(lambda: calls, __file__).kept, [])

    @unittest.skipIf(libraries.numpy() is None and importlib.util.find_spec("numpy") is None, "there is no NumPy")
    def test_what_is_mapped_from_a_file_is_not_written_to(self):
        import numpy
        with tempfile.NamedTemporaryFile() as file:
            rows = numpy.memmap(file.name, dtype="f8", mode="w+", shape=(1000,))
            self.assertEqual(held_inputs.inputs_of(lambda: rows, __file__).kept, [])

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
        kept, = held_inputs.inputs_of(lambda: array, __file__).kept
        self.assertFalse(kept.is_changed())
        array.sort()
        self.assertTrue(kept.is_changed())
        kept.put(kept.before)
        self.assertFalse(kept.is_changed())


if __name__ == "__main__":
    unittest.main()
