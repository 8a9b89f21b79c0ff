// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: speedup takes two subjects or two times: write speedup(a, b), or speedup(cpu_time(a), cpu_time(b))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(speedup(cpu_time(f), g) > 0.95); }
