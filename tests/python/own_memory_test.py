#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Memory that may be written to for a look, by lines as /proc/self/maps has them."""

import mmap
import os
import tempfile
import unittest

import started_worker  # noqa: F401 finds the module
from perfspec.bodies.own_memory import OwnMemory, own_memory

MAPS = """\
00001000-00002000 rw-p 00000000 00:00 0                                  [heap]
00002000-00003000 r--p 00000000 08:01 1234                               /data/weights.npy
00003000-00004000 rw-s 00000000 08:01 1234                               /data/my weights.npy
00004000-00005000 rw-p 00000000 08:01 1234                               /data/weights.npy
00005000-00006000 rw-s 00000000 00:01 5                                  /dev/shm/torch_1 (deleted)
00007000-00008000 rw-s 00000000 00:00 0
"""


class Maps(unittest.TestCase):
    def may(self, address):
        return OwnMemory(MAPS.splitlines(keepends=True)).may_be_written(address)

    def test_memory_of_the_process_alone_may_be_written(self):
        self.assertEqual([self.may(each) for each in (0x1000, 0x1FFF, 0x4800)], [True] * 3)

    def test_what_is_read_only_or_a_file_may_not(self):
        self.assertEqual([self.may(each) for each in (0x2000, 0x2FFF, 0x3000)], [False] * 3)

    def test_memory_that_processes_share_and_is_no_file_may(self):
        self.assertEqual([self.may(each) for each in (0x5000, 0x7800)], [True] * 2)

    def test_an_address_that_is_in_no_range_may_not(self):
        self.assertEqual([self.may(each) for each in (0x0, 0x6000, 0x9000)], [False] * 3)

    def test_where_nothing_is_known_all_may(self):
        self.assertTrue(OwnMemory([]).may_be_written(0x1000))


@unittest.skipUnless(os.path.exists("/proc/self/maps"), "there is no /proc")
class Process(unittest.TestCase):
    def test_a_file_that_is_mapped_is_told_from_memory(self):
        import ctypes
        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes(4096))
            file.flush()
            with mmap.mmap(file.fileno(), 4096) as mapped, mmap.mmap(-1, 4096) as memory:
                shared = ctypes.addressof(ctypes.c_char.from_buffer(mapped))
                own = ctypes.addressof(ctypes.c_char.from_buffer(memory))
                found = own_memory()
                self.assertEqual((found.may_be_written(shared), found.may_be_written(own)), (False, True))


if __name__ == "__main__":
    unittest.main()
