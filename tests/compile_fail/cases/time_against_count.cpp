// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a time is compared with a time: write latency(x) < 3ms
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f) < allocations(g)); }
