// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: latency takes a subject: write latency(x)
#include <perfspec/perfspec.hpp>

void f();

void test() { PERF_CHECK(latency() < 3ms); }
