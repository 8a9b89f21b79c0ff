// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: this is a bool, not a claim on a measured query: write CHECK(...), or compare latency(x),
// speedup(a, b)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(1 < 2); }
