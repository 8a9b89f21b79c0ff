// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a spread between launches has no baseline, because a launch has none and ten of them take 150 processes: write stability(x) < 7_pct
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(stability(f) < baseline() + 2_pct); }
