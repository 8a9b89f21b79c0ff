#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Calls that never end."""

import signal
import unittest

import started_worker  # noqa: F401 finds the module
from perfspec.bodies import deadline, remembered


class Deadline(unittest.TestCase):
    def test_a_body_that_goes_on_for_ever_with_destroyed_values_is_stopped(self):
        def again():
            with deadline.within(0.05):
                while True:
                    pass

        place, = remembered.places_or_none([1])
        self.assertEqual(remembered.answer_to_destroyed([[place]], again), remembered.Answer.NONE)
        self.assertEqual(place.holder, [1])
        with deadline.within(60):
            pass
        self.assertEqual(signal.getitimer(signal.ITIMER_REAL)[0], 0)

    def test_a_timer_of_the_users_own_goes_on(self):
        signal.setitimer(signal.ITIMER_REAL, 60)
        try:
            with deadline.within(0.001):
                pass
            self.assertGreater(signal.getitimer(signal.ITIMER_REAL)[0], 1)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


if __name__ == "__main__":
    unittest.main()
