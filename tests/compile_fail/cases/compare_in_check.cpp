// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a query needs a bound
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(compare(f, g)); }
