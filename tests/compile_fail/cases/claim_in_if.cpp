// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a claim is not a bool before it is measured: write PERF_CHECK(claim) instead of CHECK(claim) or
// if (claim)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    if (perfspec::latency(f) < std::chrono::milliseconds(3)) f();
}
