// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: load(step) takes a callable without arguments
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { PERF_CHECK(load_time(perfspec::subject("model", f).load(3)) < 3ms); }
