# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Products of square matrices: eager, compiled, and by NumPy."""
import functools

import variants

import perfspec
import torch

SIZES = (*(2**power for power in range(4, 15)), 17500)  # 17500 is the largest of the thesis


@functools.lru_cache(maxsize=None)
def factors(n):
    """The same for all variants, so that the largest are there once."""
    torch.manual_seed(0)
    return torch.randn(n, n), torch.randn(n, n)


def by_numpy(n):
    perfspec.needs("numpy")
    import numpy

    a, b = (each.numpy() for each in factors(n))
    return lambda: torch.from_numpy(numpy.matmul(a, b))  # a view of the product, so that it is compared with torch's


for n in SIZES:
    variants.register(f"n={n}", lambda n=n: (torch.matmul, factors(n)), ("eager", *variants.MODES, "aot_inductor"))
    perfspec.subject(f"n={n} numpy")(functools.partial(by_numpy, n))
