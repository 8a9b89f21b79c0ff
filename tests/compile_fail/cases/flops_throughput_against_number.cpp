// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: throughput(x, flops) is compared with operations a second: write 2_GFLOPS
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(throughput(f, flops) > 2e9); }
