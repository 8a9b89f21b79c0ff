// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: p99 takes the times of one subject: write two assertions, or p99(latency(b)) < 0.8 * p99(latency(a))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(p99(f, g) < 3ms); }
