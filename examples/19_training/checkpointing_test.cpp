// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Activation checkpointing trades time for memory. Both sides of the trade are claims, on steps in Python
// (checkpointing.py).

#include <perfspec/catch2.hpp>
#include <perfspec/python.hpp>

TEST_CASE("checkpointing saves a fifth of the memory of a step, and keeping all is faster", "[perf]") {
    const perfspec::python_subjects py("checkpointing.py");
    // What these return is how much they took: no output to compare.
    const auto memory = [&py](const char* name) {
        return metric("bytes", perfspec::less_is_better, py(name).unverified());
    };

    PERF_REQUIRE(same_output(py("all kept"), py("recomputed")));  // the loss and all gradients
    PERF_CHECK(memory("memory of recomputed") < 0.8 * memory("memory of all kept"));
    PERF_CHECK(speedup(py("recomputed"), py("all kept")) > 1.05);  // recomputing is one more forward pass
}
