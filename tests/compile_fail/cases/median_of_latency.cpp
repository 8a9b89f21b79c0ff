// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: latency(x) is the median already: write latency(x)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(median(latency(f)) < 3ms); }
