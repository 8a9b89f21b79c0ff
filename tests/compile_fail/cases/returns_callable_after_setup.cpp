// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a body returns a function, and nothing calls it: call it in the body, or write keep(f()) where making it is the work
#include <perfspec/perfspec.hpp>

#include <functional>

int f(int n);

void test() {
    const perfspec::subject x("sum", perfspec::setup([] { return 1; }), [](int& n) { return std::function<int()>([&n] { return f(n); }); });
}
