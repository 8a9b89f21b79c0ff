// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a time is compared with a time, or with the same query of another subject
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(first_call(f) < latency(g)); }
