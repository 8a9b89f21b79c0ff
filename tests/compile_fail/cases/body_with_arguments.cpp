// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a subject's body takes no arguments: capture them, or write subject(name, setup(make), body)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    const perfspec::subject x("sort", [](int n) { return n; });
}
