// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a claim is not a bool before it is measured: write PERF_CHECK(claim), once for each claim
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f) < 3ms && speedup(f, g) > 1); }
