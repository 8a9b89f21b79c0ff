// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims on torch.compile's results where it compiled nothing.
#include <perfspec/catch2.hpp>
#include <perfspec/python.hpp>

namespace {

const perfspec::python_subjects py("compiling.py");

}  // namespace

TEST_CASE("no backend") { PERF_CHECK(speedup(py("eager"), py("no backend")) > 0.5); }

TEST_CASE("compiled") {
    PERF_CHECK(speedup(py("eager"), py("compiled")) > 0.001);
    PERF_CHECK(graph_breaks(py("compiled")) == 0);
}
TEST_CASE("a copy of what it writes") { PERF_CHECK(speedup(py("eager"), py("a copy of what it writes")) > 0.05); }
TEST_CASE("in part") { PERF_CHECK(latency(py("in part")) < 1s); }

TEST_CASE("compiled in place") { PERF_CHECK(speedup(py("shared"), py("compiled in place")) > 0.5); }
TEST_CASE("a step beside the same one") { PERF_CHECK(speedup(py("a step of both layers"), py("the same step")) > 0.2); }

TEST_CASE("two shapes in turn") { PERF_CHECK(recompiles(py("two shapes in turn")) == 0); }
TEST_CASE("compiled at import") {
    const perfspec::python_subjects own("compiled_at_import.py");
    PERF_CHECK(graph_breaks(own("compiled at import")) == 0);
}
