// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a claim has five verdicts: write !evaluate(claim).failed, or .verdict ==
// perfspec::verdict::holds
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    if (perfspec::evaluate(perfspec::latency(f) < std::chrono::milliseconds(3))) f();
}
