// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a query alone measures nothing: write PERF_RECORD(query), or PERF_CHECK(query < bound)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { perfspec::latency(f); }
