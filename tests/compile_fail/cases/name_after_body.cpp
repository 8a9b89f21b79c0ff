// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a subject's name comes first: write subject(name, body)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    const perfspec::subject a(f, "sort");
    PERF_CHECK(latency(a) < 3ms);
}
