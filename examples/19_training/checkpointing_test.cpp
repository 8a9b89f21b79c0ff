// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Activation checkpointing trades time for memory. Both sides of the trade are claims, on steps in Python
// (checkpointing.py).

#include <perfspec/catch2.hpp>
#include <perfspec/python.hpp>

TEST_CASE("checkpointing saves a fifth of the memory of a step, and keeping all is faster", "[perf]") {
    const perfspec::python_subjects py("checkpointing.py");
    PERF_REQUIRE(same_output(py("all kept"), py("recomputed")));  // the loss and all gradients
    PERF_CHECK(memory_ratio(py("all kept"), py("recomputed")) > 1.25);
    PERF_CHECK(speedup(py("recomputed"), py("all kept")) > 1.05);  // recomputing is one more forward pass
}
