// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a query has no sign: reverse the comparison: write latency(x) > 3ms
#include <perfspec/perfspec.hpp>

void f();

void test() { PERF_CHECK(-latency(f) < 3ms); }
