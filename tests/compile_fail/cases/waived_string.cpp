// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: waived takes a literal: write waived(
#include <perfspec/perfspec.hpp>

#include <string>

void f();

void test(const std::string& reason) { PERF_CHECK(latency(f) < 3ms, waived(reason)); }
