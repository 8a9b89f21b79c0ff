// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a time is compared with a time: write latency(x) < 3ms, < 1.05 * baseline(), or < 0.8 *
// latency(y)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(cpu_time(f) < 2_MiB); }
