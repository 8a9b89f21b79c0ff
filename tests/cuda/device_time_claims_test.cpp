// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims on device_time through the whole of an evaluation, on a simulated device.
#include "gpu_program.hpp"

#include <perfspec/language/subjects/subject_state.hpp>

#include <support/scripted_gpus.hpp>

namespace perfspec::testing {
namespace {

using axes = std::vector<std::pair<std::string, std::string>>;

constexpr simulated_kernel reads{.cold = 40us, .warm = 20us, .data = 1, .bytes = std::size_t{10} << 20U};

}  // namespace

TEST_CASE("claims on device_time see the device's time alone", "[cuda][unit]") {
    gpu_program p;
    const auto x = launching(p.gpu, "short", {.cold = 2us});
    CHECK(p.evaluate(device_time(x) < 2100ns).verdict == verdict::holds);
    CHECK(p.evaluate(device_time(x) < 1900ns).verdict == verdict::violated);
    CHECK(p.evaluate(latency(x) < 2100ns).verdict == verdict::violated);
    const auto slower = launching(p.gpu, "slower", {.cold = 2'100ns});
    CHECK(p.evaluate(speedup(device_time(slower), device_time(x)) > 1.04).verdict == verdict::holds);
    CHECK(p.evaluate(speedup(device_time(slower), device_time(x)) > 1.06).verdict == verdict::violated);
}

TEST_CASE("a record and a key of device_time say how the time was taken, and others do not", "[cuda][unit]") {
    gpu_program p;
    const auto x = launching(p.gpu, "x", reads);
    CHECK(p.evaluate(device_time(x) < 1s).axes == axes{{"timed", "cold"}});
    CHECK(p.evaluate(device_time(x) < 1s).key == "sorting / device_time(x) / timed=cold");
    CHECK(p.evaluate(latency(x) < 1s).axes.empty());
    const auto hot = launching(p.gpu, "hot", reads).hot().axis("n", 8);
    CHECK(p.evaluate(device_time(hot) < 1s).axes == axes{{"n", "8"}, {"timed", "hot"}});
    const auto waits = launching(p.gpu, "waits", reads).hot().host_synchronized();
    CHECK(p.evaluate(device_time(waits) < 1s).axes == axes{{"timed", "hot-synchronized"}});
}

TEST_CASE("claims do not compare a hot time with a cold one", "[cuda][unit]") {
    gpu_program p;
    const auto hot = launching(p.gpu, "new", reads).hot();
    const auto cold = launching(p.gpu, "old", reads);
    for (const record& r : {p.evaluate(device_time(hot) < 1.0 * device_time(cold)),
                            p.evaluate(speedup(device_time(cold), device_time(hot)) > 1.5)}) {
        CHECK(r.verdict == verdict::error);
        CHECK_THAT(r.reason,
                   ContainsSubstring("device_time times") && ContainsSubstring("Write .hot() or .cold() on both"));
    }
    CHECK(p.evaluate(latency(hot) < 2.0 * latency(cold)).verdict == verdict::holds);
    // A device whose adapter has one way to time it, as LibTorch's.
    subject other = p.takes("other", 1ms);
    other.state().device = "cuda:0";
    CHECK_RECORDED(p.evaluate(device_time(hot) < 1.0 * device_time(other)).reason);
}

TEST_CASE("a hot time is not compared with a baseline of cold ones", "[cuda][unit]") {
    const scripted_gpus driver;
    gpu_machine gpus(scripted_gpus::driver());
    gpu_program p(processes_of(40e3, 10));
    p.devices = &gpus;
    p.variables["PERFSPEC_CI"] = "on";
    p.sort = launching(p.gpu, "sort", reads);
    p.store("sorting / device_time(sort) / timed=cold", about(40e3, 10));
    CHECK(p.evaluate(device_time(p.sort) < 1.05 * baseline()).verdict == verdict::holds);
    p.sort = launching(p.gpu, "sort", reads).hot();
    const record r = p.evaluate(device_time(p.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::error);
    CHECK(r.key == "sorting / device_time(sort) / timed=hot");
    CHECK_THAT(r.reason, ContainsSubstring("this key has none"));
}

TEST_CASE("a claim on a body that launches elsewhere is an error", "[cuda][unit]") {
    gpu_program p;
    const cudaStream_t elsewhere = p.gpu.make_stream();
    const auto x = detail::cuda_subject(
        "elsewhere", [&](cudaStream_t) { p.gpu.launch(elsewhere, {.cold = 1ms}); }, simulated_gpu::runtime());
    const record r = p.evaluate(device_time(x) < 100us);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("puts no work on its stream"));
}

}  // namespace perfspec::testing
