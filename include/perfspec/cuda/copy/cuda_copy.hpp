// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_work.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <cstdint>
#include <string_view>

namespace perfspec {

/// Between what a copy goes. `on_device`: both ends are in the device's memory.
enum class copy_direction : std::uint8_t { to_device, to_host, on_device };

/// What memory of the host is. `pinned`: the system keeps it where it is, and the device reads and writes it by itself.
/// `pageable`: the driver copies it to or from pinned memory of its own.
enum class host_memory : std::uint8_t { pinned, pageable };

namespace detail {

[[nodiscard]] cuda_work copy_of_own(std::string_view name, copy_direction direction, quantity<dimension::bytes> bytes,
                                    host_memory host, const cuda_runtime& runtime);

}  // namespace detail

/// A copy of n bytes between memory of its own, by cudaMemcpyAsync on its stream. It declares its bytes: n, and on the
/// device 2 n, which are read and written, so that `device_throughput(x, bytes)` can be held against
/// `peak_bandwidth()`. A copy between memory of yours is a `cuda_kernel` whose body calls cudaMemcpyAsync.
///
/// host  what the end at the host is; on the device it means nothing
///
/// `device_time` of pinned memory is that of the copy alone. That of pageable memory holds the work of the driver on
/// the processor: it is taken as `host_synchronised()` says, and a note says so. To compare both, say
/// `.host_synchronised()` of the pinned one, or compare latencies.
///
/// No bytes, and memory that cannot be had, make every claim *invalid*.
///
///     const auto upload = perfspec::cuda_copy("upload", perfspec::copy_direction::to_device, 64_MiB);
///     PERF_CHECK(device_throughput(upload, bytes) > 20_GBps);
[[nodiscard]] cuda_work cuda_copy(std::string_view name, copy_direction direction, quantity<dimension::bytes> bytes,
                                  host_memory host = host_memory::pinned);

}  // namespace perfspec
