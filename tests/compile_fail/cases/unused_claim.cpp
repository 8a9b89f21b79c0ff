// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a claim is judged only inside PERF_CHECK(claim), PERF_REQUIRE(claim) or perfspec::evaluate(claim)
// expected of clang: relational comparison result unused
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { perfspec::latency(f) < std::chrono::milliseconds(3); }
