// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a claim is not a bool before it is measured: write PERF_CHECK(claim), once for each claim
#include <perfspec/catch2.hpp>

void f();

TEST_CASE("a claim outside perfspec's macros") { CHECK(perfspec::latency(f) < std::chrono::milliseconds(3)); }
