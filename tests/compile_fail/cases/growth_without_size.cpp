// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: growth makes an input for each size
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    PERF_CHECK(growth(setup([] { return 1; }), [](int&) {}, {1, 8, 64}) <= order::power(1));
}
