// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: there is no claim: write PERF_CHECK(latency(x) < 3ms)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(); }
