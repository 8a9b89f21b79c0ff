// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a tolerance has two sides and is compared by ==: write latency(x) == within(3ms, 5_pct)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f) < within(3ms, 5_pct)); }
