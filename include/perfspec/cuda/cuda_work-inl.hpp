// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_work.hpp>
#include <perfspec/cuda/runtime/cuda_stream.hpp>
#include <perfspec/cuda/timing/device_timer.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {
namespace detail {

/// The storage of a CUDA subject.
struct work_on_stream {
    work_on_stream(const cuda_runtime& runtime, std::optional<cudaStream_t> handle, stream_body launches)
        : stream(runtime, handle), body(std::move(launches)) {}

    cuda_stream stream;
    device_timer timer{stream};
    stream_body body;
    streamed_body launched{};  ///< the same, for the timer
    std::string note{};        ///< on each result

    void launch() const { stream.check(body.launch(body.self.get(), stream.handle())); }
};

[[nodiscard]] inline work_on_stream& work_at(void* self) { return *static_cast<work_on_stream*>(self); }

// Waits after each iteration. The cost of queued launches would be hidden behind the work before them, so a sample
// would take less time than as many calls.
inline void run_on_stream(void* self, std::uint64_t iterations) {
    work_on_stream& work = work_at(self);
    for (; iterations != 0; --iterations) {
        work.launch();
        work.stream.wait();
    }
    work.stream.check_launches();
}

inline constexpr body_functions functions_on_stream{
    .run = run_on_stream, .destroy = destroy_body<work_on_stream>, .prepare = [](void* self, std::uint64_t) {
        work_at(self).stream.prepare();
    }};

inline std::string caveat_on_stream(void* self) {
    const std::string& note = work_at(self).note;
    const std::string caveat = work_at(self).timer.caveat();
    return note.empty() || caveat.empty() ? note + caveat : note + "; " + caveat;
}

inline bool end_trace(void* self) {
    work_on_stream& work = work_at(self);
    work.timer.clock.end();
    work.stream.wait();
    return work.timer.accepts_sample(work.launched.name);
}

/// Reads the clock of the device within the trace, because it runs slower while the device waits for the profiler.
inline traced_iteration traced_on_stream(work_on_stream& work) {
    return {.self = &work,
            .settle = [](void* self) { work_at(self).timer.settle_cache(work_at(self).launched); },
            .begin = [](void* self) { work_at(self).timer.clock.begin(); },
            .end = end_trace};
}

cuda_work subject_on_stream(std::string_view name, stream_body body, const cuda_runtime& runtime,
                            std::optional<cudaStream_t> stream) {
    subject made{name, functions_on_stream, sizeof(work_on_stream)};
    auto& work = made.construct<work_on_stream>(runtime, stream, std::move(body));
    work.launched = {made.name(), &work, [](void* self) { work_at(self).launch(); }};
    const std::string& reason = work.stream.error_reason();
    subject_state& state = made.state();
    state.caveat = caveat_on_stream;
    state.report_slow_samples = [](void* self) { return work_at(self).timer.clock.report_slow_samples(); };
    state.device = reason.empty() ? "cuda:" + std::to_string(work.stream.device()) : "cuda";
    model_of(made).kernels = kernel_view::device;
    readings_of(made).device_ns = [](void* self) { return work_at(self).timer.time_iteration(work_at(self).launched); };
    readings_of(made).traced = traced_on_stream(work);
    if (!reason.empty()) made.refuse(reason);
    return cuda_work(made, work).cold();
}

cuda_work work_on(const subject& x, cudaStream_t stream, const cuda_runtime& runtime) {
    const std::string call = "\"" + std::string(x.name()) + "\".on(stream): ";
    if (!x.state().device.empty() || !x.state().remote.empty())
        throw input_error(call + "the subject already runs " +
                          (x.state().remote.empty() ? "on " + x.state().device : "in " + x.state().remote) +
                          ". Use a subject with a plain body: perfspec::subject(\"pipeline\", [&] { … }).on(stream)");
    if (x.state().run_load != nullptr) throw input_error(call + "write .load(step) after .on(stream)");
    if (x.state().functions->prepare != nullptr)
        throw input_error(call +
                          "the subject has a setup(make), but device_time runs several iterations in a row without a "
                          "setup. Make the inputs before the claim");
    const auto run_once = [](void* self, cudaStream_t) {
        const auto& inner = *static_cast<subject*>(self);
        return (inner.state().functions->run(inner.storage(), 1), cudaSuccess);
    };
    cuda_work made = subject_on_stream(x.name(), {std::make_shared<subject>(x), run_once}, runtime, stream);
    const std::string refused = made.state().error_reason;
    const std::string device = made.state().device;
    declare_like(made, x);
    model_of(made).kernels = kernel_view::device;
    made.state().device = device;
    if (!refused.empty()) made.refuse(refused);
    return made.hot();
}

}  // namespace detail

cuda_work& cuda_work::hot() & { return cache(detail::cache_mode::hot); }

cuda_work& cuda_work::cold() & { return cache(detail::cache_mode::cold); }

cuda_work& cuda_work::slowest_clock(percentage share) & {
    if (!(share.fraction >= 0.0 && share.fraction <= 1.0))
        refuse("slowest_clock(" + format_percentage(share.fraction) +
               "): give a share of the default clock from 0 % to 100 %: .slowest_clock(75_pct)");
    work_->timer.clock.slowest_share = share.fraction;
    return *this;
}

cuda_work& cuda_work::host_synchronized() & {
    work_->timer.timing.is_host_synchronized = true;
    note_timing();
    return *this;
}

cuda_work& cuda_work::cache(detail::cache_mode mode) {
    work_->timer.timing.cache = mode;
    note_timing();
    return *this;
}

void cuda_work::note_timing() { readings_of(*this).timing = work_->timer.timing.text(); }

inline namespace language {

cuda_work on_stream(const subject& x, cudaStream_t stream) {
    return detail::work_on(x, stream, detail::real_cuda_runtime());
}

}  // namespace language
namespace detail {

inline constexpr const char* pageable_note =
    "its host memory is pageable, so the driver copies it through a buffer, and the times include that work of the "
    "processor. The device alone copies memory from cudaHostAlloc or cudaHostRegister";

/// Memory that its last owner frees by `release`. Throws cuda_error if there is none.
inline std::shared_ptr<void> memory_of(const cuda_runtime& runtime, cudaError_t (*allocate)(void**, std::size_t),
                                       cudaError_t (*release)(void*), std::size_t bytes) {
    void* at = nullptr;
    if (const cudaError_t failed = allocate(&at, bytes); failed != cudaSuccess)
        fail_cuda(runtime, failed, " (while allocating memory for the copy)");
    return {at, [release](void* memory) { static_cast<void>(release(memory)); }};
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
            // Written, because all of untouched memory is one page, which fits into the processor's cache.
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
                " copies nothing. Give the bytes that an iteration copies, such as 64_MiB";
    try {
        if (fault.empty()) copy.allocate(direction, host);
    } catch (const std::exception& e) { fault = e.what(); }  // of CUDA, or of the processor's memory
    const bool is_pageable = direction != copy_direction::on_device && host == host_memory::pageable;
    cuda_work made = cuda_subject(name, std::move(copy), runtime);
    if (made.state().error_reason.empty() && !fault.empty()) made.refuse(fault);
    if (fault.empty()) made.bytes((direction == copy_direction::on_device ? 2.0 : 1.0) * bytes.value);
    if (!is_pageable) return made;
    made.work().note = pageable_note;
    return made.host_synchronized();
}

}  // namespace detail

cuda_work cuda_copy(std::string_view name, copy_direction direction, quantity<dimension::bytes> bytes,
                    host_memory host) {
    return detail::copy_of_own(name, direction, bytes, host, detail::real_cuda_runtime());
}

}  // namespace perfspec::inline v0_2
