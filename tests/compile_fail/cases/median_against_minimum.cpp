// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a minimum is only recorded, because no statistical test judges it: write PERF_RECORD(minimum(latency(x))), or bound latency(x) or p99(latency(x))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f) < minimum(latency(g))); }
