// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a name belongs to a subject: write latency(perfspec::subject(name, f))
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(latency("sort", f) < 3ms); }
