// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: stability has no baseline, because recording one would take 150 processes: write stability(x) < 7_pct
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(stability(f) < baseline() + 2_pct); }
