// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a count is not compared by !=: write ==, <= or >= with a bound
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(allocations(f) != 0); }
