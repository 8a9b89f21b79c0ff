# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Subjects of worker_overhead.cpp."""
import statistics
import time

import perfspec

perfspec.needs("torch")
import torch  # noqa: E402

torch.manual_seed(0)
LEFT, RIGHT, OTHER_LEFT, OTHER_RIGHT = (torch.randn(192, 192) for _ in range(4))


def product():
    return LEFT @ RIGHT


def two_products():
    return LEFT @ (LEFT @ RIGHT)


@perfspec.subject
def empty():
    return lambda: None


def declare_product(name, size):
    """A product, and as much work on other numbers: what that leaves in the caches is what any other subject leaves there, whoever computes it."""
    for called in (name, f"{name} of others"):
        left, right = torch.randn(size, size), torch.randn(size, size)
        perfspec.subject(called)(lambda left=left, right=right: lambda: left @ right)


perfspec.subject("a product")(lambda: product)
declare_product("a large product", 480)
declare_product("a larger product", 1024)


@perfspec.subject("a product of others")
def of_others():
    return lambda: OTHER_LEFT @ OTHER_RIGHT


@perfspec.subject("two products")
def two():
    return two_products


def seconds_of(body, calls):
    begun = time.perf_counter()
    for _ in range(calls):
        body()
    return time.perf_counter() - begun


@perfspec.subject("hand-written ratio")
def hand_written():
    """The loop that one would write by hand: both bodies in turn, the median of the ratios."""
    def ratio():
        return statistics.median(seconds_of(two_products, 20) / seconds_of(product, 20) for _ in range(100))

    return ratio
