// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: throughput(x) counts items: write throughput(x) > items_per_second(1e6), throughput(x, bytes) > 200_MBps
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(throughput(f) > 200_MBps); }
