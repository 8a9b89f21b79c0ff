// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: throughput(x, bytes) is compared with bytes a second: write 200_MBps, or 0.95 * baseline()
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(throughput(f, bytes) > items_per_second(1e6)); }
