// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Memory of the host, and the engines that copy.
#include "simulated_gpu.hpp"

#include <cstring>

namespace perfspec::testing {

bool simulated_gpu::is_on_device(const void* at) const {
    return std::ranges::any_of(blocks_, [at](const block& b) { return range{b.at.get(), b.bytes}.has(at); });
}

bool simulated_gpu::is_pageable(const void* at) const {
    return !is_on_device(at) && std::ranges::none_of(pinned_, [at](const range& r) { return r.has(at); });
}

simulated_gpu::engine simulated_gpu::engine_of(const void* to, const void* from) const {
    if (!is_on_device(to)) return to_host;
    return is_on_device(from) ? on_device : to_device;
}

simulated_gpu::ns simulated_gpu::takes(engine by, std::size_t bytes) const {
    // A copy on the device reads and writes as much.
    const double per_ns = by == on_device ? bytes_per_ns / 2.0 : link_bytes_per_ns;
    return ns(std::llround(static_cast<double>(bytes) / per_ns));
}

simulated_gpu::ns simulated_gpu::staging(std::size_t bytes) const {
    return ns(std::llround(static_cast<double>(bytes) / staging_bytes_per_ns));
}

std::int64_t simulated_gpu::end_of_copy(const queued_copy& c, std::int64_t start) {
    std::memmove(c.to, c.from, c.bytes);
    return engine_free_at_[c.by] = start + takes(c.by, c.bytes).count();
}

/// The driver waits for the stream before it copies pageable memory to memory of its own, and behind the copy into its
/// memory.
cudaError_t simulated_gpu::copy(void* to, const void* from, std::size_t bytes, cudaStream_t on) {
    if (broken_ != cudaSuccess) return broken_;
    queued_copy next{engine_of(to, from), static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes};
    const bool from_pageable = is_pageable(from);
    const bool to_pageable = is_pageable(to);
    if (from_pageable || to_pageable) {
        drain(find(on));
        next.staged = std::make_shared<std::vector<std::byte>>(bytes);
    }
    if (from_pageable) {
        std::memcpy(next.staged->data(), from, bytes);
        processor_.advance(staging(bytes));
        next.from = next.staged->data();
    }
    if (to_pageable) next.to = next.staged->data();
    put(on, {.what = kind::copy, .copied = next});
    if (!to_pageable) return answer(cudaSuccess);
    drain(find(on));
    processor_.advance(staging(bytes));
    std::memcpy(to, next.staged->data(), bytes);
    return answer(cudaSuccess);
}

cudaError_t simulated_gpu::allocate_pinned(void** at, std::size_t bytes) {
    if (const cudaError_t before = wait_for_device(); before != cudaSuccess) return before;
    // NOLINTNEXTLINE(modernize-avoid-c-arrays)
    const block& made =
        pinned_blocks_.emplace_back(block{std::make_unique_for_overwrite<std::byte[]>(bytes), bytes, current});
    pin(*at = made.at.get(), bytes);
    return cudaSuccess;
}

cudaError_t simulated_gpu::release_pinned(void* at) {
    const cudaError_t before = wait_for_device();
    std::erase_if(pinned_, [&](const range& r) { return r.at == at; });
    std::erase_if(pinned_blocks_, [&](const block& b) { return b.at.get() == at; });
    return before;
}

}  // namespace perfspec::testing
