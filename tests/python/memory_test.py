#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The complexity of a process's memory in a call, from scripted system files."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import started_worker  # noqa: F401 finds the module
from perfspec import memory, timing
from perfspec.faults import Refusal


def scripted(*readings):
    return iter(readings).__next__


class Memory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.status, self.clear = (pathlib.Path(folder.name, each) for each in ("status", "clear"))

    def peak(self, before, after, clear=None):
        self.status.write_text(f"VmHWM:\t{before[0]} kB\nVmRSS:\t{before[1]} kB\n")
        return memory.peak_of(lambda: self.status.write_text(f"VmHWM:\t{after} kB\n"), status=self.status, clear=clear or self.clear)

    def test_it_is_the_peak_over_what_was_resident(self):
        self.assertEqual(self.peak((900, 500), 700), 200 * 1024)
        self.assertEqual(self.clear.read_text(), "5")

    def test_without_a_reset_a_higher_peak_is_known_and_a_lower_one_is_not(self):
        nowhere = self.clear / "no" / "file"
        self.assertEqual(self.peak((900, 500), 1000, nowhere), 500 * 1024)
        with self.assertRaisesRegex(Refusal, "clear_refs, which resets its peak, is not writable"):
            self.peak((900, 500), 900, nowhere)

    def test_a_system_without_the_file_is_reported(self):
        with self.assertRaisesRegex(Refusal, "this system has no /proc/self/status"):
            memory.peak_of(lambda: None, status=self.status, clear=self.clear)

    def test_children_that_work_in_the_call_are_reported_but_for_compilers(self):
        self.status.write_text("VmHWM:\t9 kB\nVmRSS:\t5 kB\n")
        peak = lambda **how: memory.peak_of(lambda: None, status=self.status, clear=self.clear, **how)  # noqa: E731
        with self.assertRaisesRegex(Refusal, "child processes work in a call, but their memory is not counted"):
            peak(traces=scripted(1, 2))
        self.assertEqual(peak(traces=scripted(1, 1)), 4096)
        self.assertEqual(peak(traces=scripted(1, 2), compiled=lambda: True), 4096)

    def test_children_finish_their_earlier_work(self):
        self.status.write_text("VmHWM:\t9 kB\nVmRSS:\t5 kB\n")
        works, slept = scripted(True, True, False), []
        rest = lambda: timing.await_rest(any_runnable=works, sleep=slept.append)  # noqa: E731
        self.assertEqual(memory.peak_of(lambda: None, status=self.status, clear=self.clear, traces=lambda: len(slept), await_rest=rest), 4096)
        self.assertEqual(slept, [0.002] * 2)

    def test_children_that_never_rest_are_waited_for_half_a_second(self):
        slept = []
        timing.await_rest(any_runnable=lambda: True, sleep=slept.append, now=scripted(7.0, 7.1, 7.4, 7.5))
        self.assertEqual(slept, [0.002] * 2)

    def test_a_child_whose_other_thread_works_does_not_rest(self):
        code = ("import threading, time\n"
                "def work():\n    while True: pass\n"
                "threading.Thread(target=work, daemon=True).start()\nprint(flush=True)\ntime.sleep(60)\n")
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as child:
            child.stdout.readline()
            self.assertTrue(any(timing.is_runnable(child.pid) for _ in range(1000)))
            child.kill()
        self.assertFalse(timing.is_runnable(child.pid))


if __name__ == "__main__":
    unittest.main()
