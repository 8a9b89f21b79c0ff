// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a query takes a subject, not another query: write latency(x)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(stability(latency(f)) < 7_pct); }
