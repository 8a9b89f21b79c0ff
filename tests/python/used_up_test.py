#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Iterators of a body, of which the first call leaves nothing."""

import functools
import itertools
import types
import unittest

import started_worker  # noqa: F401 finds the module
from perfspec import used_up
from perfspec.faults import Refusal


class UsedUp(unittest.TestCase):
    def test_iterators_that_the_first_call_used_up_are_told_from_others(self):
        def twice(numbers):
            yield from numbers
            yield from numbers

        shared = [1, 2]
        for made, used in ((lambda: iter(shared), True), (lambda: twice(shared), True), (lambda: map(abs, iter(shared)), True),
                           (lambda: zip(shared, iter(shared)), True), (lambda: itertools.cycle(shared), False), (lambda: shared, False)):
            held = made()
            before = used_up.unused_iterators(lambda held=held: held)
            self.assertEqual(len(before), 0 if held is shared else 1)
            for _ in zip(range(5), held):
                pass
            self.assertEqual(any(map(used_up.is_used_up, before)), used, made)

    def test_an_iterator_is_found_wherever_a_body_holds_it(self):
        held = iter([1])
        owner = types.SimpleNamespace(held=held)

        class Model:
            def __init__(self):
                self.held = held

            def call(self):
                return self.held

        for body in (lambda: held, lambda at=held: at, functools.partial(sum, held), Model().call):
            self.assertEqual(used_up.unused_iterators(body), [held])
        self.assertEqual(used_up.unused_iterators(lambda: owner.held), [])  # within an object nobody looks
        list(held)
        with self.assertRaises(Refusal) as caught:
            used_up.require_unused([held], "eager")
        self.assertIn("the first call of the body of eager used up a list_iterator, and later calls find nothing in it", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
