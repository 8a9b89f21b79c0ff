// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/copy/cuda_copy.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/format.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace perfspec {
namespace detail {

inline constexpr const char* pageable_note =
    "its host memory is pageable: the driver copies it to or from memory of its own, and that work of the processor is part of its times; "
    "memory of cudaHostAlloc, or registered by cudaHostRegister, is copied by the device alone";

/// Memory of a copy's own, for as long as its subject lives.
class own_ends {
public:
    /// Throws cuda_error.
    own_ends(copy_direction direction, std::size_t bytes, host_memory host, const cuda_runtime& runtime)
        : own_ends(runtime) {
        std::byte* const on_device = take_device(bytes);
        std::byte* const other = direction == copy_direction::on_device ? take_device(bytes)
                                 : host == host_memory::pinned          ? take_pinned(bytes)
                                                                        : take_pageable(bytes);
        const bool is_upload = direction == copy_direction::to_device;
        to_ = is_upload ? on_device : other;
        from_ = is_upload ? other : on_device;
        fill(bytes);
    }
    own_ends(const own_ends&) = delete;
    own_ends& operator=(const own_ends&) = delete;
    ~own_ends() {
        for (void* const at : on_device_) static_cast<void>(runtime_.release(at));
        if (pinned_ != nullptr) static_cast<void>(runtime_.release_pinned(pinned_));
    }

    [[nodiscard]] void* to() const noexcept { return to_; }
    [[nodiscard]] const void* from() const noexcept { return from_; }

private:
    /// Behind this constructor the destructor gives back what was taken, also where the other one throws.
    explicit own_ends(const cuda_runtime& runtime) : runtime_(runtime) {}

    void need(cudaError_t returned) const {
        if (returned != cudaSuccess) fail_cuda(runtime_, returned, " (of the memory of the copy)");
    }
    std::byte* take_device(std::size_t bytes) {
        void* at = nullptr;
        need(runtime_.allocate(&at, bytes));
        on_device_.push_back(at);
        return static_cast<std::byte*>(at);
    }
    std::byte* take_pinned(std::size_t bytes) {
        need(runtime_.allocate_pinned(&pinned_, bytes));
        return static_cast<std::byte*>(pinned_);
    }
    std::byte* take_pageable(std::size_t bytes) {
        pageable_.resize(bytes);
        return pageable_.data();
    }
    /// Memory that nobody wrote to is one page that the processor's cache holds.
    void fill(std::size_t bytes) {
        std::vector<std::byte> pattern(std::min(bytes, compared_at_once));
        for (std::size_t i = 0; i < pattern.size(); ++i) pattern[i] = static_cast<std::byte>(i % 251);
        for (std::size_t at = 0; at < bytes; at += pattern.size())
            for (std::byte* const end : {to_, from_})
                need(runtime_.copy(end + at, pattern.data(), std::min(pattern.size(), bytes - at)));
    }

    const cuda_runtime& runtime_;
    std::vector<void*> on_device_{};
    void* pinned_{};
    std::vector<std::byte> pageable_{};
    std::byte* to_{};
    std::byte* from_{};
};

/// Copies by the runtime's own function.
struct copy_launch {
    const cuda_runtime* runtime;
    copy_ends ends;
    std::shared_ptr<const own_ends> own{};

    cudaError_t operator()(cudaStream_t stream) const {
        return runtime->copy_on(ends.to, ends.from, static_cast<std::size_t>(ends.bytes.value), stream);
    }
};

/// One end of a copy, as the runtime tells it.
struct known_end {
    cudaMemoryType type{cudaMemoryTypeUnregistered};
    std::string fault{};  ///< why it cannot be copied; empty: it can
};

inline const char* type_text(cudaMemoryType type) {
    return type == cudaMemoryTypeDevice ? "on the device" : type == cudaMemoryTypeHost ? "pinned" : "pageable";
}

/// role  "copies from"
inline known_end look_at_end(const cuda_stream& stream, const void* at, std::size_t bytes, const std::string& role) {
    if (at == nullptr)
        return {.fault = "the memory that it " + role + " is null: give what cudaMalloc, cudaHostAlloc or new gave"};
    memory_place first;
    memory_place last;
    int device = 0;
    stream.need(stream.runtime().place_of(&first, at), " (of the memory of the copy)");
    stream.need(stream.runtime().place_of(&last, static_cast<const std::byte*>(at) + bytes - 1),
                " (of the memory of the copy)");
    stream.need(stream.runtime().current_device(&device), " (of the current device)");
    if (first.type == cudaMemoryTypeManaged)
        return {.fault = "the memory that it " + role +
                         " is managed, so nobody knows where it is: give memory of cudaMalloc or cudaHostAlloc"};
    if (first.type != last.type)
        return {.fault = "the memory that it " + role + " is " + type_text(first.type) + " at its beginning and " +
                         type_text(last.type) +
                         " at its end: register all of it by cudaHostRegister, or copy fewer bytes"};
    if (first.type == cudaMemoryTypeDevice && first.device != device)
        return {.fault = "the memory that it " + role + " is on cuda:" + std::to_string(first.device) +
                         ", and the subject works on cuda:" + std::to_string(device) +
                         ": measure a copy between devices by cuda_kernel(name, body)"};
    return {.type = first.type};
}

inline bool do_overlap(const copy_ends& ends, std::size_t bytes) {
    const std::less<const std::byte*> before;
    const auto* const to = static_cast<const std::byte*>(ends.to);
    const auto* const from = static_cast<const std::byte*>(ends.from);
    return before(to, from + bytes) && before(from, to + bytes);
}

/// Declares what the runtime tells of both ends. Throws cuda_error.
inline void declare_ends(cuda_work& made, const copy_ends& ends, std::size_t bytes) {
    work_on_stream& work = made.work();
    const known_end from = look_at_end(work.stream, ends.from, bytes, "copies from");
    const known_end to = look_at_end(work.stream, ends.to, bytes, "copies to");
    if (!from.fault.empty() || !to.fault.empty()) return made.refuse(from.fault.empty() ? to.fault : from.fault);
    const bool on_device = from.type == cudaMemoryTypeDevice && to.type == cudaMemoryTypeDevice;
    if (from.type != cudaMemoryTypeDevice && to.type != cudaMemoryTypeDevice)
        return made.refuse("neither end of the copy is on the device: give memory of cudaMalloc at one");
    if (do_overlap(ends, bytes)) return made.refuse("the two ends of the copy overlap: give memory of their own");
    made.bytes((on_device ? 2.0 : 1.0) * static_cast<double>(bytes));
    work.copied = std::make_unique<copied_bytes>(work.stream, ends.to, ends.from, bytes);
    if (from.type != cudaMemoryTypeUnregistered && to.type != cudaMemoryTypeUnregistered) return;
    made.host_synchronised();
    work.note = pageable_note;
}

inline std::string fault_of_size(quantity<dimension::bytes> bytes) {
    if (bytes.value >= 1.0) return {};
    return "cuda_copy of " + format_value(bytes.value, dimension::bytes) +
           ": give how many bytes an iteration copies, such as 64_MiB";
}

void declare_copy(cuda_work& made, const copy_ends& ends) {
    if (!made.state().invalid_reason.empty()) return;  // without a device nobody tells of memory
    if (const std::string fault = fault_of_size(ends.bytes); !fault.empty()) return made.refuse(fault);
    try {
        declare_ends(made, ends, static_cast<std::size_t>(ends.bytes.value));
    } catch (const cuda_error& e) { made.refuse(e.what()); }
}

cuda_work copy_between(std::string_view name, const copy_ends& ends, const cuda_runtime& runtime) {
    return copy_by(name, ends, copy_launch{&runtime, ends}, runtime);
}

cuda_work copy_of_own(std::string_view name, copy_direction direction, quantity<dimension::bytes> bytes,
                      host_memory host, const cuda_runtime& runtime) {
    const copy_ends none{nullptr, nullptr, bytes};
    if (!reason_without_device(runtime).empty() || !fault_of_size(bytes).empty())
        return copy_between(name, none, runtime);
    try {
        const auto own =
            std::make_shared<const own_ends>(direction, static_cast<std::size_t>(bytes.value), host, runtime);
        const copy_ends ends{own->to(), own->from(), bytes};
        return copy_by(name, ends, copy_launch{&runtime, ends, own}, runtime);
    } catch (const std::exception& e) {  // of CUDA, or of the processor's memory
        cuda_work made = copy_between(name, none, runtime);
        made.refuse(e.what());
        return made;
    }
}

}  // namespace detail

cuda_work cuda_copy(std::string_view name, copy_direction direction, quantity<dimension::bytes> bytes,
                    host_memory host) {
    return detail::copy_of_own(name, direction, bytes, host, detail::real_cuda_runtime());
}

cuda_work cuda_copy(std::string_view name, void* to, const void* from, quantity<dimension::bytes> bytes) {
    return detail::copy_between(name, {to, from, bytes}, detail::real_cuda_runtime());
}

}  // namespace perfspec
