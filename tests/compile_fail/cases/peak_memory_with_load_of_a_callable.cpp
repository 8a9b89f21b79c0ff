// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a callable loads nothing: write peak_memory(perfspec::subject(name, f).load(step), with_load), or peak_memory(f)
#include <perfspec/perfspec.hpp>

void f();

void test() { PERF_CHECK(peak_memory(f, with_load) < 3_MiB); }
