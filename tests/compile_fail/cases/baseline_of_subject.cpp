// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a baseline is that of the query beside it: write latency(x) < 1.05 * baseline()
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f) < 1.05 * baseline(latency(f))); }
