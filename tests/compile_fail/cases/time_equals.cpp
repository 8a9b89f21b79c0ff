// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: measured values are never exactly equal: write < or > with a bound, or a tolerance: ==
// within(3ms, 5_pct)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f) == 3ms); }
