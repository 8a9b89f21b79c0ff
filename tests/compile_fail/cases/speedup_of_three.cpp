// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: speedup takes two subjects: write two assertions, or PERF_RECORD(compare(a, b, c))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(speedup(f, g, f) > 0.95); }
