// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A training step that two processes share, each with half of the batch (distributed.py): whether it computes the same,
// and what it costs.

#include <perfspec/catch2.hpp>
#include <perfspec/python.hpp>

TEST_CASE("two processes compute the gradients of one, and exchanging them costs less than computing them", "[perf]") {
    const perfspec::python_subjects py("distributed.py", {.threads = 1});

    PERF_REQUIRE(same_output(py("one process"), py("two processes")));
    PERF_MEASURE(speedup(py("one process"), py("two processes")));
    PERF_CHECK(speedup(py("two processes"), py("two without exchange").unverified()) <
               2);  // each has the gradients of its own half
}
