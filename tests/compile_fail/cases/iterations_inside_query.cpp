// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: options follow the claim: write PERF_CHECK(latency(x) < 3ms, budget(10s), iterations(100))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(cpu_time(f, 100) < 3ms); }
