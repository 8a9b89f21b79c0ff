// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: there is no _percent: write 5_pct
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(stability(f) < 5_percent); }
