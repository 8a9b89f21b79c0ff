// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_kernel.hpp>
#include <perfspec/cuda/cuda_work.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perfspec {

/// Between what a copy goes. `on_device`: both ends are in the device's memory.
enum class copy_direction : std::uint8_t { to_device, to_host, on_device };

/// What memory of the host is. `pinned`: the system keeps it where it is, and the device reads and writes it by itself.
/// `pageable`: the driver copies it to or from pinned memory of its own.
enum class host_memory : std::uint8_t { pinned, pageable };

namespace detail {

/// The two ends of a copy.
struct copy_ends {
    void* to{};
    const void* from{};
    quantity<dimension::bytes> bytes{};
};

/// What every copy has: it declares its bytes, its iterations have to bring them, and pageable memory is told. Refused
/// where the ends are none.
void declare_copy(cuda_work& made, const copy_ends& ends);

[[nodiscard]] cuda_work copy_of_own(std::string_view name, copy_direction direction, quantity<dimension::bytes> bytes,
                                    host_memory host, const cuda_runtime& runtime);
[[nodiscard]] cuda_work copy_between(std::string_view name, const copy_ends& ends, const cuda_runtime& runtime);

template <class Body>
cuda_work copy_by(std::string_view name, const copy_ends& ends, Body&& body, const cuda_runtime& runtime) {
    static_assert(std::invocable<std::decay_t<Body>&, cudaStream_t>,
                  "perfspec: the body of a copy takes the stream to work on: [&](cudaStream_t stream) { … }");
    cuda_work made = cuda_subject(name, std::forward<Body>(body), runtime);
    declare_copy(made, ends);
    return made;
}

}  // namespace detail

/// A copy of n bytes between memory of its own, by cudaMemcpyAsync on its stream. It declares its bytes: n, and on the
/// device 2 n, which are read and written, so that `device_throughput(x, bytes)` can be held against
/// `peak_bandwidth()`.
///
/// host  what the end at the host is; on the device it means nothing
///
/// `device_time` of pinned memory is that of the copy alone. That of pageable memory holds the work of the driver on
/// the processor: it is taken as `host_synchronised()` says, and a note says so. To compare both, say
/// `.host_synchronised()` of the pinned one, or compare latencies.
///
/// Every byte has to arrive: before the first sample the destination is made different and compared, and before each
/// later one a few bytes of it are. No bytes, and memory that cannot be had, make every claim *invalid*.
///
///     const auto upload = perfspec::cuda_copy("upload", perfspec::copy_direction::to_device, 64_MiB);
///     PERF_CHECK(device_throughput(upload, bytes) > 20_GBps);
[[nodiscard]] cuda_work cuda_copy(std::string_view name, copy_direction direction, quantity<dimension::bytes> bytes,
                                  host_memory host = host_memory::pinned);

/// The same between memory of yours, which the subject overwrites at `to`, and which has to outlive it. The CUDA
/// runtime tells what each end is: of cudaMalloc, pinned by cudaHostAlloc or cudaHostRegister, or pageable.
///
/// Ends of which none is on the device, managed memory, memory of another device, and ends that overlap make every
/// claim *invalid*.
///
///     perfspec::cuda_copy("upload", x_on_device, x.data(), bytes(n * sizeof(float)))
[[nodiscard]] cuda_work cuda_copy(std::string_view name, void* to, const void* from, quantity<dimension::bytes> bytes);

/// The same by a body of yours: in pieces, on several streams, or beside a kernel. It has to copy all bytes in each
/// iteration.
///
/// body  as of `cuda_kernel`; it may do other work, too, but nothing that changes the two ends
///
///     perfspec::cuda_copy("upload", to, from, 64_MiB, [&](cudaStream_t stream) { upload_in_pieces(to, from, stream);
///     })
template <class Body>
[[nodiscard]] cuda_work cuda_copy(std::string_view name, void* to, const void* from, quantity<dimension::bytes> bytes,
                                  Body&& body) {
    return detail::copy_by(name, {to, from, bytes}, std::forward<Body>(body), detail::real_cuda_runtime());
}

}  // namespace perfspec
