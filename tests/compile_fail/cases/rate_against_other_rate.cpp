// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a rate is compared with a rate: write items_per_second(1e6), 12_GBps, or 0.95 * baseline()
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(throughput(f, bytes) > items_per_second(1e6)); }
