// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: evaluate fails no test: read .failed of the record that it returns, or write PERF_CHECK(claim)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { perfspec::evaluate(perfspec::latency(f) < std::chrono::milliseconds(3)); }
