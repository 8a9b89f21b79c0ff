// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: measured values are never exactly equal: write < or > with a bound
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(peak_memory(f) == 80_MiB); }
