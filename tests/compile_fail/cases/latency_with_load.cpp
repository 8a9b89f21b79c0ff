// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: with_load belongs to peak_memory and compression: write peak_memory(x, with_load), or cold_start(x) for the time
#include <perfspec/perfspec.hpp>

void f();

void test() { PERF_CHECK(latency(f, with_load) < 3ms); }
