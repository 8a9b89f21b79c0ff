// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a subject's body may not be over-aligned: capture by reference
#include <perfspec/perfspec.hpp>

struct alignas(64) wide {
    char bytes[64];
};
void f();
void g();

void test() {
    const perfspec::subject x("sort", [w = wide()] { return w.bytes[0]; });
}
