#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Arrays of NumPy without torch. Exits with 77 where there is no NumPy."""

import importlib.util
import sys
import unittest

from started_worker import WorkerTest

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
                ("a", "far", "FAIL", "in 1 of 4 elements, worst at [3]: 4 where the reference has 3"), ("a", "half", "PASS", "within 0.001 absolute plus relative for float16"),
                ("integers", "integers", "PASS", "int64[2,3]: equal"), ("integers", "other_integers", "FAIL", "integers that are not equal in 6 elements"),
                ("complexes", "complexes", "PASS", "complex128[1]"), ("nan", "nan", "NONDETERMINISTIC_EAGER_RUN", "both hold NaN"), ("half_nan", "half_nan", "PASS", "float16[1]"),
                ("infinite", "infinite", "PASS", "float64[1]"), ("infinite", "one", "FAIL", "1 where the reference has inf"), ("one", "infinite", "FAIL", "inf where the reference has 1"),
                ("scalar", "number", "PASS", "for float64"), ("texts", "texts", "VERIFIER_DIDNT_RUN", "cannot be compared: return numbers"),
                ("drawn", "drawn", "PASS", "float64[3]"), ("empty", "empty", "VERIFIER_DIDNT_RUN", "nothing to compare"), ("mixed", "mixed", "PASS", "output['y'][1], str 'a': equal"),
                ("a", "integers", "FAIL", "int64[2,3] where the reference has float32[4]")):
            with self.subTest((reference, candidate)):
                found = self.worker.ask(f"compare reference={reference} candidate={candidate}")[1]
                self.assertEqual((found["code"], words in found["text"]), (code, True), found)

    def test_arrays_survive_a_file(self):
        self.assertEqual(self.worker.ask("write subject=mixed file=kept")[0], "written")
        self.assertEqual(self.worker.ask("compare file=kept candidate=mixed")[1]["code"], "PASS")
        self.assertEqual(self.worker.ask("compare file=kept candidate=a")[1]["code"], "FAIL")

    def test_a_scalar_is_a_value(self):
        self.assertEqual(self.worker.ask("value subject=scalar"), ("value", {"value": "1.5"}))


if __name__ == "__main__":
    if importlib.util.find_spec("numpy") is None:
        print(f"{sys.executable} has no NumPy")
        sys.exit(77)
    unittest.main()
