// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: evaluate takes a claim or a query: write evaluate(latency(x) < 3ms)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { (void)perfspec::evaluate(perfspec::subject("a", f)); }
