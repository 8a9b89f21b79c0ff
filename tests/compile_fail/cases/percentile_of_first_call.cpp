// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a percentile or minimum takes the times of one subject
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(p99(first_call(f)) < 3ms); }
