#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The comparison of outputs, without torch."""

import dataclasses
import itertools
import math
import random
import typing
import unittest
import unittest.mock

import started_worker  # noqa: F401 finds the module
from perfspec import body_state, comparing, outputs


def compared(reference, candidate):
    statistics = comparing.Statistics()
    return comparing.compare(statistics, outputs.flattened(reference), outputs.flattened(candidate)), statistics.values


@dataclasses.dataclass
class Result:
    logits: list
    loss: float


class Pair(typing.NamedTuple):
    first: int
    second: int


class Outputs(unittest.TestCase):
    def test_containers_are_flattened_with_the_names_of_their_parts(self):
        found = outputs.flattened({"b": [1, (2.5, None)], "a": Result([True], 0.5), "c": Pair(3, 4)})
        self.assertEqual(found, [("output['a'].logits[0]", True), ("output['a'].loss", 0.5), ("output['b'][0]", 1), ("output['b'][1][0]", 2.5),
                                 ("output['b'][1][1]", None), ("output['c'].first", 3), ("output['c'].second", 4)])

    def test_what_cannot_be_compared_is_named(self):
        with self.assertRaisesRegex(outputs.Incomparable, r"output\[1\] is a object"):
            outputs.flattened([1, object()])

    def test_a_list_that_holds_itself_ends(self):
        endless = []
        endless.append(endless)
        with self.assertRaisesRegex(outputs.Incomparable, "nested too deeply"):
            outputs.flattened(endless)


class Comparing(unittest.TestCase):
    def agree(self, reference, candidate):
        return compared(reference, candidate)[0].same

    def test_numbers_agree_within_the_tolerance_of_their_size(self):
        for reference, candidate, same in ((1.0, 1.000199, True), (1.0, 1.000201, False), (1000.0, 1000.1, True), (1000.0, 1000.1002, False)):
            self.assertEqual(self.agree(reference, candidate), same, (reference, candidate))

    def test_small_outputs_shrink_the_absolute_tolerance(self):
        self.assertTrue(self.agree(1e-5, 1.00019e-5))
        self.assertFalse(self.agree(1e-5, 2e-5))
        self.assertFalse(self.agree(0.0, 1e-12))

    def test_infinities_agree_with_themselves_alone(self):
        for other in (-math.inf, 1.0, math.nan):
            self.assertFalse(self.agree(math.inf, other))
            self.assertFalse(self.agree(other, math.inf))
        self.assertTrue(self.agree(math.inf, math.inf))

    def test_nan_agrees_with_nothing_in_double_precision(self):
        found, _ = compared(math.nan, math.nan)
        self.assertEqual((found.same, "both hold NaN" in found.text), (False, True))
        self.assertIn("the candidate holds NaN", compared(1.0, math.nan)[0].text)

    def test_integers_booleans_and_texts_are_equal_or_differ(self):
        for reference, candidate, same in ((1, 1, True), (10**9, 10**9 + 1, False), (True, False, False), (1, True, False), (1, 1.0, False),
                                           ("a", "a", True), ("a", "b", False), (None, None, True), (None, 0, False), (b"a", "a", False)):
            self.assertEqual(self.agree(reference, candidate), same, (reference, candidate))

    def test_integers_of_any_length_are_compared(self):
        self.assertTrue(self.agree(math.factorial(2000), math.factorial(2000)))
        self.assertIn("int 0x", compared(math.factorial(2000), math.factorial(2001))[0].text)

    def test_complex_numbers_are_compared_by_both_parts(self):
        self.assertTrue(self.agree(1 + 1j, 1 + 1.0001j))
        self.assertFalse(self.agree(1 + 1j, 1 + 1.1j))
        self.assertFalse(self.agree(1 + 0j, 1.0))

    def test_numbers_and_names_of_outputs_are_equal(self):
        self.assertEqual(compared([1, 2], [1])[0].text, "1 outputs, but the reference has 2")
        self.assertEqual(compared({"a": 1}, {"b": 1})[0].text, "output['b'], but the reference has output['a']")

    def test_dictionaries_are_equal_in_any_order(self):
        self.assertTrue(self.agree({"a": 1, "b": 2}, {"b": 2, "a": 1}))

    def test_the_text_says_what_was_compared_and_where_it_is_worst(self):
        self.assertEqual(compared([1.0, 2.0], [1.0, 3.0])[0].text,
                         "output[0], float 1.0: within 0.0001 absolute plus relative, largest error 0\n"
                         "output[1], float 2.0: not within 0.0001 absolute plus relative in 1 of 1 elements, worst: 3, but the reference has 2")

    def test_only_differing_ones_of_many_outputs_are_shown(self):
        self.assertEqual(compared(list(range(20)), [*range(19), 5])[0].text, "output[19], int 19: int 5, but the reference has int 19\n19 of 20 outputs agree")

    def test_statistics_are_the_worst_of_all_outputs(self):
        _, statistics = compared([1.0, 4.0], [1.5, 4.25])
        self.assertEqual(statistics, {"max_abs_error": 0.5, "mean_abs_error": 0.5, "max_rel_error": 0.5, "rmse": 0.5, "max_abs_reference": 4.0,
                                      "tolerance": 1e-4})


class Relaxed(unittest.TestCase):
    def agree(self, reference, candidate, **how):
        found = comparing.compare(comparing.Statistics(), outputs.flattened(reference), outputs.flattened(candidate), how=comparing.accuracy(**how))
        return found.same

    def test_a_tolerance_is_relative_and_counts_for_integers_too(self):
        for reference, candidate, same in ((100.0, 109.0, True), (100.0, 112.0, False), (100, 109, True), (100, 112, False), (True, False, False), ("a", "b", False)):
            self.assertEqual(self.agree(reference, candidate, tolerance=0.1), same, (reference, candidate))

    def test_nan_agree_where_the_code_says_so(self):
        self.assertTrue(self.agree(math.nan, math.nan, nan=True))
        self.assertFalse(self.agree(1.0, math.nan, nan=True))

    def test_what_means_nothing_is_refused(self):
        for how in ({"tolerance": 1.0}, {"cosine": 1.1}, {"tolerance": -0.1}):
            with self.assertRaisesRegex(Exception, "give a tolerance of at least 0 and below 1, such as 0.01, and a cosine from 0 to 1"):
                comparing.accuracy(**how)


class Held(unittest.TestCase):
    def test_generators_and_variables_have_a_state(self):
        rng, last = random.Random(1), [5]
        for each in (rng, body_state.state(get=lambda: last[0], set=lambda kept: last.__setitem__(0, kept))):
            found = body_state.with_state_dict(each)
            kept = found.state_dict()
            last[0] = rng.random()
            found.load_state_dict(kept)
            self.assertEqual(found.state_dict(), kept)
        with self.assertRaisesRegex(Exception, "state has list, which has no state_dict"):
            body_state.with_state_dict([1])

    def test_the_nth_call_of_each_subject_gets_the_nth_input(self):
        stream = body_state.Inputs(itertools.count(), 3)
        taken = {}
        for name in ("a", "b", "a", "a", "a", "b"):
            with body_state.calls_of_compile.of(name):
                taken.setdefault(name, []).append(next(stream))
        self.assertEqual(taken, {"a": [0, 1, 2, 0], "b": [0, 1]})
        with self.assertRaisesRegex(Exception, "the stream has no items"):
            body_state.Inputs([])

    def test_what_a_body_changed_is_named(self):
        def changes(body):
            before = body_state.marks_of(body)
            body()
            return body_state.what_changed(before, body_state.marks_of(body))

        turns, rng, kept, same = itertools.cycle([1]), random.Random(1), [1], [1]
        self.assertEqual(changes(lambda: next(turns)), "turns (a cycle) gives other items in each run: write turns = perfspec.inputs(turns)")
        self.assertEqual(changes(lambda: (rng.random(), same)), "rng (a Random) changes: write state=[rng]")
        self.assertIn("kept (a list) changes: write state=[perfspec.state(get=", changes(lambda: kept.__setitem__(0, object())))
        self.assertEqual(changes(lambda: same), "")
        with open(__file__) as file:
            self.assertEqual(changes(lambda: file.read(1)), "")
        table = {"a": object()}
        self.assertEqual(changes(lambda: [*table.items()]), "")

    def test_variables_are_checked_and_not_used(self):
        def has_an_empty_cell():
            return lambda: later
            later = 1

        mock, many = unittest.mock.MagicMock(), [0.0] * (body_state.MOST_ITEMS + 1)
        marks = body_state.marks_of(lambda: (mock, many))
        self.assertEqual((mock.mock_calls, len(marks["many"][1][1])), ([], body_state.MOST_ITEMS))
        self.assertEqual(body_state.marks_of(has_an_empty_cell()), {})


class Precisely(unittest.TestCase):
    """reference 1.0 and double precision 1.001: the reference is off by 0.001."""

    def compared(self, candidate, exact=1.001, reference=1.0):
        asked = []

        def in_double():
            asked.append(exact)
            return {each.name: each for each in outputs.flattened(exact)}

        found = comparing.compare(comparing.Statistics(), outputs.flattened(reference), outputs.flattened(candidate), in_double)
        return found.same, found.text, len(asked)

    def test_a_candidate_that_is_as_right_as_the_reference_agrees(self):
        self.assertEqual(self.compared(1.002)[0], True)
        self.assertEqual(self.compared(1.0039)[0], True)  # few elements: three times the reference's error
        same, text, _ = self.compared(1.0042)
        self.assertFalse(same)
        self.assertIn("; root mean square error against double precision 0.0032, of the reference 0.001", text)

    def test_a_reference_that_is_right_excuses_no_candidate(self):
        self.assertEqual(self.compared(1.002, exact=1.0)[0], False)
        self.assertEqual(self.compared([0.0, 2.0], exact=[1.0, 2.0], reference=[1.0, 2.0])[0], False)

    def test_nan_is_near_to_nothing(self):
        self.assertEqual(self.compared(math.nan)[0], False)
        self.assertEqual(self.compared(1.002, exact=math.nan)[0], False)

    def test_double_precision_is_computed_once_and_only_if_needed(self):
        self.assertEqual(self.compared(1.0)[2], 0)
        self.assertEqual(self.compared([1.002, 1.002], exact=[1.001, 1.001], reference=[1.0, 1.0])[2], 1)

    def test_integers_and_what_double_precision_does_not_have_are_not_excused(self):
        self.assertEqual(self.compared(2, exact=2, reference=1)[0], False)
        self.assertEqual(self.compared([1.002], exact={"other": 1.001}, reference=[1.0])[0], False)


if __name__ == "__main__":
    unittest.main()
