// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a speedup compares medians: compare percentiles with each other: p99(latency(b)) < 0.8 * p99(latency(a))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(speedup(p99(latency(f)), p99(latency(g))) > 1.2); }
