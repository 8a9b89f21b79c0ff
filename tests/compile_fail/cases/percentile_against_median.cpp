// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: both sides are the same query of two subjects
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(p99(latency(f)) < 2 * latency(g)); }
