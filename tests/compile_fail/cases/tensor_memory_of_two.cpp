// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: tensor_memory takes one subject: write two assertions, or tensor_memory(b) < 0.8 * tensor_memory(a)
#include <perfspec/language/operator_counts.hpp>
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(tensor_memory(f, g) <= 3); }
