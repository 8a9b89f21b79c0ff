// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a comparison is of two subjects or more: write PERF_RECORD(compare(a, b, c))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_RECORD(compare(f)); }
