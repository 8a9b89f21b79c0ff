# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Performance claims beside the tests of a function: python -m pytest"""
import collections

import pytest

WORDS = ("the quick brown fox jumps over the lazy dog " * 100).split()


def by_loop():
    counts = {}
    for word in WORDS:
        counts[word] = counts.get(word, 0) + 1
    return counts


def by_counter():
    return dict(collections.Counter(WORDS))


def test_both_count():
    assert by_loop() == by_counter()


def test_a_counter_is_faster(perf):
    perf.require(perf.speedup(by_loop, by_counter) > 1.05)  # outputs are compared first


@pytest.mark.parametrize("times", [1, 10])
def test_counting_takes_no_time(perf, times):
    perf.check(perf.latency(count=lambda: collections.Counter(WORDS * times)) < "50ms")


def test_words_of_a_second(perf):
    counted = perf.subject("counted", by_counter, items=len(WORDS))
    perf.check(perf.throughput(counted) > 100_000)


@pytest.mark.perf(processes=10, budget="50ms")
def test_a_counter_stays_as_fast(perf):
    perf.warn(perf.latency(by_counter) < 1.1 * perf.baseline())  # the first run records, and is skipped
