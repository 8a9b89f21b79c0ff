// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: bytes are compared with bytes: write 2_MiB, bytes(4096), baseline() + 1_MiB
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(allocated_bytes(f) == 0); }
