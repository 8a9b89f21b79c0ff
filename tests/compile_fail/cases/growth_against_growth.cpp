// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a growth is compared with a power of n
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    PERF_CHECK(growth(setup([](std::size_t n) { return n; }), [](std::size_t&) {}, {1, 8, 64}) <=
               growth(setup([](std::size_t n) { return n; }), [](std::size_t&) {}, {1, 8, 64}));
}
