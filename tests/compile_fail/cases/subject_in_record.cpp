// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a query comes first, options after it: write PERF_RECORD(latency(x), budget(10s))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_RECORD(perfspec::subject("sort", f)); }
