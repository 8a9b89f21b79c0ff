// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What torch.compile gains, as a test: eager and compiled subjects of models.py, run by a process of Python, judged
// here.

#include <perfspec/catch2.hpp>
#include <perfspec/python.hpp>

TEST_CASE("compiling makes the block faster, and compiles it as a whole", "[perf]") {
    const perfspec::python_subjects py("models.py");

    PERF_REQUIRE(same_output(py("eager"), py("inductor")));
    PERF_REQUIRE(speedup(py("eager"), py("inductor")) > 1.02);
    PERF_CHECK(graph_breaks(py("inductor")) == 0);
    PERF_CHECK(worker_counter(py("inductor"), "graphs") == 1);
    PERF_CHECK(recompiles(py("inductor")) == 0);
    PERF_CHECK(graph_breaks(py("not compiled as a whole")) >= 1);
}

TEST_CASE("a compiler that does nothing costs the block little, and any call less than a millisecond", "[perf]") {
    const perfspec::python_subjects py("models.py");

    PERF_REQUIRE(same_output(py("eager"), py("dynamo alone")));
    PERF_CHECK(speedup(py("eager"), py("dynamo alone")) > 0.9);
    PERF_CHECK(worker_counter(py("dynamo alone"), "graphs") ==
               1);  // else nothing of torch.compile would be in its time

    PERF_CHECK(latency(py("an addition by dynamo alone")) < 1ms);  // few microseconds of it are the addition's
    PERF_CHECK(worker_counter(py("an addition by dynamo alone"), "graphs") == 1);
}

TEST_CASE("compiling makes slow calls faster, too", "[perf]") {
    const perfspec::python_subjects py("models.py");

    PERF_REQUIRE(percentile(latency(py("inductor")), 90) < percentile(latency(py("eager")), 90));
    PERF_CHECK(percentile(latency(py("an addition by dynamo alone")), 90) <
               1ms);  // of a hundred calls ninety take no longer
}

TEST_CASE("compiling makes a training step no slower", "[perf]") {
    const perfspec::python_subjects py("models.py");

    PERF_REQUIRE(speedup(py("eager step"), py("compiled step")) > 0.9);
    PERF_CHECK(worker_counter(py("compiled step"), "graphs") == 1);
    PERF_CHECK(compilations(py("compiled step")) <= 2);  // forward and backward, which a warm cache has with it
    PERF_CHECK(recompiles(py("compiled step")) == 0);
}
