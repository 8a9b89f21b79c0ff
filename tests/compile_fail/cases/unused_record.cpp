// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: evaluate reports to nobody: look at .failed of its record, or write PERF_CHECK(claim)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { perfspec::evaluate(perfspec::latency(f) < std::chrono::milliseconds(3)); }
