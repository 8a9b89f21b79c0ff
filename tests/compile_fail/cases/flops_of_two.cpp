// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: flops takes one subject: write two assertions, or flops(b) < 0.8 * flops(a)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(flops(f, g) <= 3); }
