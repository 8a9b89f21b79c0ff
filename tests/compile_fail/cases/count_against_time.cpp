// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a count or a metric of your own is compared with a plain number
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(allocations(f) < 3ms); }
