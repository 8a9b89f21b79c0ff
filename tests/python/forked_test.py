#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Child processes that return from a body."""

import os
import unittest

import started_worker  # noqa: F401 finds the module
from perfspec import forked, timing
from perfspec.faults import Refusal


class Loops(unittest.TestCase):
    def setUp(self):
        self.kept, forked.children.calls = forked.children.calls, []
        self.addCleanup(setattr, forked.children, "calls", self.kept)

    def called(self, iterations, *, forks_at=0, keep=False):
        """How often a body is called by a process that is a child from some call on."""
        calls = []

        def body():
            calls.append(1)
            if len(calls) == forks_at:
                forked.children.calls.clear()
            return len(calls)

        sample = timing.take_sample(body, iterations, keep=keep)
        return (len(calls), sample.returned) if keep else len(calls)

    def test_a_body_is_called_as_often_as_asked(self):
        for iterations in (0, 1, 2, 1000):
            self.assertEqual(self.called(iterations), iterations)
        self.assertEqual(self.called(3, keep=True), (3, 3))

    def test_a_child_does_not_call_it_again(self):
        self.assertEqual(self.called(1000, forks_at=1), 1)
        self.assertEqual(self.called(5, forks_at=3, keep=True), (3, 3))


class Returned(unittest.TestCase):
    def test_a_child_that_returned_says_so_and_ends(self):
        left = []
        children = forked.Children(left.append)
        children.begin("")
        children.end_child()
        children.require_none()
        children.begin_child()
        children.end_child()
        self.assertEqual(left, [0])
        children.begin("another")
        children.require_none()
        children.begin("")
        with self.assertRaisesRegex(Refusal, r"a child process returned from the code that forked it: end it there by os\._exit\(0\)"):
            children.require_none()

    @unittest.skipUnless(hasattr(os, "fork"), "fork is not there")
    def test_its_parent_sees_it(self):
        children = forked.Children()
        if not (child := os.fork()):
            children.begin_child()
            children.end_child()
        os.waitpid(child, 0)
        with self.assertRaises(Refusal):
            children.require_none()


@unittest.skipUnless(hasattr(os, "fork"), "fork is not there")
class Worker(started_worker.WorkerTest):
    def test_a_body_that_forks_makes_a_child_for_each_call_and_no_more(self):
        calls = os.path.join(self.folder, "calls")
        process = self.served(f"import os, perfspec\n@perfspec.subject\ndef f():\n    def body():\n        with open({calls!r}, 'ab', 0) as file: file.write(b'.')\n"
                              "        return os.fork()\n    return body\n")
        word, fields = process.ask("run subject=f iterations=12")
        self.assertEqual((word, fields["kind"]), ("invalid", "body_threw"))
        process.end()
        self.assertEqual(os.path.getsize(calls), 12)  # where children call it, too, 2 ** 12


if __name__ == "__main__":
    unittest.main()
