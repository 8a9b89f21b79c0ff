// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a query is not a bool: compare it with a bound inside PERF_CHECK
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    if (perfspec::latency(f)) f();
}
