// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: queries are not added, divided or scaled twice: write latency(b) < 0.8 * latency(a), or speedup(a, b) > 1.25
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f) / latency(g) < 0.8); }
