#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Generators of random numbers that are the user's own: results in double precision that draw from them say nothing of a candidate."""

import importlib.util
import random
import unittest

from started_worker import WorkerTest
from perfspec import libraries

HAS_TORCH, HAS_NUMPY = (importlib.util.find_spec(each) is not None for each in ("torch", "numpy"))


class States(unittest.TestCase):
    def check(self, make, draw):
        one, other = make(), make()
        self.assertEqual(libraries.state_of_generator(one), libraries.state_of_generator(other))
        draw(one)
        self.assertNotEqual(libraries.state_of_generator(one), libraries.state_of_generator(other))

    def test_the_state_changes_with_each_number(self):
        self.check(lambda: random.Random(3), lambda own: own.random())

    def test_what_has_no_state_has_none(self):
        for each in (random.SystemRandom(), random, 1.5, [random.Random(3)]):
            self.assertIsNone(libraries.state_of_generator(each))

    @unittest.skipUnless(HAS_NUMPY, "NumPy is not installed")
    def test_it_does_of_numpy(self):
        import numpy

        self.check(lambda: numpy.random.default_rng(3), lambda own: own.random())
        self.check(lambda: numpy.random.default_rng(3), lambda own: own.integers(0, 9, dtype="int32"))  # half of a drawn number is kept
        self.check(lambda: numpy.random.RandomState(3), lambda own: own.rand())

    @unittest.skipUnless(HAS_TORCH, "torch is not installed")
    def test_it_does_of_torch(self):
        import torch

        self.check(lambda: torch.Generator().manual_seed(3), lambda own: torch.rand(1, generator=own))


class Precise(WorkerTest):
    """The candidate is wrong by 0.01, and what the reference says of double precision lies further away than that."""

    FILE = """import random
class Noise:
    def __init__(self): self.own = random.Random(7)
    def draw(self): return self.own.uniform(1, 2)
noise = Noise()
def again():
    own = random.Random(7)
    return own.uniform(1, 2)
@perfspec.subject
def draws():
    own = random.Random(7)
    return perfspec.body(lambda: [1.0, 2.0], precise=lambda: [own.uniform(1, 2), own.uniform(1, 2)])
@perfspec.subject
def draws_within(): return perfspec.body(lambda: [1.0, 2.0], precise=lambda: [noise.draw(), noise.draw()])
@perfspec.subject
def from_a_seed(): return perfspec.body(lambda: [1.0, 2.0], precise=lambda: [0.9 + again() * 0, 1.9])
@perfspec.subject
def holds_one():
    own = random.Random(7)
    return perfspec.body(lambda: [1.0, 2.0], precise=lambda: [0.9, 1.9 if own else 2.0])
@perfspec.subject
def rough(): return lambda: [1.01, 2.01]
"""

    def test_a_generator_that_is_drawn_from_is_seen_wherever_it_is_held(self):
        process = self.served(self.FILE)
        for reference, code in (("draws", "FAIL"), ("draws_within", "FAIL"), ("from_a_seed", "PASS"), ("holds_one", "PASS")):
            self.assertEqual(process.ask(f"compare reference={reference} candidate=rough")[1]["code"], code, reference)


if __name__ == "__main__":
    unittest.main()
