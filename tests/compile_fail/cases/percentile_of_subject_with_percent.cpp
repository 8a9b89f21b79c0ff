// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a percentile or minimum takes the times of one subject: write p99(latency(x)) or p99(cpu_time(x))
#include <perfspec/perfspec.hpp>

perfspec::subject py(const char* name);

void test() { PERF_CHECK(percentile(py("compiled"), 99) < 3ms); }
