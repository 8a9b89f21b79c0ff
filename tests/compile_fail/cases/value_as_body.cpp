// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: this is a value, not something to run: write latency([&] { return f(x); }) instead of
// latency(f(x))
#include <perfspec/perfspec.hpp>

void f();
void g();

int sum(int n);

void test() { PERF_CHECK(latency(sum(3)) < 3ms); }
