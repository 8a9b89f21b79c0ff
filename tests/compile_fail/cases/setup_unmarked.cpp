// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: untimed preparation is marked: write subject(name, setup(make), body)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    const perfspec::subject a(
        "sort", [] { return 1; }, [](int& n) { ++n; });
    PERF_CHECK(latency(a) < 3ms);
}
