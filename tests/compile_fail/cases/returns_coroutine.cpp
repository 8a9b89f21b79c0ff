// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a body returns a coroutine, which has not run to its end: run it in the body
#include <perfspec/perfspec.hpp>

struct task {
    struct promise_type;
};

task f();

void test() {
    const perfspec::subject x("sum", [] { return f(); });
}
