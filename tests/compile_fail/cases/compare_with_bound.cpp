// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a comparison of several is only recorded: write PERF_RECORD(compare(a, b, c))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(compare(f, g) > 1.2); }
