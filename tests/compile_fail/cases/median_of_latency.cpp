// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: the median is what is taken: write latency(x)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(median(latency(f)) < 3ms); }
