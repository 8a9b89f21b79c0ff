#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Why torch compiled once more, in words, without torch."""

import unittest

import started_worker  # noqa: F401 finds the module
from perfspec.compiler import guards


class Guards(unittest.TestCase):
    def test_guards_are_told_in_plain_words(self):
        for guard, words in (("0/1: tensor 'x' size mismatch at index 0. expected 4, actual 5", "x has size 5 in dimension 0, and was compiled for 4"),
                             ("tensor 'L['x']' stride mismatch at index 1. expected 1, actual 8", "x has stride 8 in dimension 1, and was compiled for 1"),
                             ("tensor 'args[0]' rank mismatch. expected 2, actual 3", "args[0] has 3 dimensions, and was compiled for 2"),
                             ("tensor 'x' dtype mismatch. expected Float, actual Double", "x is of Double, and was compiled for Float"),
                             ("tensor 'x' requires_grad mismatch. expected requires_grad=1", "x requires none, and was compiled for one that requires gradients"),
                             ("tensor 'x' requires_grad mismatch. expected requires_grad=0", "x requires gradients, and was compiled for one that requires none"),
                             ("tensor 'x' dispatch key set mismatch. expected A, actual B", "x is another kind of tensor: dispatch key set mismatch. expected A, actual B"),
                             ("0/0: GLOBAL_STATE changed: grad_mode", "a setting of torch changed: grad_mode"),
                             ("0/0: L['s'] == 'aa'", "what it was compiled for does not hold any more: s == 'aa'"), ("", "")):
            self.assertEqual(guards.in_words(guard), words)


if __name__ == "__main__":
    unittest.main()
