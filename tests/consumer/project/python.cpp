// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/catch2.hpp>
#include <perfspec/python.hpp>

TEST_CASE("a sum of all numbers takes longer than one of some", "[perf]") {
    const perfspec::python_subjects py("sums.py");
    PERF_CHECK(latency(py("some")) < 0.5 * latency(py("all").unverified()));
}
