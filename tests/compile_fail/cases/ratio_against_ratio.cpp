// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a ratio is not compared with another ratio: write two assertions, or compare two subjects: latency(b) < 0.8 * latency(d)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(speedup(f, g) > speedup(g, f)); }
