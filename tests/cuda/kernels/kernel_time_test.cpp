// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims on the time of kernels, through the whole of an evaluation, on a simulated device.
#include "traced_program.hpp"

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <support/notes.hpp>
#include <support/scripted_gpus.hpp>

namespace perfspec::testing {
namespace {

using axes = std::vector<std::pair<std::string, std::string>>;

constexpr simulated_kernel gelu{.cold = 20us, .name = "_Z4geluPf"};
constexpr simulated_kernel gemm{.cold = 70us, .name = "_Z4gemmv"};
constexpr simulated_kernel reads{
    .cold = 40us, .warm = 20us, .data = 1, .bytes = std::size_t{10} << 20U, .name = "reads"};

double time_of(const record& r) { return r.subjects.front().median; }

}  // namespace

TEST_CASE("kernel_time is the device's time in the kernels of that name, and notes their launches", "[cuda][unit]") {
    traced_program p;
    const auto x = p.launches("x", {gelu, gemm, gelu});
    const record r = p.evaluate(kernel_time(x, "gelu") < 41us);
    CHECK(r.verdict == verdict::holds);
    CHECK(time_of(r) == 40'000.0);
    CHECK(r.query == "kernel_time(x, gelu)");
    CHECK(has_note(r, "\"gelu\" of \"x\": 2 launches of gelu in an iteration"));
    CHECK(p.evaluate(kernel_time(x, "gelu") < 39us).verdict == verdict::violated);
    CHECK(p.evaluate(kernel_time(x, "gemm") < 71us).verdict == verdict::holds);
    const record all = p.evaluate(kernel_time(x) < 111us);
    CHECK(all.verdict == verdict::holds);
    CHECK(has_note(all, "all kernels of \"x\": 3 launches of gelu, gemm in an iteration"));
    CHECK(p.evaluate(kernel_time(x) < 109us).verdict == verdict::violated);
    CHECK(p.cupti.enabled.empty());
}

TEST_CASE("kernel_time compares kernels of two subjects in pairs, under different names", "[cuda][unit]") {
    traced_program p;
    const auto plain = p.launches("plain", {gelu, gelu, gemm});
    const auto fused = p.launches("fused", {{.cold = 15us, .name = "gelu_fused"}, gemm});
    CHECK(p.evaluate(kernel_time(fused, "gelu_fused") < 0.5 * kernel_time(plain, "gelu")).verdict == verdict::holds);
    CHECK(p.evaluate(kernel_time(fused, "gelu_fused") < 0.3 * kernel_time(plain, "gelu")).verdict == verdict::violated);
    const record r = p.evaluate(speedup(kernel_time(plain, "gelu"), kernel_time(fused, "gelu_fused")) > 2.5);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "speedup(kernel_time(plain, gelu), kernel_time(fused, gelu_fused))");
    CHECK(p.evaluate(kernel_time(plain, "gemm") == within(kernel_time(fused, "gemm"), 5_pct)).verdict ==
          verdict::holds);
}

TEST_CASE("kernel_time compares two kernels of one subject, but none with itself", "[cuda][unit]") {
    traced_program p;
    const auto x = p.launches("x", {gelu, gemm});
    CHECK(p.evaluate(kernel_time(x, "gelu") < 0.3 * kernel_time(x, "gemm")).verdict == verdict::holds);
    CHECK(p.evaluate(kernel_time(x, "gelu") < 0.2 * kernel_time(x, "gemm")).verdict == verdict::violated);
    const record r = p.evaluate(kernel_time(x, "gelu") < 2.0 * kernel_time(x, "gelu"));
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("with itself"));
}

TEST_CASE("kernel_time of a name of no kernel, or of several, is an error with any bound", "[cuda][unit]") {
    traced_program p;
    const auto x =
        p.launches("x", {gelu, {.cold = 9us, .name = "forward::softmax"}, {.cold = 9us, .name = "backward::softmax"}});
    for (const record& r : {p.evaluate(kernel_time(x, "gelo") < 12us), p.evaluate(kernel_time(x, "gelo") > 1ns)}) {
        CHECK(r.verdict == verdict::error);
        CHECK(
            r.reason ==
            "an iteration of \"x\" runs no kernel named \"gelo\". It runs: gelu, backward::softmax, forward::softmax");
    }
    const record several = p.evaluate(kernel_time(x, "softmax") < 1s);
    CHECK(several.verdict == verdict::error);
    CHECK_THAT(several.reason, ContainsSubstring("matches different kernels") && ContainsSubstring("\"*softmax*\""));
    CHECK(p.evaluate(kernel_time(x, "*softmax*") < 19us).verdict == verdict::holds);
    const auto other = p.launches("other", {gemm});
    CHECK(p.evaluate(kernel_time(other, "gelu") < kernel_time(x, "gelu")).verdict == verdict::error);
    CHECK(p.cupti.enabled.empty());
}

TEST_CASE("kernel_time of a body that runs the kernel only now and then is an error", "[cuda][unit]") {
    traced_program p;
    int calls = 0;
    const auto x = detail::cuda_subject(
        "x",
        [&](cudaStream_t stream) {
            p.gpu.launch(stream, gemm);
            if (++calls % 7 != 0) p.gpu.launch(stream, gelu);
        },
        simulated_gpu::runtime());
    const record r = p.evaluate(kernel_time(x, "gelu") < 1s);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("runs no kernel named \"gelu\""));
}

TEST_CASE("a note says that the launches of a kernel_time differ from iteration to iteration", "[cuda][unit]") {
    traced_program p;
    int calls = 0;
    const auto x = detail::cuda_subject(
        "x",
        [&](cudaStream_t stream) {
            ++calls;
            for (int i = 0; i <= calls % 3; ++i) p.gpu.launch(stream, gelu);
        },
        simulated_gpu::runtime());
    CHECK(has_note(p.evaluate(kernel_time(x, "gelu") < 1s),
                   "\"gelu\" of \"x\": 1 to 3 launches of gelu in an iteration"));
}

TEST_CASE("kernel_time has the state of the cache that device_time has, and says so", "[cuda][unit]") {
    traced_program p;
    const auto cold = p.launches("cold", {reads});
    const auto hot = p.launches("hot", {reads}).hot();
    const record of_cold = p.evaluate(kernel_time(cold, "reads") < 1s);
    CHECK(time_of(of_cold) == 40'000.0);
    CHECK(of_cold.axes == axes{{"timed", "cold"}});
    CHECK(of_cold.key == "sorting / kernel_time(cold, reads) / timed=cold");
    CHECK(time_of(p.evaluate(kernel_time(hot, "reads") < 1s)) == 20'000.0);
    const record r = p.evaluate(kernel_time(hot, "reads") < kernel_time(cold, "reads"));
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("Write .hot() or .cold() on both"));
}

TEST_CASE("kernel_time of a hot subject is not that of what others left in the cache", "[cuda][unit]") {
    traced_program p;
    const auto x = p.launches("x", {reads}).hot();
    const auto y =
        p.launches("y", {{.cold = 100us, .data = 2, .bytes = std::size_t{50} << 20U, .name = "other"}}).hot();
    const record r = p.evaluate(kernel_time(x) < 0.25 * kernel_time(y));
    CHECK(r.verdict == verdict::holds);
    CHECK(time_of(r) == 20'000.0);
}

TEST_CASE("claims on one subject are on the kernel that each names, or on all", "[cuda][unit]") {
    traced_program p;
    const auto x = p.launches("x", {gelu, gemm});
    CHECK(time_of(p.evaluate(device_time(x) < 1s)) == 90'000.0);
    CHECK(time_of(p.evaluate(kernel_time(x, "gelu") < 1s)) == 20'000.0);
    CHECK(time_of(p.evaluate(kernel_time(x, "gemm") < 1s)) == 70'000.0);
    CHECK(time_of(p.evaluate(kernel_time(x) < 1s)) == 90'000.0);
}

TEST_CASE("kernel_time is compared with the baseline of its kernel", "[cuda][unit]") {
    const scripted_gpus driver;
    gpu_machine gpus(scripted_gpus::driver());
    traced_program p{processes_of(20e3, 10)};
    p.devices = &gpus;
    p.variables["PERFSPEC_CI"] = "on";
    p.sort = p.launches("sort", {gelu, gemm});
    p.store("sorting / kernel_time(sort, gelu) / timed=cold", about(20e3, 10));
    CHECK(p.evaluate(kernel_time(p.sort, "gelu") < 1.05 * baseline()).verdict == verdict::holds);
    const record r = p.evaluate(kernel_time(p.sort, "gemm") < 1.05 * baseline());
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("this key has none"));
}

TEST_CASE("kernel_time of a graph is that of its nodes", "[cuda][unit]") {
    traced_program p;
    const simulated_graph g{.nodes = {gelu, gemm, gelu}};
    const auto step = launching(p.gpu, "step", g);
    const record r = p.evaluate(kernel_time(step, "gelu") < 41us);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.axes == axes{{"timed", "hot"}});
    CHECK(p.evaluate(kernel_time(step, "gelu") < 39us).verdict == verdict::violated);
}

TEST_CASE("kernel_time holds work on another stream, where device_time cannot be had", "[cuda][unit]") {
    traced_program p;
    const cudaStream_t other = p.gpu.make_stream();
    const auto x = detail::cuda_subject(
        "x",
        [&](cudaStream_t stream) {
            p.gpu.launch(stream, gemm);
            p.gpu.launch(other, gelu);
            p.gpu.wait_on(stream, p.gpu.place_on(other));
            static_cast<void>(p.gpu.wait_for_device());
        },
        simulated_gpu::runtime());
    CHECK(p.evaluate(kernel_time(x, "gelu") < 19us).verdict == verdict::violated);
    CHECK(p.evaluate(device_time(x) < 1s).verdict == verdict::error);
}

TEST_CASE("samples of kernel_time that a throttled GPU took are discarded", "[cuda][unit]") {
    traced_program p;
    int calls = 0;
    bool is_slow = false;
    p.gpu.clock_share = [&](std::int64_t) { return is_slow ? 0.5 : 1.0; };
    const auto x = detail::cuda_subject(
        "x",
        [&](cudaStream_t stream) {
            is_slow = ++calls > 50 && calls % 5 == 0;
            p.gpu.launch(stream, gemm);
        },
        simulated_gpu::runtime());
    const record r = p.evaluate(kernel_time(x, "gemm") < 75us);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.subjects.front().maximum < 100'000.0);
    CHECK(has_note(r, "ran below 75 % of the GPU's default clock"));
}

TEST_CASE("kernel_time of a GPU that is throttled most of the time is an error", "[cuda][unit]") {
    traced_program p;
    p.gpu.clock_share = [](std::int64_t) { return 0.5; };
    const record r = p.evaluate(kernel_time(p.launches("x", {gemm}), "gemm") < 1s);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("throttled:"));
    CHECK(p.cupti.enabled.empty());
}

TEST_CASE("kernel_time is skipped where CUPTI is missing or lost a record, and where it saw no kernel",
          "[cuda][unit]") {
    traced_program p;
    const auto three = p.launches("three", {gelu, gelu, gelu});
    p.cupti.room = 2;
    const record lost = p.evaluate(kernel_time(three, "gelu") < 50us);
    CHECK(lost.verdict == verdict::skipped);
    CHECK_THAT(lost.reason, ContainsSubstring("the record of the device's work cannot be read: CUPTI lost"));
    p.cupti.room = 1'000;
    p.cupti.buffers_error = 1;
    const record taken = p.evaluate(kernel_time(p.launches("taken", {gelu}), "gelu") < 50us);
    CHECK(taken.verdict == verdict::skipped);
    CHECK_THAT(taken.reason, ContainsSubstring("CUPTI does not record kernels"));
    p.cupti.buffers_error = 0;
    const auto copy = detail::copy_of_own("copy", copy_direction::to_device, bytes(1e6), host_memory::pinned,
                                          simulated_gpu::runtime());
    const record unseen = p.evaluate(kernel_time(copy, "gelu") < 50us);
    CHECK(unseen.verdict == verdict::skipped);
    CHECK_THAT(unseen.reason, ContainsSubstring("saw no kernel on the device"));
}

TEST_CASE("kernel_time of a program without a recorder is skipped, and says what to link", "[cuda][unit]") {
    traced_program p;
    p.counts.install<device_recorder>(nullptr);
    const record r = p.evaluate(kernel_time(p.launches("x", {gelu}), "gelu") < 50us);
    CHECK(r.verdict == verdict::skipped);
    CHECK_THAT(r.reason, ContainsSubstring("perfspec::cuda"));
}

TEST_CASE("kernel_time of a body on the processor is skipped", "[cuda][unit]") {
    traced_program p;
    const record r = p.evaluate(kernel_time(p.takes("plain", 1ms), "gelu") < 1s);
    CHECK(r.verdict == verdict::skipped);
    CHECK_RECORDED(r.reason);
}

TEST_CASE("kernel_time of a body that faults is an error", "[cuda][unit]") {
    traced_program p;
    const record r =
        p.evaluate(kernel_time(launching(p.gpu, "x", {.cold = 10us, .fault = cudaErrorIllegalAddress})) < 1s);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("cudaErrorIllegalAddress"));
    CHECK(p.cupti.enabled.empty());
}

TEST_CASE("a percentile of kernel_time is an error", "[cuda][unit]") {
    traced_program p;
    const record r = p.evaluate(p99(kernel_time(p.launches("x", {gelu}), "gelu")) < 1s);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("a percentile needs latency(x) or cpu_time(x)") &&
                             ContainsSubstring("not kernel_time(x)"));
}

}  // namespace perfspec::testing
