// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: device_traffic takes one subject: write two assertions, or device_traffic(b) < 0.8 * device_traffic(a)
#include <perfspec/language/operator_counts.hpp>
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(device_traffic(f, g) <= 3); }
