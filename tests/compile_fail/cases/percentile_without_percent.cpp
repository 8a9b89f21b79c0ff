// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: say which percentile: write percentile(latency(x), 99.5)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(percentile(latency(f)) < 3ms); }
