// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The message of each fault, word by word: the table of FAULTS.md has the same words.
#include "gpu_program.hpp"
#include "kernels/traced_program.hpp"

#include <perfspec/cuda/roofline.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/text.hpp>

namespace perfspec::testing {
namespace {

template <class Body> cuda_work body_of(Body body) { return detail::cuda_subject("x", body, simulated_gpu::runtime()); }

cuda_work works(simulated_gpu& gpu) { return launching(gpu, "x", {.cold = 100us}); }

record of_kernel_that_faults(gpu_program& p) {
    return p.evaluate(device_time(launching(p.gpu, "x", {.cold = 100us, .fault = cudaErrorIllegalAddress})) < 1s);
}

record of_refused_launch(gpu_program& p) {
    return p.evaluate(device_time(body_of([](cudaStream_t) { return cudaErrorInvalidConfiguration; })) < 1s);
}

record of_no_memory(gpu_program& p) {
    const auto x = body_of([](cudaStream_t) {
        void* at = nullptr;
        return simulated_gpu::runtime().allocate(&at, std::size_t{1} << 50U);
    });
    return p.evaluate(device_time(x) < 1s);
}

record of_body_that_waits(gpu_program& p) {
    const auto x = body_of([&](cudaStream_t stream) {
        p.gpu.launch(stream, {.cold = 2us});
        static_cast<void>(p.gpu.wait_for_device());
    });
    return p.evaluate(device_time(x) < 1s);
}

record of_work_elsewhere(gpu_program& p) {
    const auto x = body_of([&, other = p.gpu.make_stream()](cudaStream_t stream) {
        p.gpu.launch(stream, {.cold = 10us});
        p.gpu.launch(other, {.cold = 1ms});
    });
    return p.evaluate(device_time(x) < 1s);
}

cuda_work copy_of(double size, host_memory host) {
    return detail::copy_of_own("x", copy_direction::to_device, bytes(size), host, simulated_gpu::runtime());
}

record of_pageable_copy(gpu_program& p) { return p.evaluate(device_time(copy_of(1e6, host_memory::pageable)) < 1s); }

record of_stream_of_another_device(gpu_program& p) {
    const cudaStream_t stream = p.gpu.make_stream();
    p.gpu.current = 1;
    const subject pipeline("x", [&] { p.gpu.launch(stream, {.cold = 2us}); });
    return p.evaluate(device_time(detail::work_on(pipeline, stream, simulated_gpu::runtime())) < 1s);
}

record of_another_current_device(gpu_program& p) {
    const auto x = works(p.gpu);
    p.gpu.current = 1;
    return p.evaluate(device_time(x) < 1s);
}

record of_no_driver(gpu_program& p) {
    p.gpu.count_error = cudaErrorInsufficientDriver;
    p.gpu.driver = 0;
    return p.evaluate(device_time(works(p.gpu)) < 1s);
}

record of_old_driver(gpu_program& p) {
    p.gpu.count_error = cudaErrorInsufficientDriver;
    p.gpu.driver = 12'020;
    return p.evaluate(device_time(works(p.gpu)) < 1s);
}

record of_no_gpu(gpu_program& p) {
    p.gpu.count_error = cudaErrorNoDevice;
    return p.evaluate(device_time(works(p.gpu)) < 1s);
}

record of_lost_device(gpu_program& p) {
    int launched = 0;
    const auto x = body_of([&](cudaStream_t stream) {
        if (++launched == 10) p.gpu.lose(cudaErrorDevicesUnavailable);
        else p.gpu.launch(stream, {.cold = 100us});
    });
    return p.evaluate(device_time(x) < 1s);
}

record of_no_cupti(gpu_program&) {
    traced_program p;
    p.cupti.missing = "libcupti.so.13: cannot open shared object file: No such file or directory";
    return p.evaluate(kernels(works(p.gpu)) <= 1);
}

record of_lost_records(gpu_program&) {
    traced_program p;
    p.cupti.room = 0;
    return p.evaluate(kernels(works(p.gpu)) <= 1);
}

record of_missing_kernel(gpu_program&) {
    traced_program p;
    return p.evaluate(
        kernel_time(p.launches("x", {{.cold = 9us, .name = "gelu"}, {.cold = 9us, .name = "gemm"}}), "gelo") < 12us);
}

/// The line of a fault in the table of FAULTS.md; empty if it has none.
std::string line_of(const std::string& fault) {
    std::ifstream rules(PERFSPEC_TEST_FAULTS);
    for (std::string line; std::getline(rules, line);)
        if (line.starts_with("| " + fault + " |")) return line;
    return {};
}

/// The exception of peak_bandwidth() with a driver that lacks the attribute; empty if there is none.
std::string thrown_without(cudaDeviceAttr attribute) {
    simulated_machine m;
    m.gpu.attributes[attribute] = 0;
    try {
        static_cast<void>(detail::peak_bandwidth_of(simulated_gpu::runtime()));
    } catch (const input_error& refused) { return refused.what(); }
    return {};
}

struct fault {
    const char* name;
    record (*happens)(gpu_program& p);
    verdict comes_to{verdict::error};
};

}  // namespace

TEST_CASE("a claim says of each fault what the table of faults says", "[cuda][unit]") {
    const auto f =
        GENERATE(values<fault>({{"a kernel that faults", of_kernel_that_faults},
                                {"a launch that is refused", of_refused_launch},
                                {"no memory is left", of_no_memory},
                                {"a body that waits for its device", of_body_that_waits},
                                {"a body that leaves work on another stream", of_work_elsewhere},
                                {"a copy of pageable memory", of_pageable_copy, verdict::holds},
                                {"a stream of another device", of_stream_of_another_device},
                                {"another device is the current one", of_another_current_device},
                                {"no driver", of_no_driver},
                                {"a driver that is too old", of_old_driver},
                                {"a driver without a GPU", of_no_gpu},
                                {"no CUPTI, of `kernels(x)`", of_no_cupti, verdict::skipped},
                                {"records that CUPTI lost, of `kernels(x)`", of_lost_records, verdict::skipped},
                                {"a name that no kernel has, of `kernel_time(x, \"gelo\")`", of_missing_kernel},
                                {"a device that is lost in the middle", of_lost_device}}));
    gpu_program p;
    const record r = f.happens(p);
    const std::string message = r.verdict == verdict::holds && !r.notes.empty() ? r.notes.front() : r.reason;
    const std::string line = line_of(f.name);
    INFO(f.name << "\nit says:         " << message << "\nthe table says: " << line);
    CHECK(r.verdict == f.comes_to);
    CHECK_FALSE(message.empty());
    CHECK(line.find("`" + message + "`") != std::string::npos);
}

// It throws before there is a claim.
TEST_CASE(
    "peak_bandwidth says what the table of faults says of a driver that reports no clock of the memory, or no width of its bus",
    "[cuda][unit]") {
    struct row {
        const char* name;
        cudaDeviceAttr missing;
    };
    const auto f = GENERATE(values<row>(
        {{"a driver that does not report the clock of the memory, of `peak_bandwidth()`", cudaDevAttrMemoryClockRate},
         {"a driver that does not report the memory's bus, of `peak_bandwidth()`", cudaDevAttrGlobalMemoryBusWidth}}));
    const std::string message = thrown_without(f.missing);
    const std::string line = line_of(f.name);
    INFO(f.name << "\nit says:         " << message << "\nthe table says: " << line);
    CHECK_FALSE(message.empty());
    CHECK(line.find("`" + message + "`") != std::string::npos);
}

// Claims during which a kernel, the memory or the device fails.
namespace {

/// A kernel that fails in its n-th launch.
template <class Fail> cuda_work failing_at(simulated_gpu& gpu, int n, Fail fail) {
    return detail::cuda_subject(
        "fails",
        [&gpu, n, fail, launched = 0](cudaStream_t stream) mutable {
            if (++launched >= n) return fail(stream);
            gpu.launch(stream, {.cold = 100us});
            return cudaSuccess;
        },
        simulated_gpu::runtime());
}

}  // namespace

TEST_CASE("a kernel that faults makes its claim an error, and those after it, which say that it was before them",
          "[cuda][unit]") {
    gpu_program p;
    const int n = GENERATE(1, 2, 10, 100);
    const auto x = failing_at(p.gpu, n, [&](cudaStream_t stream) {
        p.gpu.launch(stream, {.cold = 100us, .fault = cudaErrorIllegalAddress});
        return cudaSuccess;
    });
    const record r = p.evaluate(device_time(x) < 1s);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("cudaErrorIllegalAddress: an illegal memory access was encountered"));
    const record next = p.evaluate(device_time(launching(p.gpu, "next", {.cold = 100us})) < 1s);
    CHECK(next.verdict == verdict::error);
    CHECK_THAT(next.reason, ContainsSubstring("cudaErrorIllegalAddress"));
}

TEST_CASE("a device that is lost in the middle makes claims an error, and keeps no program waiting", "[cuda][unit]") {
    gpu_program p;
    const int n = GENERATE(1, 2, 10, 100);
    const auto x = failing_at(p.gpu, n, [&](cudaStream_t) {
        p.gpu.lose(cudaErrorDevicesUnavailable);
        return cudaSuccess;  // a launch by <<<>>> returns no error
    });
    const record r = p.evaluate(device_time(x) < 1s);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("cudaErrorDevicesUnavailable"));
    CHECK(p.evaluate(latency(x) < 1s).verdict == verdict::error);
}

TEST_CASE("memory that runs out in a body makes its claim an error, and no other", "[cuda][unit]") {
    gpu_program p;
    const int n = GENERATE(1, 10, 100);
    const auto x = failing_at(p.gpu, n, [](cudaStream_t) {
        void* at = nullptr;
        return simulated_gpu::runtime().allocate(&at, std::size_t{1} << 50U);
    });
    const record r = p.evaluate(device_time(x) < 1s);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("cudaErrorMemoryAllocation: out of memory"));
    CHECK(r.failure == failure_kind::out_of_memory);
    CHECK(p.evaluate(device_time(launching(p.gpu, "next", {.cold = 100us})) < 1s).verdict == verdict::holds);
}

}  // namespace perfspec::testing
