// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: bytes are compared with bytes: write 2_MiB
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(peak_memory(f) < allocated_bytes(g)); }
