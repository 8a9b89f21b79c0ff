// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a subject is not a number: write 0.95 * latency(x)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    const perfspec::subject a("a", f);
    PERF_CHECK(latency(g) < 0.95 * a);
}
