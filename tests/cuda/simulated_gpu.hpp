// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>

#include <deque>
#include <list>

#include "../run/scripted_run.hpp"

namespace perfspec::testing {

/// A kernel on a stream.
struct simulated_kernel {
    std::chrono::nanoseconds cold{};
    std::chrono::nanoseconds warm{cold};  ///< if its data are in the L2 cache
    int data = 0;                         ///< that it reads; 0: none
    std::size_t bytes = 0;                ///< of its data
    int code = 0;                         ///< that its first launch loads
    cudaError_t fault = cudaSuccess;      ///< that it ends with
    const char* name = "kernel";          ///< null: it is none, and takes time all the same
};

/// Work of a GPU in a profile.
struct seen_work {
    enum class kind : std::uint8_t { kernel, fill, copy_to_device, copy_to_host, copy_on_device };
    kind what{};
    const char* name{};  ///< of a kernel
    std::int64_t start_ns{};
    std::int64_t end_ns{};
};

/// A graph: kernels one after the other.
struct simulated_graph {
    std::vector<simulated_kernel> nodes{};
};

/// A GPU with streams, events, an L2 cache and memory. It moves the clock of the processor while the processor works or
/// waits. Streams work by themselves up to the time of that clock. The last GPU made is in force.
class simulated_gpu {
public:
    using ns = std::chrono::nanoseconds;

    explicit simulated_gpu(working_clock& processor) : processor_(processor) { now = this; }
    simulated_gpu(const simulated_gpu&) = delete;
    simulated_gpu& operator=(const simulated_gpu&) = delete;
    ~simulated_gpu() { now = nullptr; }

    std::size_t cache_bytes = std::size_t{50} << 20U;
    std::size_t memory_bytes = std::size_t{80} << 30U;
    std::size_t memory_of_others = 0;        ///< of other processes
    cudaError_t memory_error = cudaSuccess;  ///< of the query of its use
    ns launch_cost{5'000};                   ///< time of the processor for each call that queues work
    ns launch_latency{3'000};                ///< until the device sees queued work
    ns event_tick{500};
    ns event_takes{0};  ///< time of the device
    int default_kilohertz = 2'000'000;
    std::map<cudaDeviceAttr, int> attributes{{cudaDevAttrComputeCapabilityMajor, 9},
                                             {cudaDevAttrMultiProcessorCount, 132},
                                             {cudaDevAttrMemoryClockRate, 2'619'000},
                                             {cudaDevAttrGlobalMemoryBusWidth, 5'120},
                                             {cudaDevAttrComputeCapabilityMinor, 0}};
    /// Its clock at a time, as a share of the default clock: all work takes longer by its inverse.
    std::function<double(std::int64_t at)> clock_share = [](std::int64_t) { return 1.0; };
    cudaError_t clock_error = cudaSuccess;  ///< of the calls that read the clocks
    int unread_stamps = 0;                  ///< readings of the clocks that fail silently
    std::vector<ns> rests{};                ///< pauses for cooling
    std::function<void(const seen_work&)> profiler = [](const seen_work&) {};
    double bytes_per_ns = 2'000.0;    ///< of a fill, and of a copy on the device
    double link_bytes_per_ns = 25.0;  ///< of a copy between the host and the device, in each direction
    double staging_bytes_per_ns =
        10.0;  ///< of the processor, which copies pageable memory to or from pinned memory of the driver
    std::size_t queue_room = 1'024;        ///< of a stream; the call that finds it full waits
    cudaError_t last_error = cudaSuccess;  ///< of a failed call
    cudaError_t hold_error = cudaSuccess;  ///< of a stream by a flag
    bool sees_every_stream = true;
    ns wait_for_others_takes{0};            ///< even if there is no one to wait for
    cudaError_t count_error = cudaSuccess;  ///< of the query of devices
    int driver = 13'000;                    ///< its version
    int devices = 1;                        ///< that the driver counts
    int current = 0;                        ///< the device of calls, streams and events

    /// Puts a kernel on a stream, as <<<>>> does.
    void launch(cudaStream_t stream, const simulated_kernel& kernel);
    [[nodiscard]] cudaStream_t make_stream();
    [[nodiscard]] std::size_t count_streams() const { return streams_.size(); }
    /// A place in a stream's queue, for others to wait for: an event that takes no time.
    using place = std::shared_ptr<std::optional<std::int64_t>>;  // when the stream got there
    /// cudaEventRecord.
    [[nodiscard]] place place_on(cudaStream_t stream);
    /// cudaStreamWaitEvent.
    void wait_on(cudaStream_t stream, const place& there);
    /// Puts a graph on a stream.
    cudaError_t launch(cudaStream_t stream, const simulated_graph& graph);
    /// From now on every call fails.
    void lose(cudaError_t how) { broken_ = how; }
    /// cudaDeviceSynchronize.
    cudaError_t wait_for_device();
    /// cudaMallocAsync and cudaFreeAsync, without a queue. The pool takes memory of the device in blocks of 32 MiB, and
    /// keeps it.
    void take_from_pool(std::size_t bytes);
    void give_to_pool(std::size_t bytes) { pool_used_ -= bytes; }
    int live_events = 0;  ///< created and not destroyed
    [[nodiscard]] bool has_pinned_memory() const { return !pinned_blocks_.empty(); }
    /// cudaHostRegister.
    void pin(const void* at, std::size_t bytes) { pinned_.push_back({static_cast<const std::byte*>(at), bytes}); }
    /// cudaMemcpyAsync: copies of one direction take turns on all streams, and kernels run beside them.
    cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaStream_t on);
    /// The bytes that are allocated now.
    [[nodiscard]] std::size_t allocated() const;

    static const detail::cuda_runtime& runtime() noexcept;

private:
    enum class kind : std::uint8_t { kernel, fill, wait, event, stamp, place, wait_for_place, copy };
    enum engine : std::uint8_t { to_device, to_host, on_device };
    /// A copy in a queue: what it reads when it begins.
    struct queued_copy {
        engine by{};
        std::byte* to{};
        const std::byte* from{};
        std::size_t bytes{};
        std::shared_ptr<std::vector<std::byte>> staged{};  ///< memory of the driver, at one end
    };
    struct range {
        const std::byte* at{};
        std::size_t bytes{};

        [[nodiscard]] bool has(const void* p) const {
            const std::less_equal<const std::byte*> up_to;
            const auto* const b = static_cast<const std::byte*>(p);
            return up_to(at, b) && !up_to(at + bytes, b);
        }
    };
    struct operation {
        kind what{};
        std::int64_t seen_at{};  ///< by the device
        simulated_kernel kernel{};
        std::uint32_t* flag{};
        std::int64_t* stamp{};  ///< of an event
        detail::clock_stamp* clocks{};
        place there{};
        queued_copy copied{};
    };
    struct stream {
        int device{};
        std::deque<operation> queue{};
        std::int64_t free_at{};
    };
    struct event {
        int device{};
        std::int64_t stamp{};
    };
    struct block {
        std::unique_ptr<std::byte[]> at{};  // NOLINT(modernize-avoid-c-arrays): unused pages cost nothing
        std::size_t bytes{};
        int device{};
    };
    struct watch;
    struct memory_watch;

    [[nodiscard]] std::int64_t time() { return processor_.now(); }
    void wait_until(std::int64_t at);
    void put(cudaStream_t on, operation next);
    void run_until(std::int64_t at);
    [[nodiscard]] std::optional<std::int64_t> next_start(const stream& s) const;
    std::int64_t end_of_copy(const queued_copy& c, std::int64_t start);
    [[nodiscard]] bool is_on_device(const void* at) const;
    [[nodiscard]] bool is_pageable(const void* at) const;
    [[nodiscard]] engine engine_of(const void* to, const void* from) const;
    [[nodiscard]] ns takes(engine by, std::size_t bytes) const;
    [[nodiscard]] ns staging(std::size_t bytes) const;
    cudaError_t allocate_pinned(void** at, std::size_t bytes);
    cudaError_t release_pinned(void* at);
    [[nodiscard]] stream* next_to_start();
    void run_next(stream& s, std::int64_t at);
    void trace(const operation& op, std::int64_t start, std::int64_t end) const;
    void let_time_pass();
    cudaError_t hold_others(cudaStream_t behind);
    cudaError_t wait_for_others(cudaStream_t waits);
    std::uint64_t cycles_until(std::int64_t at);
    std::int64_t end_of(const operation& op, std::int64_t start);
    bool is_cached(std::int64_t data, std::size_t bytes);
    void drain(stream& s);
    void end_hold();
    void look_at_watch();
    [[nodiscard]] stream& find(cudaStream_t handle);
    cudaError_t record(cudaEvent_t which, cudaStream_t on);
    cudaError_t answer(cudaError_t found) { return broken_ != cudaSuccess ? broken_ : found; }
    cudaError_t allocate(void** at, std::size_t bytes);
    cudaError_t release(void* at);

    working_clock& processor_;
    std::list<stream> streams_{};
    std::list<event> events_{};
    std::list<block> blocks_{};
    std::list<block> pinned_blocks_{};
    std::vector<range> pinned_{};
    std::array<std::int64_t, 3> engine_free_at_{};
    std::list<std::pair<std::int64_t, std::size_t>> cache_{};  ///< most recent use first
    std::set<int> loaded_{};
    place all_wait_for_{};      ///< even streams that are made later
    std::int64_t cycles_at_{};  ///< the time of that count
    double cycles_{};
    watch* watch_{};
    memory_watch* memory_watch_{};
    std::size_t pool_used_{};
    std::size_t pool_most_{};
    std::size_t pool_reserved_{};
    cudaError_t broken_ = cudaSuccess;  ///< by a kernel that failed: no later call works

    static inline simulated_gpu* now = nullptr;
};

}  // namespace perfspec::testing
