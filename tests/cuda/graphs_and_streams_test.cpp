// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Graphs, and subjects on a stream of the user.
#include "gpu_program.hpp"

#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/notes.hpp>

namespace perfspec::testing {
namespace {

/// A body that puts a kernel on a stream.
auto launches(simulated_gpu& gpu, cudaStream_t stream, simulated_kernel kernel) {
    return [&gpu, stream, kernel] { gpu.launch(stream, kernel); };
}

cuda_work put_on(const subject& x, cudaStream_t stream) { return detail::work_on(x, stream, simulated_gpu::runtime()); }

}  // namespace

TEST_CASE("device_time of a graph is that of its nodes, one launch an iteration", "[cuda][unit]") {
    simulated_machine m;
    const simulated_graph g{.nodes = {{.cold = 3us}, {.cold = 4us}, {.cold = 5us}}};
    CHECK(take_device_time(launching(m.gpu, "step", g)) == 12'000.0);
    CHECK(take_sample(launching(m.gpu, "step", g), 1, warm_call::yes, m.processor).per_iteration() == 20'000.0);
}

TEST_CASE("device_time of a graph is hot, unless it says otherwise", "[cuda][unit]") {
    simulated_machine m;
    CHECK(readings_of(cuda_graph("step", nullptr)).timing == "hot");
    const simulated_graph g{.nodes = {{.cold = 40us, .warm = 20us, .data = 1, .bytes = 1024}}};
    CHECK(take_device_time(launching(m.gpu, "step", g)) == 20'000.0);
    CHECK(take_device_time(launching(m.gpu, "step", g).cold()) == 40'000.0);
}

TEST_CASE("a subject on a stream is timed on it", "[cuda][unit]") {
    simulated_machine m;
    const cudaStream_t stream = m.gpu.make_stream();
    const auto x = put_on(subject("pipeline", launches(m.gpu, stream, {.cold = 2us})).bytes(64.0).axis("n", 8), stream);
    CHECK(take_device_time(x) == 2'000.0);
    CHECK(take_sample(x, 4, warm_call::yes, m.processor).per_iteration() == 10'000.0);
    CHECK(x.state().device == "cuda:0");
    CHECK(readings_of(x).timing == "hot");
    CHECK(x.state().bytes == 64.0);
    CHECK(x.state().axes.size() == 1);
}

TEST_CASE("a subject leaves the stream of its user as it was", "[cuda][unit]") {
    simulated_machine m;
    const cudaStream_t stream = m.gpu.make_stream();
    static_cast<void>(take_device_time(put_on(subject("pipeline", launches(m.gpu, stream, {.cold = 2us})), stream)));
    m.gpu.launch(stream, {.cold = 2us});  // throws for a stream that is gone
    CHECK(m.gpu.wait_for_device() == cudaSuccess);
}

TEST_CASE("a subject that works on another stream than it says is an error", "[cuda][unit]") {
    simulated_machine m;
    const cudaStream_t stream = m.gpu.make_stream();
    const auto x = put_on(subject("pipeline", launches(m.gpu, m.gpu.make_stream(), {.cold = 1ms})), stream);
    CHECK_THROWS_AS(take_device_time(x), measurement_failure);
}

TEST_CASE("a subject on a stream of another device is an error", "[cuda][unit]") {
    simulated_machine m;
    const cudaStream_t stream = m.gpu.make_stream();
    m.gpu.current = 1;
    const auto x = put_on(subject("pipeline", launches(m.gpu, stream, {.cold = 2us})), stream);
    CHECK_RECORDED(x.state().error_reason);
    CHECK(m.gpu.last_error == cudaSuccess);
}

TEST_CASE("a subject is put on a stream once", "[cuda][unit]") {
    simulated_machine m;
    const cudaStream_t stream = m.gpu.make_stream();
    CHECK_THROWS_AS(put_on(launching(m.gpu, "x", {.cold = 2us}), stream), input_error);
    CHECK_THROWS_AS(put_on(subject("x", [] {}).load([] {}), stream), input_error);
    CHECK_THROWS_RECORDED(std::exception, put_on(subject("x", setup([] { return 1; }), [](int&) {}), stream));
}

}  // namespace perfspec::testing
