// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: peak_memory takes one subject: write two assertions, or peak_memory(b) < 0.8 * peak_memory(a)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(peak_memory(f, g) < 3_MiB); }
