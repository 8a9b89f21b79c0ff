// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a query needs a bound: write PERF_CHECK(latency(x) < 3ms), or PERF_RECORD(latency(x))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f)); }
