// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a tolerance is a percentage, or where the bound is no query a quantity of the query's own unit
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f) == within(latency(g), 2ms)); }
