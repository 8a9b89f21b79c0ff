// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a body returns a future, whose work may not have begun: wait for it in the body, f().get()
#include <perfspec/perfspec.hpp>

#include <future>

int f();

void test() {
    const perfspec::subject x("sum", [] { return std::async(std::launch::deferred, f); });
}
