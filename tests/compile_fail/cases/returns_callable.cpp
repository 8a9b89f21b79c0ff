// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a body returns something to call, which nobody calls: call it in the body, or write keep(f()) where making it is the work
#include <perfspec/perfspec.hpp>

int f(int n);

void test(int n) {
    const perfspec::subject x("sum", [&] { return [&] { return f(n); }; });
}
