// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: PERF_RECORD takes a query without a bound; to judge a claim, write PERF_CHECK or PERF_WARN
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_RECORD(latency(f) < 3ms); }
