#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A package of a user's models is compiled again if an imported file or installed package changes."""

import importlib
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "include/perfspec/libtorch/export"))

from perfspec_export_imports import imports_are_unchanged, what_was_imported  # noqa: E402


class Imports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.site, self.project = self.folder / "site-packages", self.folder / "project"
        for each in (self.site, self.project):
            each.mkdir()
            sys.path.insert(0, str(each))
            self.addCleanup(sys.path.remove, str(each))
        importlib.invalidate_caches()

    def install(self, name: str, version: str, top_level: str) -> None:
        info = self.site / f"{name}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (info / "top_level.txt").write_text(top_level)

    def imported(self, name: str) -> dict:
        importlib.import_module(name)
        self.addCleanup(sys.modules.pop, name, None)
        return what_was_imported({name})

    def test_an_own_file_counts_by_content(self):
        (self.project / "own_layers.py").write_text("width = 4\n")
        facts = self.imported("own_layers")
        self.assertEqual(list(facts["imported_files"]), [str(self.project / "own_layers.py")])
        self.assertTrue(imports_are_unchanged(facts))
        (self.project / "own_layers.py").write_text("width = 5\n")
        self.assertFalse(imports_are_unchanged(facts))

    def test_an_installed_package_counts_by_version(self):
        (self.site / "installed_layers.py").write_text("width = 4\n")
        self.install("installed_layers", "1.2", "installed_layers")
        facts = self.imported("installed_layers")
        self.assertEqual(facts, {"imported_files": {}, "imported_packages": {"installed_layers": "1.2"}})
        self.assertTrue(imports_are_unchanged(json.loads(json.dumps(facts))))
        facts["imported_packages"]["installed_layers"] = "1.1"
        self.assertFalse(imports_are_unchanged(facts))

    def test_a_package_that_is_installed_to_be_edited_counts_by_content(self):
        (self.project / "edited_layers.py").write_text("width = 4\n")
        self.install("edited_layers", "1.2", "edited_layers")
        facts = self.imported("edited_layers")
        self.assertEqual(list(facts["imported_files"]), [str(self.project / "edited_layers.py")])
        self.assertEqual(facts["imported_packages"], {})

    def test_a_project_below_the_prefix_of_python_counts(self):
        (self.project / "prefixed_layers.py").write_text("width = 4\n")
        before, sys.base_prefix = sys.base_prefix, str(self.folder)
        try:
            facts = self.imported("prefixed_layers")
        finally:
            sys.base_prefix = before
        self.assertEqual(list(facts["imported_files"]), [str(self.project / "prefixed_layers.py")])

    def test_python_itself_does_not_count(self):
        self.assertEqual(self.imported("colorsys"), {"imported_files": {}, "imported_packages": {}})


if __name__ == "__main__":
    unittest.main()
