// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a rarer percentile needs more iterations than a run takes: write percentile(latency(x), 99.5)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(p999(latency(f)) < 3ms); }
