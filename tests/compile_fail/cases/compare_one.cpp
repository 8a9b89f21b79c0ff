// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: compare takes two or more subjects: write PERF_RECORD(compare(a, b, c))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_RECORD(compare(f)); }
