// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: same_output takes two subjects: write same_output(reference, candidate)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(same_output(f)); }
