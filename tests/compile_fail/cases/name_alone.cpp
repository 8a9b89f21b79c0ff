// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: this is a value, not something to run
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    const perfspec::subject a("sort");
    PERF_CHECK(latency(a) < 3ms);
}
