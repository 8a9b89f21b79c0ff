// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a factor belongs to the bound: write latency(b) < 0.8 * latency(a), latency(x) < 3ms
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(2 * latency(f) < 3ms); }
