// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Bodies that work on further streams.
#include "gpu_program.hpp"

#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

namespace perfspec::testing {
namespace {

using ns = std::chrono::nanoseconds;

/// How a body orders its second stream.
enum class order { none, joins, forks_and_joins };

/// A subject with a kernel on its stream and one on another stream.
cuda_work on_two_streams(simulated_gpu& gpu, ns here, ns elsewhere, order how = order::none) {
    return detail::cuda_subject(
        how == order::none ? "two streams" : "joined streams",
        [&gpu, here, elsewhere, how, other = gpu.make_stream()](cudaStream_t stream) {
            if (how == order::forks_and_joins) gpu.wait_on(other, gpu.place_on(stream));
            if (elsewhere > 0ns) gpu.launch(other, {.cold = elsewhere});
            gpu.launch(stream, {.cold = here});
            if (how != order::none) gpu.wait_on(stream, gpu.place_on(other));
        },
        simulated_gpu::runtime());
}

std::string fault_of(const subject& x) {
    try {
        static_cast<void>(take_device_time(x));
        return {};
    } catch (const measurement_failure& failed) { return failed.what(); }
}

}  // namespace

TEST_CASE("device_time of a body that leaves work on another stream is an error", "[cuda][unit]") {
    simulated_machine m;
    const auto x = on_two_streams(
        m.gpu, 200us, 1ms);  // 3 us of the 800 us are the latency of a launch, which the wait takes by itself
    const std::string expected =
        "\"two streams\" leaves work on another stream: the device works for 797.0 us after the body's stream is done, "
        "and device_time would not include that. Let the body's stream wait for the other one, with "
        "cudaEventRecord(event, other) and cudaStreamWaitEvent(stream, event), or create a subject with the other "
        "stream: .on(other). If another thread uses the device at the same time, stop it";
    CHECK(fault_of(x) == expected);
    CHECK(fault_of(x) == expected);  // it is not forgotten
    CHECK_THAT(fault_of(cuda_work(x).hot()), ContainsSubstring("leaves work on another stream"));
    CHECK_THAT(fault_of(on_two_streams(m.gpu, 2us, 3us)), ContainsSubstring("leaves work on another stream"));
    CHECK_THAT(fault_of(on_two_streams(m.gpu, 2us, 3us).hot()), ContainsSubstring("leaves work on another stream"));
}

TEST_CASE("latency includes work on any stream", "[cuda][unit]") {
    simulated_machine m;
    CHECK(take_sample(on_two_streams(m.gpu, 200us, 1ms), 1, warm_call::no, m.processor).per_iteration() >= 1e6);
    CHECK(take_sample(on_two_streams(m.gpu, 1ms, 200us), 1, warm_call::no, m.processor).per_iteration() >= 1e6);
}

TEST_CASE("work on another stream is seen from a tenth of the body's time on", "[cuda][unit]") {
    simulated_machine m;
    CHECK_THAT(fault_of(on_two_streams(m.gpu, 100us, 112us)), ContainsSubstring("leaves work on another stream"));
    CHECK(take_device_time(on_two_streams(m.gpu, 100us, 109us)) == 100'000.0);
    CHECK(take_device_time(on_two_streams(m.gpu, 100us, 50us)) == 100'000.0);
}

TEST_CASE("device_time of a body that joins its other stream holds both", "[cuda][unit]") {
    simulated_machine m;
    const auto how = GENERATE(order::joins, order::forks_and_joins);
    CHECK(take_device_time(on_two_streams(m.gpu, 20us, 100us, how)) == 100'000.0);
    CHECK(take_device_time(on_two_streams(m.gpu, 20us, 100us, how).hot()) == 100'000.0);
    CHECK(take_device_time(on_two_streams(m.gpu, 20us, 10us, how)) == 20'000.0);
    CHECK(take_device_time(on_two_streams(m.gpu, 20us, 10us, how).hot()) == 20'000.0);
}

TEST_CASE("a body that begins to leave work on another stream is an error after three samples", "[cuda][unit]") {
    simulated_machine m;
    ns elsewhere{};
    const cudaStream_t other = m.gpu.make_stream();
    const auto x = detail::cuda_subject(
                       "changes",
                       [&](cudaStream_t stream) {
                           if (elsewhere > 0ns) m.gpu.launch(other, {.cold = elsewhere});
                           m.gpu.launch(stream, {.cold = 100us});
                       },
                       simulated_gpu::runtime())
                       .hot();
    CHECK(fault_of(x).empty());
    elsewhere = 1ms;
    for (int i = 0; i < 2; ++i) CHECK(fault_of(x).empty());  // another program may have come between
    elsewhere = 0ns;
    CHECK(fault_of(x).empty());
    elsewhere = 1ms;
    for (int i = 0; i < 2; ++i) CHECK(fault_of(x).empty());
    CHECK_THAT(fault_of(x), ContainsSubstring("leaves work on another stream"));
}

TEST_CASE("what the wait for other streams takes by itself is no work on another stream", "[cuda][unit]") {
    simulated_machine m;
    m.gpu.wait_for_others_takes = 50us;
    CHECK(take_device_time(on_two_streams(m.gpu, 100us, 0us)) == 100'000.0);
    CHECK_THAT(fault_of(on_two_streams(m.gpu, 100us, 200us)), ContainsSubstring("leaves work on another stream"));
}

TEST_CASE("a host-synchronized body's work is timed on any stream", "[cuda][unit]") {
    simulated_machine m;
    CHECK(take_device_time(on_two_streams(m.gpu, 100us, 1ms).host_synchronized()) >= 990e3);
}

TEST_CASE("a claim on a body that leaves work on another stream is an error with any bound", "[cuda][unit]") {
    gpu_program p;
    const auto x = on_two_streams(p.gpu, 10us, 1ms);
    for (const record& r : {p.evaluate(device_time(x) < 20us), p.evaluate(device_time(x) > 1us)}) {
        CHECK(r.verdict == verdict::error);
        CHECK_THAT(r.reason, ContainsSubstring("leaves work on another stream"));
    }
    CHECK(p.evaluate(device_time(on_two_streams(p.gpu, 10us, 1ms, order::joins)) < 20us).verdict == verdict::violated);
}

TEST_CASE("a claim says that other streams may not be seen where the driver is older than CUDA 12.5", "[cuda][unit]") {
    gpu_program p;
    const auto is_told = [](const record& r) {
        return std::ranges::any_of(r.notes, [](const std::string& n) {
            return n.find("streams created with cudaStreamNonBlocking") != n.npos;
        });
    };
    const auto x = launching(p.gpu, "x", {.cold = 100us});
    CHECK_FALSE(is_told(p.evaluate(device_time(x) < 1s)));
    p.gpu.sees_every_stream = false;
    CHECK(is_told(p.evaluate(device_time(x) < 1s)));
    CHECK_FALSE(is_told(p.evaluate(device_time(launching(p.gpu, "y", {.cold = 100us}).host_synchronized()) < 1s)));
}

}  // namespace perfspec::testing
