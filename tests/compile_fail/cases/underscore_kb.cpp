// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: there is no _KB: write 2_kB for 2000 bytes, 2_KiB for 2048
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(peak_memory(f) < 64_KB); }
