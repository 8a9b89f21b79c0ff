#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Messages of export.py on a user's models and inputs: missing modules with their Python, inputs that are no tensors, and the options of a package.

usage: export_inputs_test.py <a Python that has torch; empty: there is none>
"""

import argparse
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

EXPORT = pathlib.Path(__file__).parents[3] / "include/perfspec/libtorch/export/export.py"
PYTHON = sys.argv[1] if len(sys.argv) > 1 else ""
NESTED = """
import torch

class Nested(torch.nn.Module):
    def forward(self, batch, scale):
        return {"y": 2 * batch["a"]["x"] + batch["b"][0] * scale}

def inputs(batch, scale=torch.ones(1)):
    return {"batch": {"a": {"x": torch.ones(batch, 4)}, "b": (torch.zeros(batch, 4),)}, "scale": scale}

MODELS = {"nested": (Nested, lambda batch: inputs(batch)), "number": (Nested, lambda batch: inputs(batch, 3))}
"""
CHECK = """
import sys, torch
found = torch.jit.load(sys.argv[1])(torch.ones(2, 4), torch.ones(2, 4), torch.full((1,), 5.0))
assert torch.equal(found, torch.full((2, 4), 7.0)), found
"""


CHANGES = """
import torch

class Halves(torch.nn.Module):
    def forward(self, ids, x):
        return x.mul_(0.5).sum(1) + ids

MODELS = {"halves": (Halves, lambda batch: (torch.ones(batch, dtype=torch.int64), torch.randn(batch, 3)))}
"""


class Export(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_export(self, python, models, model):
        file = self.folder / "own_models.py"
        file.write_text(models, encoding="utf-8")
        command = [python, EXPORT, "--models", file, "--model", model, "--batch", "2", "--output", self.folder / "model.pt"]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)

    def test_a_module_that_is_missing_is_named_with_the_python_and_the_file(self):
        python = PYTHON or sys.executable
        done = self.run_export(python, "import own_module_that_is_nowhere\n", "any")
        self.assertEqual(done.returncode, 1)
        if PYTHON:
            self.assertIn(f"has no module own_module_that_is_nowhere, which {self.folder}/own_models.py:1 imports", done.stderr)
        self.assertIn(f"export: {python} has no module ", done.stderr)
        self.assertIn("-D PERFSPEC_PYTHON=", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    @unittest.skipUnless(PYTHON, "no Python with torch")
    def test_inputs_may_be_nested_and_are_taken_one_after_the_other(self):
        done = self.run_export(PYTHON, NESTED, "nested")
        self.assertEqual(done.returncode, 0, done.stderr)
        subprocess.run([PYTHON, "-W", "ignore", "-c", CHECK, self.folder / "model.pt"], check=True)

    @unittest.skipUnless(PYTHON, "no Python with torch")
    def test_a_model_that_changes_its_inputs_is_compared_on_copies_and_reported(self):
        done = self.run_export(PYTHON, CHANGES, "halves")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("export: halves changes input 2, float32[2,3]: its second call gets other values than its first", done.stdout)
        self.assertRegex(done.stdout, r"halves: traced in .*; largest difference from eager 0\n")
        self.assertNotIn("deprecated", done.stderr)

    @unittest.skipUnless(PYTHON, "no Python with torch")
    def test_an_input_that_is_no_tensor_is_named(self):
        done = self.run_export(PYTHON, NESTED, "number")
        self.assertEqual(done.returncode, 1)
        self.assertIn("export: the inputs of number have 3 at ['scale'], which is no tensor", done.stderr)
        self.assertNotIn("Traceback", done.stderr)


class Options(unittest.TestCase):
    """The options in the package, so that a message can repeat the command."""

    def further_options(self, **given):
        sys.path.insert(0, str(EXPORT.parent))
        from perfspec_export_packages import further_options

        usual = {"mode": "frozen", "dtype": None, "autocast": None, "weights": None, "channels_last": False, "dynamic": []}
        return shlex.split(further_options(argparse.Namespace(**usual | given)))

    def test_options_without_an_entry_of_their_own_are_repeated(self):
        self.assertEqual(self.further_options(), [])
        self.assertEqual(self.further_options(mode="unfrozen", dtype="bfloat16", dynamic=[(0, 1, 8), (1, 2, 16)]),
                         ["--mode", "unfrozen", "--dtype", "bfloat16", "--dynamic", "0=1..8", "--dynamic", "1=2..16"])
        self.assertEqual(self.further_options(autocast="float16", channels_last=True, weights=pathlib.Path("/my models/w.pt")),
                         ["--autocast", "float16", "--weights", "/my models/w.pt", "--channels-last"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
