// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: outliers move a mean: write latency(x), which is the median
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(mean(latency(f)) < 3ms); }
