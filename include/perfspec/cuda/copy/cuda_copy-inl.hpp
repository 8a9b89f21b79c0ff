// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/copy/cuda_copy.hpp>
#include <perfspec/cuda/cuda_kernel.hpp>
#include <perfspec/cuda/cuda_work-inl.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/format.hpp>

#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {
namespace detail {

inline constexpr const char* pageable_note =
    "its host memory is pageable: the driver copies it to or from memory of its own, and that work of the processor is part of its times; "
    "memory of cudaHostAlloc, or registered by cudaHostRegister, is copied by the device alone";

/// Memory that `release` gives back with its last owner. Throws cuda_error where there is none.
inline std::shared_ptr<void> memory_of(const cuda_runtime& runtime, cudaError_t (*allocate)(void**, std::size_t),
                                       cudaError_t (*release)(void*), std::size_t bytes) {
    void* at = nullptr;
    if (const cudaError_t made = allocate(&at, bytes); made != cudaSuccess)
        fail_cuda(runtime, made, " (of the memory of the copy)");
    return {at, [release](void* there) { static_cast<void>(release(there)); }};
}

/// Copies by the runtime's own function, between memory that it owns.
struct copy_launch {
    const cuda_runtime* runtime{};
    std::size_t bytes{};
    std::shared_ptr<void> to{};
    std::shared_ptr<void> from{};

    void allocate(copy_direction direction, host_memory host) {
        const auto on_device = [&] { return memory_of(*runtime, runtime->allocate, runtime->release, bytes); };
        to = on_device();
        if (direction == copy_direction::on_device) {
            from = on_device();
        } else if (host == host_memory::pinned) {
            from = memory_of(*runtime, runtime->allocate_pinned, runtime->release_pinned, bytes);
            std::memset(from.get(), 1, bytes);
        } else {
            // Written to: memory that nobody wrote to is one page, which the processor's cache holds.
            const auto pageable = std::make_shared<std::vector<std::byte>>(bytes, std::byte{1});
            from = {pageable, pageable->data()};
        }
        if (direction == copy_direction::to_host) std::swap(to, from);
    }

    cudaError_t operator()(cudaStream_t stream) const { return runtime->copy_on(to.get(), from.get(), bytes, stream); }
};

cuda_work copy_of_own(std::string_view name, copy_direction direction, quantity<dimension::bytes> bytes,
                      host_memory host, const cuda_runtime& runtime) {
    copy_launch copy{.runtime = &runtime, .bytes = bytes.value >= 1.0 ? static_cast<std::size_t>(bytes.value) : 0};
    std::string fault = reason_without_device(runtime);
    if (fault.empty() && copy.bytes == 0)
        fault = "cuda_copy of " + format_value(bytes.value, dimension::bytes) +
                ": give how many bytes an iteration copies, such as 64_MiB";
    try {
        if (fault.empty()) copy.allocate(direction, host);
    } catch (const std::exception& e) { fault = e.what(); }  // of CUDA, or of the processor's memory
    const bool is_pageable = direction != copy_direction::on_device && host == host_memory::pageable;
    cuda_work made = cuda_subject(name, std::move(copy), runtime);
    if (made.state().invalid_reason.empty() && !fault.empty()) made.refuse(fault);
    if (fault.empty()) made.bytes((direction == copy_direction::on_device ? 2.0 : 1.0) * bytes.value);
    if (!is_pageable) return made;
    made.work().note = pageable_note;
    return made.host_synchronised();
}

}  // namespace detail

cuda_work cuda_copy(std::string_view name, copy_direction direction, quantity<dimension::bytes> bytes,
                    host_memory host) {
    return detail::copy_of_own(name, direction, bytes, host, detail::real_cuda_runtime());
}

}  // namespace perfspec
