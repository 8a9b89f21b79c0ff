// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: after the claim come options, such as budget(10s), margin(1_pct), confirm(off)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_RECORD(latency(f), "label"); }
