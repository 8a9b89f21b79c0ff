// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a claim comes first, options after it: write PERF_CHECK(latency(x) < 3ms, budget(10s))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(budget(3s), latency(f) < 3ms); }
