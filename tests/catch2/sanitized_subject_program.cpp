// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/catch2.hpp>

int shifted(int value, int by);

TEST_CASE("a sanitized subject") {
    PERF_CHECK(latency([] { return shifted(3, perfspec::black_box(4)); }) < 10s);
}
