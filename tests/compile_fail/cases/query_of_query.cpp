// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a query is of a subject, not of another query: write latency(x)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(stability(latency(f)) < 7_pct); }
