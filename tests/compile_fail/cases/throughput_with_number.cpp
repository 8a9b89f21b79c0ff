// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: the subject declares its work: write perfspec::subject(name, f).bytes(4096), then throughput(x, bytes)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(throughput(f, 4096) > 200_MBps); }
