// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a percentile or minimum takes the times of one subject: write p99(latency(x)) or p99(cpu_time(x))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(p99(speedup(f, g)) > 0.95); }
