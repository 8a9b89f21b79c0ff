// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a subject's body takes no arguments: capture them: latency([&] { return f(x); })
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    PERF_CHECK(latency([](int n) { return n; }) < 3ms);
}
