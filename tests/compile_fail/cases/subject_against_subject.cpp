// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a subject is not a number: write latency(x) < 3ms, or speedup(a, b) > 0.95
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    const perfspec::subject a("a", f), b("b", g);
    PERF_CHECK(a < b);
}
