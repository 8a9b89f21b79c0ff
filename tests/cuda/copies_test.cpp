// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Copies between the host and the device as subjects.
#include "gpu_program.hpp"

#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <support/notes.hpp>

namespace perfspec::testing {
namespace {

using enum copy_direction;

constexpr std::size_t n = 10'000'000;  // 400 us by the link, 1 ms by the processor, 10 us on the device

cuda_work own(copy_direction direction, host_memory host = host_memory::pinned, const char* name = "copy") {
    return detail::copy_of_own(name, direction, bytes(n), host, simulated_gpu::runtime());
}

/// Memory of the device.
void* take(std::size_t size = n) {
    void* at = nullptr;
    REQUIRE(simulated_gpu::runtime().allocate(&at, size) == cudaSuccess);
    return at;
}

/// Memory of the host, in which neighboring bytes differ.
std::vector<std::byte> host_bytes() {
    std::vector<std::byte> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<std::byte>(i * 7 + i / 256);
    return all;
}

/// A GPU, and memory of the host and of the device.
struct copying_machine : simulated_machine {
    std::vector<std::byte> host = host_bytes();
    void* device = take();
};

}  // namespace

TEST_CASE("device_time of a pinned copy is that of the copy alone, and latency holds its launch", "[cuda][unit]") {
    simulated_machine m;
    const auto direction = GENERATE(to_device, to_host);
    std::vector<seen_work::kind> seen;
    m.gpu.profiler = [&](const seen_work& w) {
        if (w.what >= seen_work::kind::copy_to_device) seen.push_back(w.what);
    };
    const auto x = own(direction);
    CHECK(take_device_time(x) == 400'000.0);
    REQUIRE_FALSE(seen.empty());
    CHECK(seen.back() == (direction == to_device ? seen_work::kind::copy_to_device : seen_work::kind::copy_to_host));
    CHECK(take_device_time(cuda_work(x).hot()) == 400'000.0);
    CHECK(take_sample(x, 1, warm_call::no, m.processor).elapsed_ns == 408'000);
    CHECK(x.state().bytes == n);
    CHECK(readings_of(x).timing == "hot");  // as said above
}

TEST_CASE("a copy on the device reads and writes its bytes", "[cuda][unit]") {
    simulated_machine m;
    const auto x = own(on_device);
    CHECK(take_device_time(x) == 10'000.0);
    CHECK(x.state().bytes == 2 * n);
    CHECK(readings_of(x).timing == "cold");
}

TEST_CASE("device_time of a pageable copy holds the work of the driver on the processor", "[cuda][unit]") {
    simulated_machine m;
    const auto x = own(GENERATE(to_device, to_host), host_memory::pageable);
    CHECK(readings_of(x).timing == "cold-synchronized");
    CHECK(take_device_time(x) >= 1'400'000.0);
    CHECK(take_device_time(x) <= 1'430'000.0);
    CHECK(take_sample(x, 1, warm_call::no, m.processor).elapsed_ns >= 1'400'000);
}

TEST_CASE("device_throughput of a copy is held against a bound and a peak", "[cuda][unit]") {
    gpu_program p;
    const auto upload = own(to_device);
    CHECK(p.evaluate(device_throughput(upload, bytes) > 24_GBps).verdict == verdict::holds);
    CHECK(p.evaluate(device_throughput(upload, bytes) > 26_GBps).verdict == verdict::violated);
    CHECK(p.evaluate(throughput(upload, bytes) > 24_GBps).verdict == verdict::holds);
    CHECK(p.evaluate(throughput(upload, bytes) > 24.9_GBps).verdict == verdict::violated);  // with the launch
    const auto limit = detail::peak_bandwidth_of(simulated_gpu::runtime());                 // 3.35 TB/s
    const auto local = own(on_device, host_memory::pinned, "local");                        // 2 TB/s
    CHECK(p.evaluate(device_throughput(local, bytes) > 0.59 * limit).verdict == verdict::holds);
    CHECK(p.evaluate(device_throughput(local, bytes) > 0.61 * limit).verdict == verdict::violated);
}

TEST_CASE("a claim on a pageable copy says so, and holds no bound that the link alone would", "[cuda][unit]") {
    gpu_program p;
    const auto upload = own(to_device, host_memory::pageable);
    const record r = p.evaluate(device_throughput(upload, bytes) > 6_GBps);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.key == "sorting / device_throughput(copy, bytes) / timed=cold-synchronized");
    CHECK(has_note(r, "its host memory is pageable, so the driver copies it through a buffer"));
    CHECK(p.evaluate(device_throughput(upload, bytes) > 8_GBps).verdict == verdict::violated);
    CHECK(p.evaluate(latency(upload) < 1ms).verdict == verdict::violated);
    CHECK_FALSE(has_note(p.evaluate(latency(own(to_host, host_memory::pinned, "pinned")) < 1s), "pageable"));
}

TEST_CASE("pinned and pageable copies are compared if both are timed in the same way", "[cuda][unit]") {
    gpu_program p;
    const auto pinned = own(to_device);
    const auto pageable = own(to_device, host_memory::pageable, "pageable");
    CHECK(p.evaluate(device_time(pinned) < 0.5 * device_time(pageable)).verdict == verdict::error);
    CHECK(p.evaluate(device_time(cuda_work(pinned).host_synchronized()) < 0.5 * device_time(pageable)).verdict ==
          verdict::holds);
    CHECK(p.evaluate(latency(pinned) < 0.5 * latency(pageable)).verdict == verdict::holds);
    CHECK(p.evaluate(latency(pinned) < 0.2 * latency(pageable)).verdict == verdict::violated);
}

TEST_CASE("a copy without a device, or memory, is an error", "[cuda][unit]") {
    simulated_machine m;
    CHECK_RECORDED(detail::copy_of_own("copy", to_device, bytes(1e12), host_memory::pinned, simulated_gpu::runtime())
                       .state()
                       .error_reason);
    CHECK_RECORDED(detail::copy_of_own("copy", to_device, bytes(0), host_memory::pinned, simulated_gpu::runtime())
                       .state()
                       .error_reason);
    m.gpu.count_error = cudaErrorNoDevice;
    CHECK_THAT(own(to_device).state().error_reason, ContainsSubstring("no CUDA-capable device is detected"));
}

TEST_CASE("a copy gives its memory back", "[cuda][unit]") {
    simulated_machine m;
    static_cast<void>(own(to_device));
    static_cast<void>(own(on_device));
    CHECK(m.gpu.allocated() == 0);
    m.gpu.memory_bytes = 2 * n - 1;
    static_cast<void>(own(on_device));
    CHECK(m.gpu.allocated() == 0);
}

TEST_CASE("copies of one direction take turns, and those of two do not", "[cuda][unit]") {
    copying_machine m;
    auto other = host_bytes();
    void* const more = take();
    m.gpu.pin(m.host.data(), n);
    m.gpu.pin(other.data(), n);
    const bool is_one_direction = GENERATE(true, false);
    const auto x = detail::cuda_subject(
        "two copies",
        [&, second = m.gpu.make_stream()](cudaStream_t stream) {
            static_cast<void>(m.gpu.copy(m.device, m.host.data(), n, stream));
            if (is_one_direction) static_cast<void>(m.gpu.copy(more, other.data(), n, second));
            else static_cast<void>(m.gpu.copy(other.data(), more, n, second));
            m.gpu.wait_on(stream, m.gpu.place_on(second));
        },
        simulated_gpu::runtime());
    CHECK(take_device_time(x) == (is_one_direction ? 800'000.0 : 400'000.0));
}

namespace {

/// The order of a body's copy and its kernel.
enum class order { beside, in_turn, not_joined };

cuda_work copy_and_kernel(gpu_program& p, const char* name, std::vector<std::byte>& host, void* device, order how) {
    return detail::cuda_subject(
        name,
        [&p, &host, device, how, other = p.gpu.make_stream()](cudaStream_t stream) {
            if (how == order::in_turn) {
                static_cast<void>(p.gpu.copy(device, host.data(), n, stream));
                p.gpu.launch(stream, {.cold = 400us});
                return;
            }
            p.gpu.wait_on(other, p.gpu.place_on(stream));
            static_cast<void>(p.gpu.copy(device, host.data(), n, other));
            p.gpu.launch(stream, {.cold = 300us});
            if (how == order::beside) p.gpu.wait_on(stream, p.gpu.place_on(other));
        },
        simulated_gpu::runtime());
}

}  // namespace

TEST_CASE("a copy beside a kernel takes less time than both in turn, and nothing else does", "[cuda][unit]") {
    gpu_program p;
    auto host = host_bytes();
    void* const device = take();
    const bool is_pinned = GENERATE(true, false);
    if (is_pinned) p.gpu.pin(host.data(), n);
    const auto in_turn = copy_and_kernel(p, "in turn", host, device, order::in_turn);
    const auto beside = copy_and_kernel(p, "beside", host, device, order::beside);
    const auto also_in_turn = copy_and_kernel(p, "also in turn", host, device, order::in_turn);
    const auto not_joined = copy_and_kernel(p, "not joined", host, device, order::not_joined);
    if (is_pinned) {
        CHECK(p.evaluate(device_time(beside) < 0.6 * device_time(in_turn)).verdict == verdict::holds);
        CHECK(p.evaluate(device_time(also_in_turn) < 0.6 * device_time(in_turn)).verdict == verdict::violated);
        CHECK(p.evaluate(device_time(not_joined) < 0.6 * device_time(in_turn)).verdict == verdict::error);
    } else {
        // The processor copies first, so that the kernel is launched late.
        CHECK(p.evaluate(device_time(cuda_work(beside).host_synchronized()) <
                         0.6 * device_time(cuda_work(in_turn).host_synchronized()))
                  .verdict == verdict::violated);
    }
}

TEST_CASE("a claim on a body that copies pageable memory while its stream is held is an error, and says so",
          "[cuda][unit]") {
    gpu_program p;
    auto host = host_bytes();
    void* const device = take();
    const auto x = detail::cuda_subject(
        "x", [&](cudaStream_t stream) { return p.gpu.copy(device, host.data(), n, stream); }, simulated_gpu::runtime());
    const record r = p.evaluate(device_time(x) < 1s);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("cudaMemcpyAsync of pageable memory"));
    CHECK(p.evaluate(device_time(cuda_work(x).host_synchronized()) < 1s).verdict == verdict::holds);
}

}  // namespace perfspec::testing
