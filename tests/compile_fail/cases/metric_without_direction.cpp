// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a metric has a name, a direction and a body: write metric(
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    PERF_CHECK(metric("tokens/s", [] { return 1.0; }) > 3);
}
