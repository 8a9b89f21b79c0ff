// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: setup belongs to a subject: write latency(perfspec::subject(name, setup(make), body))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    PERF_CHECK(latency(setup([] { return 1; }), [](int& n) { ++n; }) < 3ms);
}
