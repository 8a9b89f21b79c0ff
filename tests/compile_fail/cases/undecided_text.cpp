// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: undecided is pass, warn or fail: write undecided(fail)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f) < 3ms, undecided("fail")); }
