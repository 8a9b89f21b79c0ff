// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::testing {

/// A device whose answers a test sets; every call is noted, by its name. The one in force is the last one made.
class scripted_cuda {
public:
    scripted_cuda() noexcept { now = this; }
    scripted_cuda(const scripted_cuda&) = delete;
    scripted_cuda& operator=(const scripted_cuda&) = delete;
    ~scripted_cuda() { now = nullptr; }

    int devices = 1;
    int current = 0;
    int driver = 12'040;  ///< its version
    cudaError_t counting = cudaSuccess;
    cudaError_t creating = cudaSuccess;
    cudaError_t device_work = cudaSuccess;
    cudaError_t last_error = cudaSuccess;
    cudaError_t event = cudaSuccess;  ///< of every call on events
    cudaError_t holding = cudaSuccess;
    float between_events_ms = 0.25F;
    std::function<void()> device_work_takes = [] {};  ///< called where the device is waited for
    std::vector<std::string> calls{};

    static cudaStream_t stream() noexcept {
        return reinterpret_cast<cudaStream_t>(&here);
    }  // NOLINT: never looked into
    static const detail::cuda_runtime& runtime() noexcept {
        static constexpr detail::cuda_runtime scripted{
            .device_count = [](int* count) { return (*count = now->devices, now->note("count", now->counting)); },
            .driver_version = [](int* version) { return (*version = now->driver, cudaSuccess); },
            .runtime_version = [](int* version) { return (*version = 13'000, cudaSuccess); },
            .create_stream = [](cudaStream_t* made) { return (*made = stream(), now->note("create", now->creating)); },
            .destroy_stream = [](cudaStream_t) { return now->note("destroy", cudaSuccess); },
            .wait_for_device =
                [] { return (now->device_work_takes(), now->note("wait for device", now->device_work)); },
            .create_event =
                [](cudaEvent_t* made) {
                    *made = reinterpret_cast<cudaEvent_t>(&now->events_.emplace_back());  // NOLINT
                    return now->note("create event", now->event);
                },
            .destroy_event = [](cudaEvent_t) { return now->note("destroy event", cudaSuccess); },
            .record_event =
                [](cudaEvent_t e, cudaStream_t) {
                    *reinterpret_cast<int*>(e) = now->waits_for_others_;  // NOLINT
                    return now->note("record event", now->event);
                },
            .elapsed_ms =
                [](float* ms, cudaEvent_t from, cudaEvent_t to) {
                    const bool waited = *reinterpret_cast<int*>(from) != *reinterpret_cast<int*>(to);  // NOLINT
                    return (*ms = waited ? 0.0F : now->between_events_ms, now->note("elapsed", now->event));
                },
            .take_last_error = [] { return now->note("last error", std::exchange(now->last_error, cudaSuccess)); },
            .current_device = [](int* device) { return (*device = now->current, cudaSuccess); },
            .attribute = [](int* value, cudaDeviceAttr, int) { return (*value = 1 << 20, cudaSuccess); },
            .allocate = [](void** at, std::size_t) { return (*at = &here, now->note("allocate", cudaSuccess)); },
            .release = [](void*) { return now->note("free", cudaSuccess); },
            .fill = [](void*, int, std::size_t, cudaStream_t) { return now->note("flush", cudaSuccess); },
            .allocate_pinned =
                [](void** at, std::size_t) {
                    return (*at = &now->pinned_.emplace_back(), now->note("allocate pinned", cudaSuccess));
                },
            .release_pinned = [](void*) { return now->note("free pinned", cudaSuccess); },
            .copy_on = [](void*, const void*, std::size_t,
                          cudaStream_t) { return now->note("copy on stream", cudaSuccess); },
            .wait_for_flag = [](cudaStream_t, std::uint32_t*) { return now->note("hold", now->holding); },
            .sees_every_stream = [] { return true; },
            .hold_others = [](cudaStream_t, cudaEvent_t) { return now->note("hold others", cudaSuccess); },
            .wait_for_others =
                [](cudaStream_t, cudaEvent_t) {
                    return (++now->waits_for_others_, now->note("wait for others", cudaSuccess));
                },
            .stamp =
                [](cudaStream_t, detail::clock_stamp* into) {
                    now->last_stamp_ += 1000;
                    return (*into = {now->last_stamp_, now->last_stamp_}, now->note("stamp", cudaSuccess));
                },
            .rest = [](std::chrono::nanoseconds) { now->note("rest", cudaSuccess); },
            .memory_use = [](detail::device_memory_use*, int) { return now->note("memory", cudaSuccess); },
            .restart_memory_peaks = [](int) { return now->note("restart peaks", cudaSuccess); },
            .watch_plain_memory = [](int, std::atomic<std::uint64_t>&) { return std::shared_ptr<void>(); },
            .watch =
                [](std::uint32_t*, std::chrono::nanoseconds) {
                    now->note("watch", cudaSuccess);
                    return std::shared_ptr<void>();
                },
        };
        return scripted;
    }

private:
    cudaError_t note(const char* call, cudaError_t answer) {
        calls.emplace_back(call);
        return answer;
    }

    std::list<std::array<detail::clock_stamp, 2>> pinned_{};
    std::uint64_t last_stamp_{};
    std::list<int> events_{};  ///< after how many waits for other streams each was recorded last
    int waits_for_others_{};

    static inline scripted_cuda* now = nullptr;
    static inline char here = 0;
};

}  // namespace perfspec::testing
