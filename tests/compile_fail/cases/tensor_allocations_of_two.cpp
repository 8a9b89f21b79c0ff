// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: tensor_allocations takes one subject: write two assertions, or tensor_allocations(b) < 0.8 * tensor_allocations(a)
#include <perfspec/language/operator_counts.hpp>
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(tensor_allocations(f, g) <= 3); }
