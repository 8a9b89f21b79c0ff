// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a claim is not a bool before it is measured
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    if (perfspec::latency(f) == perfspec::within(std::chrono::milliseconds(3), perfspec::percent(5))) g();
}
