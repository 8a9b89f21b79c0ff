// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a percentile is compared with a time, a baseline, or the same percentile of another subject: write p99(latency(b)) < 1.2 * p99(latency(a))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f) < p99(latency(g))); }
