// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a table of layers is only recorded: write PERF_RECORD(layer_memory(x)), and judge tensor_memory(x) < 300_kB
#include <perfspec/perfspec.hpp>

#include <perfspec/explain/queries.hpp>

void test(const perfspec::layered_subject& net) {
    using namespace std::chrono_literals;
    PERF_CHECK(layer_memory(net) < 3_MiB);
}
