// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: waived takes a literal: write waived(
#include <perfspec/perfspec.hpp>

void f();

void test() { PERF_CHECK(latency(f) < 3ms, waived(20)); }
