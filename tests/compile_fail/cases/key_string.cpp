// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: key takes a literal, or what outlives the assertion: write key(
#include <perfspec/perfspec.hpp>

#include <string>

void f();
void g();

void test(const std::string& name) { PERF_CHECK(latency(f) < 3ms, key(name)); }
