// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a table of layers or operators is only recorded
#include <perfspec/perfspec.hpp>

#include <perfspec/explain/queries.hpp>

void test(const perfspec::layered_subject& a, const perfspec::layered_subject& b, const perfspec::layered_subject& c) {
    using namespace std::chrono_literals;
    PERF_CHECK(oracle({a, b, c}) < 3ms);
}
