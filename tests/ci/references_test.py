# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""ci/lint.d/references finds each kind of broken reference, and no fault in right ones."""
import importlib.machinery
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
PROJECT = pathlib.Path(__file__).resolve().parents[2]
REFERENCES = PROJECT / "ci/lint.d/references"
loader = importlib.machinery.SourceFileLoader("references", str(REFERENCES))
references = importlib.util.module_from_spec(importlib.util.spec_from_loader("references", loader))
loader.exec_module(references)

PAGES = {
    "README.md": "# Root\n\n## A verdict, `holds`\n",
    "include/perfspec/README.md": "# Language\n\n## Options\n\n```sh\n# no heading\n```\n",
    "include/perfspec/stats/README.md": "# Statistics\n\n## Pairs\n\n## Process pairs\n\n## Pairs\n",
    "tests/guides/only.md": "# Only\n",
    "src/code.cpp": "",
}


def faults(**files):
    """The faults of the pages above and a file. The keyword is the end of its name."""
    texts = dict(PAGES)
    for ending, text in files.items():
        texts[f"include/perfspec/run/file.{ending}"] = text
    return list(references.Repository(texts).faults())


class Mentions(unittest.TestCase):
    def test_right_references(self):
        for text in [
                "// README.md, stats/README.md, include/perfspec/stats/README.md, only.md, guides/only.md, ../stats/README.md",
                '// (stats/README.md, "Pairs" and "Process pairs").',
                '// stats/README.md,\n// "Process pairs"',
                '// README.md, "Options"',
                '// include/perfspec/stats/README.md#process-pairs',
                "// https://example.com/gone.md is not of this repository",
                '// *.md and "\\.md" are patterns']:
            self.assertEqual(faults(hpp=text), [], text)

    def test_a_title_of_a_farther_page(self):  # the nearest README.md has none of that name
        self.assertEqual(faults(hpp='// README.md, "Root"'), [])

    def test_a_page_that_is_not_there(self):
        self.assertEqual(faults(hpp="\n\n// as gone.md says"), [
            "include/perfspec/run/file.hpp:3: gone.md: no such page in the repository: name one that is there, with its folder, or leave it out"])
        self.assertEqual(len(faults(py='"""elsewhere/README.md"""')), 1)

    def test_a_title_that_is_not_there(self):
        self.assertEqual(faults(hpp='// stats/README.md, "Pairs" and "no heading"'), [
            'include/perfspec/run/file.hpp:1: stats/README.md, "no heading": no such heading in include/perfspec/stats/README.md: '
            "quote one that is there, or name the page with its folder"])
        self.assertEqual(len(faults(hpp='// README.md, "no heading"')), 1)  # a line in a fence is no heading

    def test_an_anchor_that_is_not_there(self):
        self.assertEqual(len(faults(hpp="// stats/README.md#blocks")), 1)

    def test_bodies(self):
        self.assertEqual(faults(md="`code-inl.hpp`, `src/code-inl.hpp`, `x-inl.hpp`"), [
            f"include/perfspec/run/file.md:1: {name}: no such bodies in the repository: name those that are there"
            for name in ("code-inl.hpp", "src/code-inl.hpp")])
        references_to = {**PAGES, "src/code-inl.hpp": "", "page.md": "`code-inl.hpp`, `src/code-inl.hpp`, `x-inl.hpp`"}
        self.assertEqual(list(references.Repository(references_to).faults()), [])

    def test_several_pages_of_one_name(self):
        texts = {"a/x.md": "", "b/x.md": "", "c/code.py": "# x.md"}
        self.assertEqual(len(list(references.Repository(texts).faults())), 1)


class Links(unittest.TestCase):
    def test_right_references(self):
        for text in [
                "[a](../README.md) [b](../stats/README.md#process-pairs) [c](../stats/README.md#pairs-1) [d](../../../src) [e](#here)\n\n# Here",
                "[a](../../../README.md#a-verdict-holds) [b](../../../src/code.cpp#L3) [c](https://example.com/gone.md) [d](../../..)",
                "`[&](auto)` and\n\n    [](int) {}\n\n```cpp\n[](int) {}  // gone.md\n```"]:
            self.assertEqual(faults(md=text), [], text)

    def test_broken_links(self):
        for text, fault in [
                ("[a](gone.cpp)", "link to gone.cpp: no such file or folder in the repository: write its path from the folder of this page on"),
                ("[a](README.md)", "link to README.md: no such file or folder in the repository: write its path from the folder of this page on"),
                ("[a](../stats/README.md#pairs-2)",
                 "link to ../stats/README.md#pairs-2: no such heading in include/perfspec/stats/README.md: write the anchor of one that is there"),
                ("[a](#there)", "link to #there: no such heading in include/perfspec/run/file.md: write the anchor of one that is there")]:
            self.assertEqual(faults(md="# Here\n" + text), ["include/perfspec/run/file.md:2: " + fault])


class Program(unittest.TestCase):
    def run_in(self, files):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["git", "init", "--quiet", folder], check=True)
            for name, text in files.items():
                (pathlib.Path(folder) / name).write_bytes(text)
            return subprocess.run([sys.executable, str(REFERENCES), folder], capture_output=True, text=True, check=False)

    @unittest.skipUnless(shutil.which("git"), "no git")
    def test_its_exit_code(self):
        files = {"README.md": b"[a](a.py)", "a.py": b"# README.md", "data": b"\xff gone.md", ".gitignore": b"ignored.*\n", "ignored.md": b"gone.md"}
        ended = self.run_in(files)
        self.assertEqual((ended.returncode, ended.stdout), (0, ""))
        ended = self.run_in({**files, "a.py": b"# ignored.md"})
        self.assertEqual(ended.returncode, 1)
        self.assertTrue(ended.stdout.startswith("a.py:1: ignored.md: no such page"), ended.stdout)

    def test_it_names_pages_that_no_test_writes_any_more(self):
        for file, pages in references.WRITTEN.items():
            texts = {file: " ".join(sorted(pages))}
            self.assertEqual(list(references.Repository(texts).faults()), [], file)
            self.assertEqual(len(list(references.Repository({file: ""}).faults())), len(pages), file)


if __name__ == "__main__":
    unittest.main()
