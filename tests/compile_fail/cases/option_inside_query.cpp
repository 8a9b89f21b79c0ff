// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: options follow the claim: write PERF_CHECK(latency(x) < bound, budget(10s))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f, budget(3s)) < 3ms); }
