// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a baseline is scaled by a number, then moved by a percentage or a quantity: write 1.05 * baseline(), baseline() + 5_pct
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f) < baseline() + 5); }
