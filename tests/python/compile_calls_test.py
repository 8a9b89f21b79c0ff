#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The callers and arguments of torch.compile, and whether its result is kept, without torch."""

import sys
import unittest

import started_worker  # noqa: F401 finds the module
from perfspec.compiler import compile_calls


def a_function():
    pass


class Model:
    def __enter__(self):
        return self


class CompileCalls(unittest.TestCase):
    def test_a_call_of_compile_counts_unless_compiling_is_off(self):
        calls = compile_calls.CompileCalls()
        compile = calls.recording(lambda *arguments, **named: (arguments, named))
        with calls.of("f"):
            self.assertEqual(compile(1, mode="default"), ((1,), {"mode": "default"}))
        with calls.of("g"):
            compile(1, disable=True)
        self.assertEqual(calls.callers, {"f"})
        compile()
        self.assertEqual(calls.callers, {"f", ""})

    def test_what_was_compiled_is_reported_with_its_place(self):
        calls = compile_calls.CompileCalls()
        compile = calls.recording(lambda *arguments, **named: None)
        with calls.of("f"):
            compile(Model())
            compile(a_function)
            compile(Model().__enter__)  # as model.compile() does
            compile(mode="default")  # makes a decorator
        lines = [each.partition(" (compile_calls_test.py:")[0] for each in calls.models["f"]]
        self.assertEqual(lines, ["Model", "a_function", "Model", ""])
        self.assertRegex(calls.models_of("f"), r"^Model \(compile_calls_test.py:\d+\) or a_function \(.*\) or Model \(.*\)$")
        compile(a_function)
        self.assertTrue(calls.models_of("g").startswith("a_function"))  # of the file, where the subject itself compiled nothing

    def test_subjects_of_an_earlier_test_are_forgotten(self):
        calls = compile_calls.CompileCalls()
        compile = calls.recording(lambda *arguments, **named: None)
        compile(a_function)
        with calls.of("f"):
            compile(Model())
        calls.forget_subjects()
        self.assertEqual((calls.callers, calls.models_of("f").partition(" ")[0]), ({""}, "a_function"))

    def dropped(self, code):
        """The functions whose compiled results a file drops."""
        calls, names = compile_calls.CompileCalls(), {"Made": Model, "Model": a_function}
        names["compile"] = calls.recording(lambda model=None, **how: Model() if model is not None else lambda model: names["compile"](model, **how))
        names["compile_in_function"] = lambda model: names["compile"](model)
        exec(compile(code, "models.py", "exec"), names)
        return calls.dropped(), names

    def test_what_a_file_compiles_without_a_user_is_named(self):
        self.assertEqual(self.dropped("model = Made()\ncompile(model)\n")[0], "Model (models.py:2)")
        self.assertEqual(self.dropped("compile(Model)\ncompile(Made())\n")[0], "a_function (models.py:1) and Model (models.py:2)")
        for code in ("made = compile(Model)", "made = [compile(Model)]", "compile(Model)\nmade = compile(Model)", "made = compile(Model)\nmade = compile(Model)",
                     "compile(Model, disable=True)", "compile_in_function(Model)", "@compile\ndef made(): pass", "@compile(mode='default')\ndef made(): pass", ""):
            self.assertEqual(self.dropped(code)[0], "", code)

    def test_a_module_is_changed_when_it_is_imported(self):
        seen = []
        sys.meta_path.insert(0, compile_calls.AfterImport("colorsys", seen.append))
        sys.modules.pop("colorsys", None)
        import colorsys

        self.assertEqual(seen, [colorsys])
        self.assertFalse(any(isinstance(each, compile_calls.AfterImport) for each in sys.meta_path))


if __name__ == "__main__":
    unittest.main()
