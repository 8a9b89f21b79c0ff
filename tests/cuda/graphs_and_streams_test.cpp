// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Graphs, and subjects on a stream of the user's.
#include "gpu_program.hpp"

#include <perfspec/language/subjects/setup.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/notes.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

namespace perfspec::testing {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

cuda_work subject_of(simulated_graph& g, bool with_nodes = false) {
    return detail::graph_subject("step", g.executable(), with_nodes ? g.graph() : nullptr, simulated_gpu::runtime());
}

/// A body that puts a kernel on a stream.
auto launches(simulated_gpu& gpu, cudaStream_t stream, simulated_kernel kernel) {
    return [&gpu, stream, kernel] { gpu.launch(stream, kernel); };
}

cuda_work put_on(const subject& x, cudaStream_t stream) { return detail::work_on(x, stream, simulated_gpu::runtime()); }

}  // namespace

TEST_CASE("device_time of a graph is that of its nodes, one launch an iteration", "[cuda][unit]") {
    simulated_machine m;
    simulated_graph g{.nodes = {{.cold = 3us}, {.cold = 4us}, {.cold = 5us}}};
    CHECK(take_device_time(subject_of(g)) == 12'000.0);
    CHECK(take_sample(subject_of(g), 1, warm_call::yes, m.processor).per_iteration() == 20'000.0);
}

TEST_CASE("device_time of a graph is hot, unless it says otherwise", "[cuda][unit]") {
    simulated_machine m;
    simulated_graph g{.nodes = {{.cold = 40us, .warm = 20us, .data = 1, .bytes = 1024}}};
    CHECK(subject_of(g).state().device_timing == "hot");
    CHECK(take_device_time(subject_of(g)) == 20'000.0);
    CHECK(take_device_time(subject_of(g).cold()) == 40'000.0);
}

TEST_CASE("a record of a graph with host nodes says that its times hold them", "[cuda][unit]") {
    const auto is_told = [](std::size_t host_nodes, cudaError_t answer, bool with_nodes, const std::string& text) {
        gpu_program p;
        p.gpu.graph_nodes = answer;
        simulated_graph g{.nodes = {{.cold = 30us}, {.cold = 70us}}, .host_nodes = host_nodes};
        return has_note(p.evaluate(device_time(subject_of(g, with_nodes)) < 1s), text);
    };
    CHECK(is_told(
        1, cudaSuccess, true,
        "its graph has 1 host node, which the processor runs while the device waits: that is part of its times"));
    CHECK(is_told(2, cudaSuccess, true, "its graph has 2 host nodes"));
    CHECK_FALSE(is_told(1, cudaSuccess, false, "host node"));
    CHECK_FALSE(is_told(0, cudaSuccess, true, "host node"));
    CHECK(is_told(0, cudaErrorInvalidValue, true,
                  "its graph does not tell its nodes, so host nodes may be in its time: cudaErrorInvalidValue"));
}

TEST_CASE("a graph that is none is invalid", "[cuda][unit]") {
    simulated_machine m;
    const auto x = detail::graph_subject("step", nullptr, nullptr, simulated_gpu::runtime());
    CHECK_THAT(x.state().invalid_reason, ContainsSubstring("cudaGraphInstantiate"));
}

TEST_CASE("a subject on a stream is timed on it", "[cuda][unit]") {
    simulated_machine m;
    const cudaStream_t stream = m.gpu.make_stream();
    const auto x = put_on(subject("pipeline", launches(m.gpu, stream, {.cold = 2us})).bytes(64.0).axis("n", 8), stream);
    CHECK(take_device_time(x) == 2'000.0);
    CHECK(take_sample(x, 4, warm_call::yes, m.processor).per_iteration() == 10'000.0);
    CHECK(x.state().device == "cuda:0");
    CHECK(x.state().device_timing == "hot");
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

TEST_CASE("a subject that works on another stream than it says is invalid", "[cuda][unit]") {
    simulated_machine m;
    const cudaStream_t stream = m.gpu.make_stream();
    const auto x = put_on(subject("pipeline", launches(m.gpu, m.gpu.make_stream(), {.cold = 1ms})), stream);
    CHECK_THROWS_AS(take_device_time(x), measurement_failure);
}

TEST_CASE("a subject on a stream of another device is invalid", "[cuda][unit]") {
    simulated_machine m;
    const cudaStream_t stream = m.gpu.make_stream();
    m.gpu.current = 1;
    const auto x = put_on(subject("pipeline", launches(m.gpu, stream, {.cold = 2us})), stream);
    CHECK(
        x.state().invalid_reason ==
        "the stream takes no event of cuda:1: cudaErrorInvalidResourceHandle: invalid resource handle; a stream is of the device that was "
        "current when it was made: call cudaSetDevice for that one before on(stream)");
    CHECK(m.gpu.last_error == cudaSuccess);
}

TEST_CASE("a subject whose device is no longer the current one is invalid", "[cuda][unit]") {
    simulated_machine m;
    const auto x = launching(m.gpu, "x", {.cold = 2us});
    CHECK(take_device_time(x) == 2'000.0);
    m.gpu.current = 1;
    CHECK_THROWS_WITH(
        take_device_time(x),
        "cuda:1 is the current device, and the subject works on a stream of cuda:0: call cudaSetDevice(0) before the claim, or "
        "make the subject after cudaSetDevice(1)");
    m.gpu.current = 0;
    CHECK(take_device_time(x) == 2'000.0);
}

TEST_CASE("a subject with inputs of its own on a stream has a latency and no device_time", "[cuda][unit]") {
    simulated_machine m;
    const cudaStream_t stream = m.gpu.make_stream();
    int made = 0;
    const auto x = put_on(
        subject("pipeline", setup([&] { return ++made; }), [&](int&) { m.gpu.launch(stream, {.cold = 2us}); }), stream);
    CHECK(take_sample(x, 4, warm_call::no, m.processor).iterations == 4);
    CHECK(made == 4);
    CHECK_THROWS_WITH(take_device_time(x),
                      ContainsSubstring("has a setup(make)") && ContainsSubstring("bound latency(x)"));
}

TEST_CASE("a subject is put on a stream once", "[cuda][unit]") {
    simulated_machine m;
    const cudaStream_t stream = m.gpu.make_stream();
    CHECK_THROWS_AS(put_on(launching(m.gpu, "x", {.cold = 2us}), stream), input_error);
    CHECK_THROWS_AS(put_on(subject("x", [] {}).load([] {}), stream), input_error);
}

}  // namespace perfspec::testing
