// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: the percentage is the second argument: write percentile(latency(x), 99.5)
#include <perfspec/perfspec.hpp>

perfspec::subject py(const char* name);

void test() { PERF_CHECK(percentile(99, py("compiled")) < 3ms); }
