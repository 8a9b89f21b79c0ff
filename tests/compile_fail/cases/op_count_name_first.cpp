// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: the name of an operator comes after the subject: write op_count(x,
#include <perfspec/language/operator_counts.hpp>
#include <perfspec/perfspec.hpp>

void f();

void test() { PERF_CHECK(op_count("aten::mm", f) == 3); }
