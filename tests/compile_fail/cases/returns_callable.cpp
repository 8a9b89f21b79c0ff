// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a body returns a function, and nothing calls it: call it in the body, or write keep(f()) where
// making it is the work
#include <perfspec/perfspec.hpp>

int f(int n);

void test(int n) {
    const perfspec::subject x("sum", [&] { return [&] { return f(n); }; });
}
