// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a growth and a spread between launches are bounded from one side
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(stability(f) == within(7_pct, 1_pct)); }
