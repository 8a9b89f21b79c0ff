// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: settings of more than two variants stand behind their list: write oracle({a, b, c}, {.best_of = 2})
#include <perfspec/perfspec.hpp>

#include <perfspec/explain/queries.hpp>

void test(const perfspec::layered_subject& a, const perfspec::layered_subject& b, const perfspec::layered_subject& c) {
    PERF_RECORD(oracle(a, b, c, {.best_of = 2}));
}
