// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims on what torch.compile made, where it made nothing.
#include <perfspec/catch2.hpp>
#include <perfspec/python.hpp>

namespace {

const perfspec::python_subjects py("compiling.py");

}  // namespace

TEST_CASE("no backend") { PERF_CHECK(speedup(py("eager"), py("no backend")) > 0.5); }
TEST_CASE("nothing to compile") { PERF_CHECK(latency(py("nothing to compile")) < 1s); }
TEST_CASE("beyond the limit") { PERF_CHECK(latency(py("beyond the limit")) < 1s); }
TEST_CASE("told to run eagerly") { PERF_CHECK(speedup(py("eager"), py("told to run eagerly")) > 0.5); }

TEST_CASE("compiled") {
    PERF_CHECK(speedup(py("eager"), py("compiled")) > 0.001);
    PERF_CHECK(graph_breaks(py("compiled")) == 0);
}
TEST_CASE("in part") { PERF_CHECK(latency(py("in part")) < 1s); }
