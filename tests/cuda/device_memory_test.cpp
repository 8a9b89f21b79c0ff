// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The peak of a device's memory during a body, on a simulated device.
#include "simulated_program.hpp"

#include <perfspec/cuda/cuda_memory.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstdint>
#include <utility>

namespace perfspec::testing {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Message;

constexpr std::size_t mib = std::size_t{1} << 20U;

/// A machine whose memory is seen.
struct seen_machine : simulated_machine {
    detail::cuda_memory_counter counter{simulated_gpu::runtime()};

    template <class Body> std::int64_t peak_of(Body body) {
        const auto x = detail::cuda_subject(
            "x", [body](cudaStream_t) mutable { body(); }, simulated_gpu::runtime());
        const counting counts(counter);
        REQUIRE(counts.fault().empty());
        return take_sample(x, 1, warm_call::no, counter).elapsed_ns;
    }
    void* take(std::size_t bytes) {
        void* at = nullptr;
        REQUIRE(simulated_gpu::runtime().allocate(&at, bytes) == cudaSuccess);
        return at;
    }
};

}  // namespace

TEST_CASE("device_memory is the peak of the stream-ordered allocator above the level before", "[cuda][unit]") {
    seen_machine m;
    m.gpu.take_from_pool(1'000'000);  // inputs
    m.gpu.take_from_pool(5'000'000);  // a peak before
    m.gpu.give_to_pool(5'000'000);
    const auto body = [&] {
        m.gpu.take_from_pool(300);
        m.gpu.give_to_pool(200);
        m.gpu.take_from_pool(150);
        m.gpu.give_to_pool(250);
    };
    for (int i = 0; i < 3; ++i) CHECK(m.peak_of(body) == 300);
    CHECK(m.peak_of([] {}) == 0);
}

TEST_CASE("device_memory counts what cudaMalloc takes, also where cudaFree gives it back", "[cuda][unit]") {
    seen_machine m;
    static_cast<void>(m.take(64 * mib));  // inputs
    CHECK(m.peak_of([&] { static_cast<void>(m.take(8 * mib)); }) == 8 * mib);
    CHECK(m.peak_of([&] {
        void* const first = m.take(4 * mib);
        void* const second = m.take(6 * mib);
        static_cast<void>(simulated_gpu::runtime().release(first));
        static_cast<void>(simulated_gpu::runtime().release(second));
    }) == 10 * mib);
}

TEST_CASE("device_memory adds up both, and counts no memory that the allocator keeps", "[cuda][unit]") {
    seen_machine m;
    CHECK(m.peak_of([&] {
        m.gpu.take_from_pool(2 * mib);  // of a block of 32 MiB
        static_cast<void>(simulated_gpu::runtime().release(m.take(mib)));
        m.gpu.give_to_pool(2 * mib);
    }) == 3 * mib);
}

TEST_CASE("device_memory is not below nothing where memory becomes free meanwhile", "[cuda][unit]") {
    seen_machine m;
    m.gpu.memory_of_others = 100 * mib;
    CHECK(m.peak_of([&] { m.gpu.memory_of_others = 0; }) == 0);
    void* const input = m.take(8 * mib);
    CHECK(m.peak_of([&] { static_cast<void>(simulated_gpu::runtime().release(input)); }) == 0);
}

TEST_CASE("device_memory begins anew after a body that throws", "[cuda][unit]") {
    seen_machine m;
    CHECK_THROWS(m.peak_of([&] {
        m.gpu.take_from_pool(500);
        throw measurement_failure(failure_kind::refused, "no input");
    }));
    CHECK(m.peak_of([&] {
        m.gpu.take_from_pool(300);
        m.gpu.give_to_pool(300);
    }) == 300);
}

TEST_CASE("device_memory says where the device does not tell its memory", "[cuda][unit]") {
    seen_machine m;
    CHECK_THAT(m.counter.caveat(), ContainsSubstring("cudaMalloc") && ContainsSubstring("is not seen"));
    m.gpu.telling_memory = cudaErrorNotSupported;
    CHECK_THROWS_MATCHES(
        m.peak_of([] {}), measurement_failure,
        Message("the device does not tell its memory: cudaErrorNotSupported: operation not supported"));
}

}  // namespace perfspec::testing
