// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: put the sizes in braces: write growth(setup(make), body, {1000, 4000, 16000})
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    PERF_CHECK(growth(
                   setup([](std::size_t n) { return n; }), [](std::size_t&) {}, 1, 8, 64) <= order::power(1));
}
