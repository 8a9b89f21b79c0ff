// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: there is no _ms: write 3ms
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency(f) < 3_ms); }
