// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a table of several values is only recorded
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(compare(f, g) > 1.2); }
