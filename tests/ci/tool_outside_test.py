#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The tool `perfspec` on special files, folders that cannot be read, and a full standard output.

usage: tool_outside_test.py <perfspec, the tool> <a file of results>
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

TOOL, RESULTS = map(os.path.abspath, sys.argv[1:3])
NOBODY = 65534


def perfspec(*arguments, **options):
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run([TOOL, *map(str, arguments)], text=True, check=False, **streams)


class Outside(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="perfspec-outside-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.markdown = perfspec("report", RESULTS, "--markdown", "-").stdout

    def report_to(self, path, **options):
        return perfspec("report", RESULTS, "--quiet", "--markdown", path, **options)

    def test_a_file_is_replaced_in_one_step(self):
        file = self.folder / "r.md"
        file.write_text("old", encoding="utf-8")
        before = file.stat().st_ino
        self.report_to(file)
        self.assertEqual(file.read_text(encoding="utf-8"), self.markdown)
        self.assertNotEqual(file.stat().st_ino, before)

    def test_a_link_stays_one(self):
        target, link = self.folder / "target.md", self.folder / "link.md"
        link.symlink_to(target)
        for _ in range(2):  # the target is created, and written anew
            self.report_to(link)
            self.assertTrue(link.is_symlink())
            self.assertEqual(target.read_text(encoding="utf-8"), self.markdown)

    def test_a_pipe_stays_one(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        got = []
        reader = threading.Thread(target=lambda: got.append(pipe.read_text(encoding="utf-8")), daemon=True)
        reader.start()
        self.report_to(pipe)
        self.assertTrue(pipe.is_fifo())
        reader.join(timeout=30)
        self.assertEqual(got, [self.markdown])

    def test_a_folder_is_no_file(self):
        done = self.report_to(self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("Is a directory; name a file that can be written", done.stderr)

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full here")
    def test_a_full_standard_output_is_an_error(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = perfspec("report", RESULTS, stdout=full)
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith("perfspec: cannot write to the standard output: No space left on device"), done.stderr)

    def test_a_folder_that_cannot_be_read_is_named(self):
        self.folder.chmod(0o755)
        closed = self.folder / "baselines" / "some-cpu-4c"
        closed.mkdir(parents=True, mode=0o700)
        identity = {}
        if os.geteuid() == 0:
            tool = shutil.copy(TOOL, self.folder / "perfspec")  # the build folder may be closed to others
            identity = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        else:
            tool = TOOL
            closed.chmod(0)
            self.addCleanup(closed.chmod, 0o700)
        done = subprocess.run([tool, "baselines", "verify", "--baseline-dir", closed.parent], capture_output=True, text=True, check=False,
                              cwd=self.folder, **identity)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, f"perfspec: {closed}: Permission denied, expected a folder that can be read; correct its permissions, or name another by --baseline-dir\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
