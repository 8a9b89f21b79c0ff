// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: device_operations takes one subject: write two assertions, or device_operations(b) < 0.8 * device_operations(a)
#include <perfspec/language/operator_counts.hpp>
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(device_operations(f, g) <= 3); }
