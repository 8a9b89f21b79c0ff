// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The time of bodies that other adapters put on their own streams, such as LibTorch's models (rules: README.md).
#include "../simulated_program.hpp"

#include <perfspec/cuda/timing/given_streams.hpp>
#include <perfspec/measure/failure.hpp>

namespace perfspec::testing {
namespace {

using detail::stream_timer_of_models;
using detail::stream_use;

constexpr std::size_t mib = std::size_t{1} << 20U;

/// A model of another adapter, and its work on a stream.
struct other_adapter {
    std::function<void()> model;
    bool waits_for_last = false;
    int runs = 0;

    double time(stream_timer_of_models& timer, cudaStream_t stream) {
        const auto launch = [](void* self) {
            ++static_cast<other_adapter*>(self)->runs;
            static_cast<other_adapter*>(self)->model();
        };
        return timer.time_iteration(
            stream, {.name = "model", .self = this, .launch = launch, .waits_for_last = waits_for_last});
    }

    std::string fault(stream_timer_of_models& timer, cudaStream_t stream) {
        try {
            static_cast<void>(time(timer, stream));
            return {};
        } catch (const measurement_failure& failed) { return failed.what(); }
    }
};

/// A machine with a stream of another adapter, and timers for it.
struct machine_of_models : simulated_machine {
    cudaStream_t stream = gpu.make_stream();
    stream_timer_of_models held{simulated_gpu::runtime(), stream_use::held};
    stream_timer_of_models unheld{simulated_gpu::runtime(), stream_use::unheld};

    other_adapter launches(int n, const simulated_kernel& kernel = {.cold = 2us}) {
        return {[this, n, kernel] {
            for (int i = 0; i < n; ++i) gpu.launch(stream, kernel);
        }};
    }
    other_adapter waits_for_its_device() {
        return {[this] {
            gpu.launch(stream, {.cold = 100us});
            static_cast<void>(gpu.wait_for_device());
        }};
    }
};

const std::string remedy =
    "A model waits in .item(), in nonzero, at an index that is a mask, in a copy to the processor, and after about "
    "1000 launches. Remove the wait from the model, or include the gaps between launches: host_synchronized(x), for "
    "both subjects if two are compared";

}  // namespace

TEST_CASE("the time of a model holds no gaps between its launches, unless its stream is not held", "[cuda][unit]") {
    machine_of_models m;
    auto model = m.launches(100);  // of 2 us each, and 5 us of the processor
    CHECK(model.time(m.held, m.stream) == 200e3);
    CHECK(model.time(m.unheld, m.stream) >= 500e3);
    CHECK(m.unheld.timing(stream_use::unheld).text() == "hot-synchronized");
}

TEST_CASE("a model finds in the cache what its last run left there", "[cuda][unit]") {
    machine_of_models m;
    auto model = m.launches(1, {.cold = 400us, .warm = 200us, .data = 1, .bytes = 10 * mib});
    auto other = m.launches(1, {.cold = 100us, .data = 2, .bytes = 50 * mib});
    stream_timer_of_models of_other{simulated_gpu::runtime(), stream_use::held};
    for (int i = 0; i < 3; ++i) {
        CHECK(model.time(m.held, m.stream) == 200e3);
        CHECK(other.time(of_other, m.stream) == 100e3);
    }
    CHECK(m.held.timing(stream_use::held).text() == "hot");
}

TEST_CASE("a model of as many launches as a queue holds is held, because none of them warms the cache there",
          "[cuda][unit]") {
    machine_of_models m;
    CHECK(m.launches(1'000).time(m.held, m.stream) == 2e6);
}

TEST_CASE("a model of more launches than a queue holds says what to write, and is timed with its gaps",
          "[cuda][unit]") {
    machine_of_models m;
    auto model = m.launches(1'100);
    CHECK(model.fault(m.held, m.stream) ==
          "\"model\" did not return within 2 s while its stream was held, so it waits for the device. " + remedy);
    CHECK(model.time(m.unheld, m.stream) >= 1'100 * 5e3);
    CHECK(m.launches(1).time(m.held, m.stream) == 2'000.0);  // the stream is released
}

TEST_CASE("a model that waits for its device says what to write, and is timed with its waits", "[cuda][unit]") {
    machine_of_models m;
    auto model = m.waits_for_its_device();
    CHECK_THAT(model.fault(m.held, m.stream), ContainsSubstring("so it waits for the device. " + remedy));
    CHECK(model.time(m.unheld, m.stream) >= 100e3);
}

TEST_CASE("a model that leaves its stream empty, or work on another one, says what to do", "[cuda][unit]") {
    machine_of_models m;
    const cudaStream_t elsewhere = m.gpu.make_stream();
    other_adapter nowhere{[] {}};
    CHECK_RECORDED(nowhere.fault(m.held, m.stream));
    other_adapter apart{[&] {
        m.gpu.launch(elsewhere, {.cold = 1ms});
        m.gpu.launch(m.stream, {.cold = 200us});
    }};
    CHECK_RECORDED(apart.fault(m.held, m.stream));
}

TEST_CASE("a model on several streams that fork and join is timed until all are done", "[cuda][unit]") {
    machine_of_models m;
    const cudaStream_t second = m.gpu.make_stream();
    other_adapter both{[&] {
        m.gpu.wait_on(second, m.gpu.place_on(m.stream));
        m.gpu.launch(second, {.cold = 300us});
        m.gpu.launch(m.stream, {.cold = 200us});
        m.gpu.wait_on(m.stream, m.gpu.place_on(second));
    }};
    CHECK(both.time(m.held, m.stream) == 300e3);
}

TEST_CASE("a model whose run waits for its last one is timed one run at a time", "[cuda][unit]") {
    machine_of_models m;
    const cudaStream_t idle = m.gpu.make_stream();
    const auto package = [&](std::chrono::nanoseconds work) {
        return other_adapter{[&m, idle, work, last = simulated_gpu::place{}]() mutable {
                                 for (; last && !*last; static_cast<void>(m.gpu.place_on(idle)))
                                     m.processor.advance(1us);
                                 m.gpu.launch(m.stream, {.cold = work});
                                 last = m.gpu.place_on(m.stream);
                             },
                             true};
    };
    auto large = package(100us);
    CHECK(large.time(m.held, m.stream) == 100e3);
    CHECK(m.processor.now() < 1'000'000'000);  // no hold timed out
    stream_timer_of_models of_small{simulated_gpu::runtime(), stream_use::held};
    auto small = package(10us);
    CHECK_RECORDED(small.fault(of_small, m.stream));
    CHECK(m.processor.now() < 1'000'000'000);
    CHECK(small.time(m.unheld, m.stream) >= 10e3);
}

TEST_CASE("throttled samples of a model are discarded and reported, and no limit is named that it cannot set",
          "[cuda][unit]") {
    machine_of_models m;
    double share = 1.0;
    m.gpu.clock_share = [&](std::int64_t) { return share; };
    auto model = m.launches(1, {.cold = 100us});
    CHECK(m.held.report_slow_samples().empty());
    CHECK(model.time(m.held, m.stream) == 100e3);
    CHECK(m.held.report_slow_samples().empty());
    share = 0.5;
    const std::string fault = model.fault(m.held, m.stream);
    CHECK_RECORDED(fault);
    CHECK_RECORDED(m.held.report_slow_samples());
}

TEST_CASE("a model is timed on the stream that is named now", "[cuda][unit]") {
    machine_of_models m;
    auto model = m.launches(1, {.cold = 100us});
    CHECK(model.time(m.held, m.stream) == 100e3);
    m.stream = m.gpu.make_stream();
    CHECK(model.time(m.held, m.stream) == 100e3);
}

TEST_CASE("an error from before a sample of a model is not the model's", "[cuda][unit]") {
    machine_of_models m;
    auto model = m.launches(1, {.cold = 100us});
    CHECK(model.time(m.held, m.stream) == 100e3);
    m.gpu.last_error = cudaErrorInvalidValue;
    CHECK_THROWS_RECORDED(cuda_error, model.time(m.held, m.stream));
    CHECK(model.time(m.held, m.stream) == 100e3);
}

TEST_CASE("a model on a stream of another device, or without one, has no time", "[cuda][unit]") {
    machine_of_models m;
    auto model = m.launches(1, {.cold = 100us});
    m.gpu.current = 1;
    CHECK_THAT(model.fault(m.held, m.stream),
               ContainsSubstring("\"model\": the stream does not accept events of the current device, cuda:1"));
    CHECK(model.runs == 0);
    m.gpu.current = 0;
    CHECK(model.time(m.held, m.stream) == 100e3);
    m.gpu.count_error = cudaErrorNoDevice;
    stream_timer_of_models nothing{simulated_gpu::runtime(), stream_use::held};
    CHECK_THAT(model.fault(nothing, m.stream), ContainsSubstring("\"model\": no CUDA device: cudaErrorNoDevice"));
}

TEST_CASE("a model that throws leaves no stream held", "[cuda][unit]") {
    machine_of_models m;
    bool fails = false;
    other_adapter model{[&] {
        m.gpu.launch(m.stream, {.cold = 100us});
        if (fails) throw std::runtime_error("shapes do not match");
    }};
    CHECK(model.time(m.held, m.stream) == 100e3);
    fails = true;
    CHECK_THROWS_MATCHES(model.time(m.held, m.stream), std::runtime_error, Message("shapes do not match"));
    fails = false;
    CHECK(model.time(m.held, m.stream) == 100e3);
    CHECK(m.processor.now() < 1'000'000'000);
}

TEST_CASE("a timer of a model reports what its samples could not see", "[cuda][unit]") {
    machine_of_models m;
    auto model = m.launches(1, {.cold = 100us});
    CHECK(m.held.caveat().empty());
    m.gpu.sees_every_stream = false;
    CHECK(model.time(m.held, m.stream) == 100e3);
    CHECK_THAT(m.held.caveat(), ContainsSubstring("streams created with cudaStreamNonBlocking"));
    m.gpu.clock_error = cudaErrorNotSupported;
    CHECK(model.time(m.held, m.stream) == 100e3);
    CHECK_THAT(m.held.caveat(), ContainsSubstring("samples may be throttled"));
}

}  // namespace perfspec::testing
