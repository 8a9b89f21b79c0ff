// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a subject's body takes no arguments: capture them: latency([&] { return f(x); })
#include <perfspec/perfspec.hpp>

void f();
void g();

int sum(int n);

void test() { PERF_CHECK(speedup(sum, f) > 0.95); }
