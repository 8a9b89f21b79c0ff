// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: the name of a kernel comes after the subject: write kernel_time(x,
#include <perfspec/perfspec.hpp>

void f();

void test() { PERF_CHECK(kernel_time("softmax", f) < 3us); }
