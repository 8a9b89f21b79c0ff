// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: kernel_time takes one subject: write two assertions, or kernel_time(b) < 0.8 * kernel_time(a)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(kernel_time(f, g) < 3us); }
