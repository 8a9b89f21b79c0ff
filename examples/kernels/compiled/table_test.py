#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Crossover, break-even and tables, with numbers that can be reckoned by hand."""
import json
import unittest

import table
from table import Interval

SLOWER, EVEN, FASTER = Interval(0.4, 0.5, 0.6), Interval(0.98, 1.0, 1.02), Interval(1.5, 2.0, 4.0)


def record(query, measured, *, test="products", axes=None, macro="PERF_MEASURE", own_unit="", subjects=(), kind="result"):
    return json.dumps({"kind": kind, "macro": macro, "on_request": False, "test": test, "key": f"{test} / {query}", "reason": "too slow", "query": query,
                       "own_unit": own_unit, "axes": axes or {"n": "64", "variant": "default"}, "measured": measured,
                       "subjects": [{"median": median} for median in subjects]})


def measured(low, median, high):
    return {"low": low, "value": median, "high": high}


class Crossover(unittest.TestCase):
    def test_a_series_crosses_between_the_sizes_of_unlike_sides(self):
        self.assertEqual(table.crossovers([(16, SLOWER), (32, SLOWER), (64, FASTER), (128, FASTER)]), [(32, 64, 1)])

    def test_what_is_not_resolved_lies_between(self):
        self.assertEqual(table.crossovers([(16, SLOWER), (32, EVEN), (64, EVEN), (128, FASTER)]), [(16, 128, 1)])

    def test_a_series_may_cross_back(self):
        self.assertEqual(table.crossovers([(16, SLOWER), (32, FASTER), (64, EVEN), (128, SLOWER)]), [(16, 32, 1), (32, 128, -1)])

    def test_a_series_that_becomes_even_crosses_nothing(self):
        self.assertEqual(table.crossovers([(16, SLOWER), (32, EVEN), (64, EVEN)]), [])

    def test_an_interval_that_ends_at_one_is_on_no_side(self):
        self.assertEqual([table.side(each) for each in (Interval(1.0, 1.1, 1.2), Interval(0.8, 0.9, 1.0), Interval(1.01, 1.1, 1.2), Interval(0.8, 0.9, 0.99))],
                         [0, 0, 1, -1])


class Even(unittest.TestCase):
    def test_from_the_first_size_after_the_last_that_is_not(self):
        self.assertEqual(table.even_from([(16, EVEN), (32, SLOWER), (64, EVEN), (128, EVEN)]), 64)

    def test_not_where_the_largest_is_not(self):
        self.assertIsNone(table.even_from([(16, EVEN), (32, FASTER)]))

    def test_the_bound_belongs_to_it(self):
        self.assertEqual([table.even_from([(16, Interval(1, middle, 2))], 0.25) for middle in (1.25, 1.26, 0.75, 0.74)], [16, None, 16, None])


class BreakEven(unittest.TestCase):
    def test_compiling_pays_by_what_each_call_saves(self):
        # An eager call takes 1000 ns. At 2 a call saves 500 ns, at 4 it saves 750 ns, at 1.25 200 ns; compiling takes 3000 ns.
        self.assertEqual(table.break_even(3000, 1000, Interval(2, 2, 4)), Interval(4, 6, 6))
        self.assertAlmostEqual(table.break_even(3000, 1000, Interval(1.25, 2, 4)).high, 15)

    def test_it_never_pays_what_is_not_shown_to_be_faster(self):
        for speedup in (SLOWER, EVEN, Interval(1.0, 1.1, 1.2)):
            self.assertIsNone(table.break_even(3000, 1000, speedup))

    def test_a_table_says_why_there_is_no_number(self):
        cells = [table.Cell("t", {}, 1000, 1, speedup) for speedup in (SLOWER, EVEN, FASTER)]
        self.assertEqual([table.shown_calls(3000, cell) for cell in cells], ["never", "not shown to pay", "6 (4 .. 9)"])
        self.assertEqual(table.shown_calls(None, cells[2]), "-")


class Tables(unittest.TestCase):
    def test_a_cell_has_its_times_ratio_and_compilation(self):
        text = table.text_of(table.read([record("speedup(a, b)", measured(1.5, 2, 4), subjects=(2e6, 1e6)), record("compile_time(b)", measured(3e9, 3e9, 3e9))]))
        self.assertEqual(text.splitlines()[4], "| 64 | default | 2 ms  | 1 ms  | 2.000 (1.500 .. 4.000) | 3 s       | 3000 (2000 .. 4500) |")

    def test_the_time_of_another_cell_is_not_taken(self):
        found = table.read([record("speedup(a, b)", measured(1.5, 2, 4), subjects=(2e6, 1e6)),
                            record("compile_time(b)", measured(3e9, 3e9, 3e9), axes={"n": "32", "variant": "default"})])
        self.assertIn("| -         | -                |", table.text_of(found))

    def test_a_claim_beside_the_record_is_not_a_second_cell(self):
        found = table.read([record("speedup(a, b)", measured(1, 2, "inf"), subjects=(2, 1)), record("speedup(a, b)", measured(1, 2, 3), macro="PERF_CHECK"),
                            record("speedup(a, b)", None, kind="started")])
        self.assertEqual([cell.speedup for cell in found.cells], [Interval(1, 2, float("inf"))])
        self.assertEqual(found.unmeasured, [])

    def test_what_was_not_measured_is_told(self):
        found = table.read([record("speedup(a, b)", measured(1, 2, 3), subjects=(2, 1)), record("speedup(a, c)", None)])
        self.assertTrue(table.text_of(found).endswith("not measured:\nproducts / speedup(a, c): too slow"))

    def test_a_convolution_in_place_stands_beside_itself_alone(self):
        axes = {"convolution": "64-64", "times": "3", "variant": "default"}
        profiled = [record("metric(ns, x)", measured(ns, ns, ns), axes={**axes, "variant": variant, "where": where}, own_unit="ns")
                    for where, variant, ns in (("in place", "eager", 3e6), ("in place", "default", 2e6), ("profiled alone", "eager", 1e6),
                                               ("profiled alone", "default", 0.8e6))]
        alone = record("speedup(a, b)", measured(0.4, 0.5, 0.6), test="alone", axes=axes, subjects=(1.1e6, 2.2e6))
        row = [text.strip() for text in table.text_of(table.read([alone, *profiled])).splitlines()[-1].split("|")[1:-1]]
        self.assertEqual(row, ["64-64", "3", "1.1 ms", "1 ms", "3 ms", "2.2 ms", "800 us", "2 ms", "0.500", "1.250", "1.500"])
        self.assertNotIn("itself", table.text_of(table.read([alone, *profiled[1:]])))  # one is missing

    def test_rows_are_in_the_order_of_numbers_and_of_recorded_names(self):
        found = table.read([record("speedup(a, b)", measured(1, 2, 3), axes={"n": n, "variant": variant}, subjects=(1, 1))
                            for n, variant in (("128", "default"), ("128", "aot"), ("16", "default"), ("16", "aot"))])
        self.assertEqual([line.split()[1:4:2] for line in table.text_of(found).splitlines()[4:8]],
                         [["16", "default"], ["16", "aot"], ["128", "default"], ["128", "aot"]])

    def test_a_series_says_where_it_crosses(self):
        lines = [record("speedup(a, b)", measured(*speedup), axes={"n": str(n), "variant": "default"}, subjects=(1, 1))
                 for n, speedup in ((64, FASTER), (16, SLOWER), (128, EVEN))]
        self.assertIn("default: faster between 16 and 64; within 5% of eager from 128 on", table.text_of(table.read(lines)))

    def test_a_file_without_speedups_is_refused(self):
        self.assertEqual(table.main([]), 2)


if __name__ == "__main__":
    unittest.main()
