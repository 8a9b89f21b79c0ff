// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a ratio is not compared with another
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(speedup(f, g) == within(speedup(g, f), 5_pct)); }
