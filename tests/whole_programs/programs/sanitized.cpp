// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The subject's file is compiled with a sanitizer, and this one is not.
#include <perfspec/catch2.hpp>

int sanitized_work(int units);

TEST_CASE("sanitized") {
    const auto a = perfspec::subject("a", [] { return sanitized_work(10); });
    const auto b = perfspec::subject("b", [] { return sanitized_work(1); });
    PERF_CHECK(speedup(a, b) > 2);
}
