// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a count is compared with a plain number, with baseline(), or with the same count of another subject
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(instructions(f) < allocations(g)); }
