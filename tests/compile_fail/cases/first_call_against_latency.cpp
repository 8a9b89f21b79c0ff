// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: what happens once in a process is compared with a time, a baseline
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(first_call(f) < latency(g)); }
