// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a minimum is only recorded
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(minimum(latency(f)) == within(3ms, 5_pct)); }
