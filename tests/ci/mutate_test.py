# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The messages of ci/mutate on a wrong table, without a build."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
MUTATE = pathlib.Path(__file__).resolve().parents[2] / "ci" / "mutate"
sys.path.insert(0, str(MUTATE.parent))
loader = importlib.machinery.SourceFileLoader("mutate", str(MUTATE))
mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
loader.exec_module(mutate)
Mutant = mutate.MUTANTS[0].__class__


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "include/perfspec/stats").mkdir(parents=True)
        (self.root / "include/perfspec/stats/a-inl.hpp").write_text("x + 1; y + 1; z - 1;")

    def faults(self, *mutants):
        return list(mutate.faults([Mutant(name, file, "breaks it", old, new) for name, file, old, new in mutants], self.root))

    def test_each_fault_is_named(self):
        (self.root / "include/perfspec/stage").mkdir()
        (self.root / "include/perfspec/stage/a-inl.hpp").write_text("z - 1")
        for row, said in ((("a", "stats/a-inl.hpp", "z - 1", "z + 1"), []),
                          (("a", "stats/a-inl.hpp", "z - 2", "z + 2"), ["a: its old text is found 0 times in include/perfspec/stats/a-inl.hpp"]),
                          (("a", "stats/a-inl.hpp", "+ 1", "+ 2"), ["a: its old text is found 2 times"]),
                          (("a", "stats/b-inl.hpp", "z - 1", "z + 1"), ["a: there is no file include/perfspec/stats/b-inl.hpp"]),
                          (("a", "stage/a-inl.hpp", "z - 1", "z + 1"), ["a: no program is named for stage/a-inl.hpp"]),
                          (("a", "stats/a-inl.hpp", "z - 1", "z - 1"), ["a: its new text is its old one"])):
            found = self.faults(row)
            self.assertEqual(len(found), len(said), found)
            for fault, begin in zip(found, said):
                self.assertTrue(fault.startswith(begin), fault)
        self.assertEqual(self.faults(("a", "stats/a-inl.hpp", "z - 1", "z + 1"), ("a", "stats/a-inl.hpp", "x + 1", "x + 2")),
                         ["a: 2 mutants have this name; give each its own"])


if __name__ == "__main__":
    unittest.main()
