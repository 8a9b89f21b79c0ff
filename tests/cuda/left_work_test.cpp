// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims on the processor's clock where a body leaves work on other streams than its own.
#include "gpu_program.hpp"

#include <perfspec/language/subjects/setup.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

#include <support/notes.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

namespace perfspec::testing {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using ns = std::chrono::nanoseconds;

/// A subject with a kernel on its stream and another one elsewhere.
cuda_work leaving(simulated_gpu& gpu, ns here, const ns& elsewhere, bool joins = false) {
    return detail::cuda_subject(
        joins ? "joins" : "leaves",
        [&gpu, here, &elsewhere, joins, other = gpu.make_stream()](cudaStream_t stream) {
            if (here > 0ns) gpu.launch(stream, {.cold = here});
            if (elsewhere > 0ns) gpu.launch(other, {.cold = elsewhere});
            if (joins) gpu.wait_on(stream, gpu.place_on(other));
        },
        simulated_gpu::runtime());
}

/// What samples of one iteration say, as many as they are; empty where none finds fault.
std::string fault_of(const subject& x, clock& c, int samples = 6) {
    try {
        for (int i = 0; i < samples; ++i) static_cast<void>(take_sample(x, 1, warm_call::no, c));
        return {};
    } catch (const measurement_failure& failed) { return failed.what(); }
}

}  // namespace

TEST_CASE("latency of a body that leaves work on another stream is invalid", "[cuda][unit]") {
    simulated_machine m;
    const ns elsewhere = 1ms;
    const auto x = leaving(m.gpu, 200us, elsewhere);
    const std::string expected =
        "\"leaves\" leaves work on another stream than its own: the device works on for 777.0 us after the stream is done, and "
        "neither latency nor device_time would hold that. Join the other stream to the body's, by cudaEventRecord(event, other) and "
        "cudaStreamWaitEvent(stream, event), or make a subject with it: .on(other). Another thread that uses the device meanwhile looks "
        "the same";
    CHECK(fault_of(x, m.processor) == expected);
    CHECK(fault_of(x, m.processor, 2) == expected);  // it is not forgotten
}

TEST_CASE("latency of a body with nothing on its own stream is invalid", "[cuda][unit]") {
    simulated_machine m;
    const ns elsewhere = 1ms;
    CHECK_THAT(fault_of(leaving(m.gpu, 0ns, elsewhere), m.processor),
               ContainsSubstring("leaves work on another stream"));
}

TEST_CASE("latency of a body that joins its other stream holds both", "[cuda][unit]") {
    simulated_machine m;
    const ns elsewhere = 1ms;
    const auto x = leaving(m.gpu, 200us, elsewhere, true);
    CHECK(fault_of(x, m.processor).empty());
    CHECK(take_sample(x, 1, warm_call::no, m.processor).per_iteration() >= 1e6);
}

TEST_CASE("work elsewhere that is done soon after the sample is no fault", "[cuda][unit]") {
    simulated_machine m;
    const ns elsewhere = GENERATE(ns(0), ns(50us), ns(200us), ns(220us));
    CHECK(fault_of(leaving(m.gpu, 200us, elsewhere), m.processor).empty());
}

TEST_CASE("work elsewhere that piles up over the iterations of a sample is found", "[cuda][unit]") {
    simulated_machine m;
    const ns elsewhere = 40us;
    const auto x = leaving(m.gpu, 10us, elsewhere);  // an iteration takes some 18 us
    CHECK(fault_of(x, m.processor).empty());
    CHECK_THROWS_AS(
        [&] {
            for (int i = 0; i < 6; ++i) static_cast<void>(take_sample(x, 10, warm_call::no, m.processor));
        }(),
        measurement_failure);
}

TEST_CASE("a body that begins to leave work on another stream has no latency after three samples", "[cuda][unit]") {
    simulated_machine m;
    ns elsewhere{};
    const auto x = leaving(m.gpu, 100us, elsewhere);
    CHECK(fault_of(x, m.processor).empty());
    elsewhere = 1ms;
    CHECK(fault_of(x, m.processor, 2).empty());  // another program may have come between
    elsewhere = 0ns;
    CHECK(fault_of(x, m.processor, 1).empty());
    elsewhere = 1ms;
    CHECK(fault_of(x, m.processor, 3).empty());
    CHECK_THAT(fault_of(x, m.processor, 1), ContainsSubstring("leaves work on another stream"));
}

TEST_CASE("a processor that pauses behind a sample is no work on another stream", "[cuda][unit]") {
    simulated_machine m;
    const auto x = launching(m.gpu, "x", {.cold = 100us});
    CHECK(fault_of(x, m.processor, 2).empty());
    m.gpu.launch_cost = 300us;
    CHECK(fault_of(x, m.processor).empty());
}

TEST_CASE("what the look for other streams takes is outside of latency", "[cuda][unit]") {
    simulated_machine m;
    m.gpu.wait_for_others_takes = 50us;
    const auto x = launching(m.gpu, "x", {.cold = 100us});
    for (int i = 0; i < 6; ++i) CHECK(take_sample(x, 1, warm_call::no, m.processor).elapsed_ns == 108'000);
}

TEST_CASE("a claim on latency of a body that leaves work on another stream is invalid, whatever its bound",
          "[cuda][unit]") {
    gpu_program p;
    const ns elsewhere = 1ms;
    const auto x = leaving(p.gpu, 10us, elsewhere);
    for (const record& r :
         {p.evaluate(latency(x) < 2ms), p.evaluate(latency(x) > 1us), p.evaluate(p99(latency(x)) < 2ms)}) {
        CHECK(r.verdict == verdict::invalid);
        CHECK_THAT(r.reason, ContainsSubstring("leaves work on another stream") &&
                                 ContainsSubstring("neither latency nor device_time would hold that"));
    }
    CHECK(p.evaluate(latency(leaving(p.gpu, 10us, elsewhere, true)) < 500us).verdict == verdict::violated);
}

TEST_CASE("latency of a body on a stream of the user's sees other streams, also with inputs of its own",
          "[cuda][unit]") {
    gpu_program p;
    const cudaStream_t stream = p.gpu.make_stream();
    const cudaStream_t other = p.gpu.make_stream();
    const auto body = [&] {
        p.gpu.launch(stream, {.cold = 10us});
        p.gpu.launch(other, {.cold = 1ms});
    };
    const auto plain = detail::work_on(subject("plain", body), stream, simulated_gpu::runtime());
    const auto fresh = detail::work_on(subject("fresh", setup([] { return 1; }), [&](int&) { body(); }), stream,
                                       simulated_gpu::runtime());
    for (const record& r : {p.evaluate(latency(plain) < 1s), p.evaluate(latency(fresh) < 1s)}) {
        CHECK(r.verdict == verdict::invalid);
        CHECK_THAT(r.reason, ContainsSubstring("neither latency nor device_time would hold that"));
    }
}

TEST_CASE("a claim on latency says that other streams are not seen where a stream cannot be held", "[cuda][unit]") {
    gpu_program p;
    p.gpu.holding = cudaErrorNotSupported;
    const auto x = launching(p.gpu, "x", {.cold = 100us});
    const record r = p.evaluate(latency(x) < 1s);
    CHECK(r.verdict == verdict::holds);
    CHECK(has_note(
        r,
        "nothing looks for work that the body leaves on other streams: cudaErrorNotSupported: operation not supported"));
}

}  // namespace perfspec::testing
