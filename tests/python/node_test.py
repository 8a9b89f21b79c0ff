#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The worker of examples/21_other_language answers by PROTOCOL.md. Exits with 77 without Node.js."""

import pathlib
import shutil
import sys
import unittest

from started_worker import WorkerTest, to

NODE = shutil.which("node")
EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/21_other_language/worker.js"


class Node(WorkerTest):
    def setUp(self):
        super().setUp()
        self.worker = self.start_command([NODE, str(EXAMPLE)])
        self.hello = self.worker.receive()

    def test_it_says_hello_and_answers_each_request_that_it_knows(self):
        word, fields = self.hello
        self.assertEqual((word, fields["protocol"], fields["subjects"]), ("hello", 2, ["copy and sort", "toSorted", "unsorted"]))
        self.assertEqual(self.worker.ask(to("load", subject="toSorted")), ("loaded", {}))
        word, fields = self.worker.ask(to("run", subject="toSorted", iterations=3))
        self.assertEqual((word, fields["iterations"], int(fields["elapsed_ns"]) > 0, int(fields["cpu_ns"]) >= 0), ("ran", 3, True, True))
        self.assertEqual(self.worker.ask(to("compare", reference="copy and sort", candidate="toSorted"))[1]["code"], "PASS")
        self.assertEqual(self.worker.ask(to("compare", reference="toSorted", candidate="unsorted"))[1]["code"], "FAIL")
        self.assertEqual(self.worker.end()[0], 0)

    def test_what_it_cannot_do_is_error_and_it_goes_on(self):
        for line, words in ((to("memory", subject="toSorted"), "does not know memory"), (to("run", subject="gone", iterations=1), "there is no subject gone"),
                            (to("run", subject="toSorted", iterations="x"), "iterations")):
            word, fields = self.worker.ask(line)
            self.assertEqual((word, words in fields["reason"]), ("error", True), fields)
        self.assertEqual(self.worker.ask(to("load", subject="toSorted")), ("loaded", {}))

    def test_it_exits_when_requests_end(self):
        self.assertEqual(self.worker.end()[0], 0)


if __name__ == "__main__":
    if NODE is None:
        print("there is no node here")
        sys.exit(77)
    unittest.main()
