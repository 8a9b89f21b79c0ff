// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a mean follows its outliers: write latency(x), which is the median
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(mean(latency(f)) < 3ms); }
