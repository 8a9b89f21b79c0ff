// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: the tolerance of a comparison with another query is a percentage: write latency(a) ==
// within(latency(b), 5_pct)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f) == within(latency(g), 2ms)); }
