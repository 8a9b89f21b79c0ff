// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a speedup or a memory_ratio is a ratio: write speedup(a, b) > 0.95 or > 0.9 * baseline(), or bound
// one subject: latency(b) < 3ms
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(speedup(f, g) > 3ms); }
