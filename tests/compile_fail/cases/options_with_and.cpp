// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: options are separated by commas: write PERF_CHECK(claim, budget(10s), margin(1_pct))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f) < 3ms, budget(3s) && margin(1_pct)); }
