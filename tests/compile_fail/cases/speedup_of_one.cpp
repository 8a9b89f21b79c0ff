// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: speedup takes two subjects: write speedup(before, after) > 0.95
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(speedup(f) > 0.95); }
