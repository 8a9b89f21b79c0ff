// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims on subjects that a worker runs.
#include <perfspec/catch2.hpp>
#include <perfspec/python.hpp>

#include <cstdlib>

namespace {

const perfspec::python_subjects py("workers.py");

}  // namespace

TEST_CASE("four times the work is no slower") { PERF_CHECK(speedup(py("one"), py("four")) > 0.95); }
TEST_CASE("half of the work") { PERF_CHECK(speedup(py("one"), py("half")) > 1.2); }
TEST_CASE("built and returned") { PERF_CHECK(latency(py("computed while it was built")) < 1ms); }
TEST_CASE("built and returned from the start") { PERF_CHECK(first_call(py("computed while it was built")) < 60s); }
TEST_CASE("a copy of what it computes") {
    PERF_CHECK(speedup(py("four squares"), py("a copy of what it computes")) > 0.2);
}
TEST_CASE("promised") { PERF_CHECK(latency(py("promised")) < 20us); }
TEST_CASE("slow to build") {
    PERF_CHECK(load_time(py("slow to build")) < 300ms);
    PERF_CHECK(cold_start(py("slow to build")) < 300ms);
}
TEST_CASE("in a pool") { PERF_CHECK(cpu_time(py("in a pool")) < 20ms); }
TEST_CASE("memory of a process of its own") { PERF_CHECK(peak_memory(py("in a process of its own")) < 20_MiB); }
TEST_CASE("slower than the baseline") {
    const perfspec::subject x = py(std::getenv("WHOLE_SLOWER") == nullptr ? "one" : "four");
    PERF_CHECK(latency(x) < 1.5 * baseline(), perfspec::key("one or four"));
}

TEST_CASE("four times the work takes longer") {
    PERF_CHECK(speedup(py("four"), py("one")) > 1.5);
    PERF_CHECK(latency(py("one")) < 0.8 * latency(py("four")));
}
TEST_CASE("in a list that it keeps") { PERF_CHECK(speedup(py("four squares"), py("in a list that it keeps")) > 0.2); }
TEST_CASE("the same work") { PERF_CHECK(speedup(py("one"), py("another one")) > 0.5); }

TEST_CASE("serves from blocks") { PERF_CHECK(latency(py("serves from blocks")) < 1s); }
TEST_CASE("updates in every second step") { PERF_CHECK(latency(py("updates in every second step")) < 1s); }
