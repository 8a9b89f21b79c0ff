#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Arrays of NumPy without torch. Exits with 77 without NumPy."""

import warnings

from started_worker import WorkerTest, run_tests, to
from perfspec import comparing, libraries, outputs

MODELS = """import numpy as np
numbers = {"a": "np.arange(4, dtype=np.float32)", "near": "np.arange(4, dtype=np.float32) * np.float32(1.00005)", "far": "np.array([0, 1, 2, 4], dtype=np.float32)",
           "half": "np.arange(4, dtype=np.float16)", "integers": "np.arange(6).reshape(2, 3)", "other_integers": "np.arange(1, 7).reshape(2, 3)",
           "complexes": "np.array([1 + 2j])", "infinite": "np.array([np.inf])", "one": "np.array([1.0])", "nan": "np.array([[1, np.nan]])", "half_nan": "np.array([np.nan], dtype=np.float16)", "scalar": "np.float32(1.5)",
           "number": "1.5", "texts": "np.array(['a'])", "drawn": "np.random.rand(3)", "empty": "np.zeros((0, 3))", "mixed": "{'x': np.arange(3), 'y': [np.float64(2), 'a']}"}
for name, code in numbers.items():
    perfspec.subject(name)(lambda code=code: eval("lambda: " + code))
"""


class NumPy(WorkerTest):
    def setUp(self):
        super().setUp()
        self.worker = self.served(MODELS)

    def test_arrays_are_compared_by_the_tolerance_of_their_dtype(self):
        for reference, candidate, code, words in (
                ("a", "a", "PASS", "output, float32[4]: within 0.0001 absolute plus relative, largest error 0"), ("a", "near", "PASS", "within 0.0001"),
                ("a", "far", "FAIL", "in 1 of 4 elements, worst at [3]: 4, but the reference has 3"), ("a", "half", "PASS", "within 0.001 absolute plus relative for float16"),
                ("integers", "integers", "PASS", "int64[2,3]: equal"), ("integers", "other_integers", "FAIL", "integers differ in 6 elements"),
                ("complexes", "complexes", "PASS", "complex128[1]"), ("nan", "nan", "NONDETERMINISTIC_EAGER_RUN", "both hold NaN"), ("half_nan", "half_nan", "PASS", "float16[1]"),
                ("infinite", "infinite", "PASS", "float64[1]"), ("infinite", "one", "FAIL", "1, but the reference has inf"), ("one", "infinite", "FAIL", "inf, but the reference has 1"),
                ("scalar", "number", "PASS", "for float64"), ("texts", "texts", "VERIFIER_DIDNT_RUN", "cannot be compared: return numbers"),
                ("drawn", "drawn", "PASS", "float64[3]"), ("empty", "empty", "VERIFIER_DIDNT_RUN", "nothing to compare"), ("mixed", "mixed", "PASS", "output['y'][1], str 'a': equal"),
                ("a", "integers", "FAIL", "int64[2,3], but the reference has float32[4]")):
            with self.subTest((reference, candidate)):
                found = self.worker.ask(to("compare", reference=reference, candidate=candidate))[1]
                self.assertEqual((found["code"], words in found["text"]), (code, True), found)

    def test_advice_to_say_how_near_a_candidate_comes_is_for_several_numbers_that_differ(self):
        for reference, candidate, is_advised in (("a", "far", True), ("integers", "other_integers", True), ("a", "integers", False), ("one", "infinite", False)):
            text = self.worker.ask(to("compare", reference=reference, candidate=candidate))[1]["text"]
            self.assertEqual("perfspec.accuracy(cosine=0.99)" in text, is_advised, text)

    def test_each_output_has_a_cosine_of_its_own_without_places_of_nan_in_both(self):
        import numpy as np

        for reference, candidate, words in (([[1.0, 0]] * 2, [[0, 1.0], [1, 0.05]], "output[1], float64[2]: cosine similarity 0.99875"),
                                            ([[np.nan, 1, 2]], [[np.nan, 1, 2.1]], "cosine similarity 0.999"),
                                            ([[np.nan, 1, 2]], [[np.nan, -1, 2]], "worst at [1]: -1, but the reference has 1")):
            both = [outputs.flattened([np.array(each) for each in side]) for side in (reference, candidate)]
            text = comparing.compare(comparing.Statistics(), *both, how=comparing.accuracy(cosine=0.99, nan=True)).text
            self.assertIn(words, text)
            self.assertNotIn("hold NaN", text)

    def test_numpy_does_not_warn_where_infinities_and_large_numbers_are_compared(self):
        import numpy as np

        with warnings.catch_warnings():
            warnings.simplefilter("error")  # as filterwarnings = error of pytest does
            for reference, candidate, same in (([np.inf, 1], [np.inf, 1], True), ([np.inf, 1], [np.inf, 2], False), ([1e300, 1], [2e300, 1], False)):
                both = [outputs.flattened(np.array(each)) for each in (reference, candidate)]
                for how in (comparing.accuracy(), comparing.accuracy(cosine=1.0)):
                    found = comparing.compare(comparing.Statistics(), *both, lambda: {each.name: each for each in both[0]}, how)
                    self.assertEqual(found.same, same)

    def test_nan_may_agree_between_two_workers(self):
        kept = "@perfspec.subject\ndef f(): return perfspec.body(lambda: np.array([1, np.nan]), accuracy=perfspec.accuracy(nan=True))\n"
        process = self.served("import numpy as np\n" + kept)
        self.assertEqual(process.ask(to("write", subject="f", file="kept"))[0], "written")
        self.assertEqual(process.ask(to("compare", file="kept", candidate="f"))[1]["code"], "PASS")

    def test_random_numbers_go_on_after_a_comparison(self):
        import numpy as np

        with libraries.keeping_random_numbers():
            first = np.random.rand()
        self.assertEqual(np.random.rand(), first)

    def test_arrays_survive_a_file(self):
        self.assertEqual(self.worker.ask(to("write", subject="mixed", file="kept"))[0], "written")
        self.assertEqual(self.worker.ask(to("compare", file="kept", candidate="mixed"))[1]["code"], "PASS")
        self.assertEqual(self.worker.ask(to("compare", file="kept", candidate="a"))[1]["code"], "FAIL")

    def test_a_scalar_is_a_value(self):
        self.assertEqual(self.worker.ask(to("value", subject="scalar")), ("value", {"value": 1.5}))


if __name__ == "__main__":
    run_tests("numpy")
