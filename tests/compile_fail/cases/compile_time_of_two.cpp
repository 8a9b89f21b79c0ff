// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: compile_time takes one subject: write two assertions, or compile_time(b) < 0.8 * compile_time(a)
#include <perfspec/language/operator_counts.hpp>
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(compile_time(f, g) <= 3); }
