// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: compression takes two subjects: write compression(before, after, with_load) > 0.9
#include <perfspec/perfspec.hpp>

void f();

void test() { PERF_CHECK(compression(f, with_load) > 0.9); }
