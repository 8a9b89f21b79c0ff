// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a growth is compared with a power of n, and a spread between launches with a percentage
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(stability(f) < 0.07); }
