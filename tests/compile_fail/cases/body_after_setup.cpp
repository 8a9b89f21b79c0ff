// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a body after setup(make) takes what make returns, by reference: [](auto& input) { ... }
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    const perfspec::subject x("sort", perfspec::setup([] { return 1; }), [](const char*) {});
}
