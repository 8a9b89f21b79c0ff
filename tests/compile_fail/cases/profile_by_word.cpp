// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a profile is of one subject: write PERF_RECORD(profile(x)), or profile(x, by_shape)
#include <perfspec/perfspec.hpp>

#include <perfspec/explain/queries.hpp>

void f();

void test() { PERF_RECORD(profile(f, "by shape")); }
