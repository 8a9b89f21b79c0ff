#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The settings of a run for subjects: parameters of functions, their arguments, and refused settings."""

import unittest

from started_worker import WorkerTest, to
from perfspec import subjects
from perfspec.faults import Refusal
from perfspec.settings import arguments_for, parameters_of

SUBJECTS = """
@perfspec.subject
def sized(batch=4, device="cpu", dtype="float32"):
    return lambda: float(batch + (dtype == "bfloat16") + 1000 * (device == "cuda:1"))
@perfspec.subject
def plain():
    return lambda: 1.0
"""


class Parameters(unittest.TestCase):
    def test_settings_are_parameters_that_are_named(self):
        self.assertEqual(parameters_of(lambda batch=4, *, dtype="a", other=1: 0), {"batch": 4, "dtype": "a"})
        self.assertEqual(parameters_of(lambda **any: 0), {})  # it need not use its argument
        self.assertEqual(parameters_of(eval("lambda batch=4, /: 0")), {})
        self.assertEqual(parameters_of(1), {})

    def test_values_are_of_the_kind_of_their_parameter(self):
        def build(batch=1, dtype="float32", device="cpu"): pass
        self.assertEqual(arguments_for("f", build, {"batch": "8", "dtype": "float16", "device": "cuda:1"}),
                         {"batch": 8, "dtype": "float16", "device": "cuda:1"})
        self.assertEqual(arguments_for("f", build, {}), {})

    def test_a_parameter_without_a_default_is_refused(self):
        with self.assertRaisesRegex(Refusal, "the function of f takes arguments, but is called without any: .* give each setting of a run a default, such as batch=8"):
            @subjects.subject
            def f(batch): pass


class Asked(WorkerTest):
    def test_a_function_gets_the_settings_and_the_answer_repeats_them(self):
        process = self.served(SUBJECTS)
        self.assertEqual(process.ask(to("load", subject="sized", settings={"batch": "8", "dtype": "bfloat16", "device": "cuda:1"})), ("loaded", {"settings": {"batch": "8", "dtype": "bfloat16", "device": "cuda:1"}}))
        self.assertEqual(process.ask(to("value", subject="sized")), ("value", {"value": 1009.0}))

    def test_without_settings_the_defaults_are_those_of_the_code(self):
        process = self.served(SUBJECTS)
        self.assertEqual(process.ask(to("load", subject="sized")), ("loaded", {}))
        self.assertEqual(process.ask(to("value", subject="sized")), ("value", {"value": 4.0}))

    def test_what_a_function_does_not_take_is_refused(self):
        process = self.served(SUBJECTS)
        self.assertEqual(process.ask(to("load", subject="plain", settings={"batch": "8"})), ("error", {"kind": "unavailable", "reason":
                         "this run asks for batch=8 (--perf-with), but plain does not take it: write its function as `def …(batch=8):` "
                         "(in pytest: perf.subject(\"plain\", load=make), where make takes batch=8), or leave batch out of the run"}))
        self.assertEqual(process.ask(to("run", subject="plain", iterations=1))[0], "ran")

    def test_a_subject_is_built_once(self):
        process = self.served(SUBJECTS)
        process.ask(to("load", subject="sized", settings={"batch": "8"}))
        self.assertEqual(process.ask(to("load", subject="sized", settings={"batch": "8"})), ("loaded", {"settings": {"batch": "8"}}))
        self.assertEqual(process.ask(to("load", subject="sized", settings={"batch": "4"}))[1]["reason"], "sized was built with {'batch': '8'}, so it cannot have {'batch': '4'} in this process: start another one")


if __name__ == "__main__":
    unittest.main()
