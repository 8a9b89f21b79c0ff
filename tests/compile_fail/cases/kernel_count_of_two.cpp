// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: kernel_count takes one subject: write two assertions, or kernel_count(b) < 0.8 * kernel_count(a)
#include <perfspec/language/operator_counts.hpp>
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(kernel_count(f, g) <= 3); }
