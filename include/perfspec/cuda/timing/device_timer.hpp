// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_stream.hpp>
#include <perfspec/cuda/timing/sm_clock.hpp>
#include <perfspec/explain/kernel_times.hpp>
#include <perfspec/measure/failure.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The time after which a stream is released without a complete batch, because the body waits for the held device.
inline constexpr std::chrono::nanoseconds longest_hold = std::chrono::seconds{2};

/// Holds a stream while it lives. Work on the stream waits in its queue, so that the device does not wait for the
/// processor between two launches, whose latency then does not count.
///
/// Source: the blocking kernel of NVBench (nvbench/blocking_kernel.cu). A memory operation of the stream waits here
/// instead of a kernel.
class stream_hold {
public:
    /// flag  in pinned memory. Throws `cuda_error`.
    stream_hold(const cuda_stream& stream, std::uint32_t* flag) : flag_(flag) {
        std::atomic_ref(*flag_).store(hold_flag::held);
        watch_ = stream.runtime().watch(flag_, longest_hold);
        stream.need(
            stream.runtime().wait_for_flag(stream.handle(), flag_),
            " (while holding the stream, which keeps launches out of device_time. If the driver cannot hold it, write "
            ".host_synchronized())");
    }
    stream_hold(const stream_hold&) = delete;
    stream_hold& operator=(const stream_hold&) = delete;
    ~stream_hold() { static_cast<void>(release()); }

    /// Lets the stream work. False if the time-out did so before: the device has worked on an incomplete batch.
    [[nodiscard]] bool release() noexcept {
        std::uint32_t expected = hold_flag::held;
        std::atomic_ref(*flag_).compare_exchange_strong(expected, hold_flag::released);
        watch_.reset();
        return expected != hold_flag::timed_out;
    }

private:
    std::uint32_t* flag_;
    std::shared_ptr<void> watch_;
};

/// The L2 cache at the start of an iteration. cold: without data of the body. hot: with those of the iteration before.
enum class cache_mode : std::uint8_t { cold, hot };

/// How `device_time` takes the time of one subject.
struct device_timing {
    cache_mode cache{cache_mode::cold};
    bool is_host_synchronized{};

    /// The fact of records and keys: "cold", "hot-synchronized".
    [[nodiscard]] std::string text() const {
        return std::string(cache == cache_mode::cold ? "cold" : "hot") + (is_host_synchronized ? "-synchronized" : "");
    }
};

/// Remedies for bodies that cannot be timed, for messages.
struct timing_advice {
    std::string_view waits;         ///< for the device, while its stream is held
    std::string_view leaves_empty;  ///< its stream
    std::string_view leaves_work;   ///< on another stream
    std::string_view repeats_late;  ///< each iteration waits for the last one
};

inline constexpr timing_advice advice_on_cuda_bodies{
    .waits =
        "device_time needs a body that only queues its work, in at most about 1000 launches. Remove calls that wait "
        "from the body, such as cudaMemcpy, cudaMemcpyAsync of pageable memory, cudaMalloc or cudaDeviceSynchronize. "
        "Or include the time that the device waits: .host_synchronized()",
    .leaves_empty = "Launch the body's work on its parameter stream: kernel<<<grid, block, 0, stream>>>(…)",
    .leaves_work = join_to_stream,
    .repeats_late = {}};

/// Events resolve half a microsecond; a sample is a hundred times as long.
/// Source: CUDA Runtime API, cudaEventElapsedTime.
inline constexpr double event_tick_ns = 500.0;
inline constexpr double shortest_device_sample_ns = 100.0 * event_tick_ns;

/// The most iterations of a sample. No kernel ends in a 256th of the shortest sample, 0.2 us: such a body has left the
/// stream empty. The queue of a held stream takes some 1000 launches.
inline constexpr std::uint64_t max_device_iterations = 256;

/// Two events with nothing between them are a microsecond or two apart. A shorter cold iteration than this may be
/// empty.
inline constexpr double may_be_only_events_ns = 10.0 * event_tick_ns;

/// The work after which an idle GPU has its full clock. It writes memory of this size, or of the cache's.
inline constexpr double work_to_rise_ns = 1e8;
inline constexpr std::size_t written_to_rise = std::size_t{32} << 20U;

/// Times iterations by events on their stream.
class device_timer {
public:
    /// The stream must outlive the timer.
    explicit device_timer(const cuda_stream& stream) : clock(stream), stream_(stream), others_(stream) {}
    device_timer(const device_timer&) = delete;
    device_timer& operator=(const device_timer&) = delete;
    ~device_timer() {
        const cuda_runtime& runtime = stream_.runtime();
        for (const cudaEvent_t e : events_) static_cast<void>(runtime.destroy_event(e));
        if (flag_ != nullptr) static_cast<void>(runtime.release_pinned(flag_));
        if (written_ != nullptr) static_cast<void>(runtime.release(written_));
    }

    device_timing timing{};
    const timing_advice* advice{&advice_on_cuda_bodies};
    sm_clock_meter clock;

    /// Nanoseconds of one iteration, from a sample of at least `shortest_device_sample_ns` that is not throttled.
    ///
    /// Throws `cuda_error`; measurement_failure (refused) for a body that waits for its device while the stream is
    /// held, for one that leaves the stream empty, or work on others, and for a device that is mostly throttled.
    [[nodiscard]] double time_iteration(const streamed_body& body) {
        for (;;) {
            raise_clock();
            if (iterations_ == 0) choose_iterations(body);
            double sample_ns = time_sample(body, iterations_);
            for (; sample_ns < shortest_device_sample_ns; sample_ns = time_sample(body, iterations_))
                iterations_ = more_iterations(body, iterations_);
            if (!timing.is_host_synchronized) static_cast<void>(others_.were_late(body.name, advice->leaves_work));
            if (!accepts_sample(body.name)) continue;
            require_work(body, sample_ns);
            return sample_ns / static_cast<double>(iterations_);
        }
    }

    /// Prepares the cache for a timed iteration, and waits for that. Throws `cuda_error`.
    void settle_cache(const streamed_body& body) {
        raise_clock();
        make_ready(0);
        if (timing.cache == cache_mode::cold) flush();
        if (timing.cache == cache_mode::hot) launch(body, 1);
        stream_.wait();
        stream_.check_launches();
    }

    /// Whether the last sample counts. The first slow one is repeated after the clock was raised, because the device
    /// may have been idle. Throws like `sm_clock_meter::accepts_sample`.
    [[nodiscard]] bool accepts_sample(std::string_view name) {
        const bool may_have_idled = !std::exchange(may_have_idled_, false) && clock.may_have_idled();
        if (!may_have_idled) return clock.accepts_sample(name);
        may_have_idled_ = true;
        has_raised_clock_ = false;
        return false;
    }

    /// A note on the samples since the last call, or empty.
    [[nodiscard]] std::string caveat() {
        const std::string of_clock = clock.caveat();
        const std::string of_others = timing.is_host_synchronized ? std::string{} : others_.caveat();
        return of_clock.empty() || of_others.empty() ? of_clock + of_others : of_clock + "; " + of_others;
    }

    /// The bytes of the L2 cache. Throws `cuda_error`.
    [[nodiscard]] std::size_t cache_bytes() const {
        const char* const when =
            " (while reading the size of the L2 cache, which device_time flushes. To keep the cache, write .hot())";
        int device = 0;
        int bytes = 0;
        stream_.need(stream_.runtime().current_device(&device), when);
        stream_.need(stream_.runtime().attribute(&bytes, cudaDevAttrL2CacheSize, device), when);
        if (bytes <= 0) stream_.need(cudaErrorNotSupported, when);
        return static_cast<std::size_t>(bytes);
    }

private:
    [[nodiscard]] double time_sample(const streamed_body& body, std::uint64_t iterations) {
        return timing.cache == cache_mode::cold ? time_batches(body, iterations, 1) : time_in_a_row(body, iterations);
    }

    [[nodiscard]] double time_in_a_row(const streamed_body& body, std::uint64_t iterations) {
        return time_batches(body, 1, iterations);
    }

    /// Nanoseconds of batches with events around each. Flushes the cache before a single cold iteration. The device
    /// starts when all are in the queue of its stream, unless the body is host-synchronized. Throws for a body that
    /// waits, and for failed work.
    [[nodiscard]] double time_batches(const streamed_body& body, std::uint64_t batches, std::uint64_t iterations) {
        make_ready(2 * batches);
        // Other work may have used the cache since the last sample. It is warmed before the hold, because a held queue
        // has little room.
        if (timing.cache == cache_mode::hot) launch(body, 1);
        std::optional<stream_hold> hold;
        if (!timing.is_host_synchronized) hold.emplace(stream_, flag_);
        clock.begin();
        for (std::size_t i = 0; i < batches; ++i) {
            if (iterations == 1 && timing.cache == cache_mode::cold) flush();
            if (hold) others_.hold();  // or work that waits for nothing would be done during the flush
            record(2 * i);
            launch(body, iterations);
            record(2 * i + 1);
        }
        clock.end();
        if (hold) others_.end();
        const bool was_complete = !hold || hold->release();
        stream_.wait();
        stream_.check_launches();
        if (!was_complete)
            throw measurement_failure(failure_kind::refused,
                                      "\"" + std::string(body.name) + "\" did not return within " +
                                          std::to_string(longest_hold.count() / 1'000'000'000) +
                                          " s while its stream was held, so it waits for the device. " +
                                          std::string(advice->waits));
        double sum = 0.0;
        for (std::size_t i = 0; i < batches; ++i) sum += elapsed_ns(2 * i, 2 * i + 1);
        return sum;
    }

    [[nodiscard]] double elapsed_ns(std::size_t from, std::size_t to) const {
        float milliseconds = 0;
        stream_.need(stream_.runtime().elapsed_ms(&milliseconds, events_[from], events_[to]),
                     " (while reading the time between two events)");
        return std::round(1e6 * static_cast<double>(milliseconds));
    }

    void flush() const {
        stream_.need(stream_.runtime().fill(written_, 0, written_bytes_, stream_.handle()),
                     " (while flushing the L2 cache)");
    }

    void record(std::size_t event) {
        stream_.need(stream_.runtime().record_event(events_[event], stream_.handle()),
                     " (while recording an event that takes the time)");
    }

    /// Allocates events and memory of a batch, before the hold, because allocating waits for the device.
    void make_ready(std::size_t events) {
        const cuda_runtime& runtime = stream_.runtime();
        while (events_.size() < events) {
            cudaEvent_t event{};
            stream_.need(runtime.create_event(&event), " (while creating an event that takes the time)");
            events_.push_back(event);
        }
        if (flag_ == nullptr && !timing.is_host_synchronized) {
            void* at = nullptr;
            stream_.need(runtime.allocate_pinned(&at, sizeof(std::uint32_t)),
                         " (while allocating the flag that holds the stream)");
            flag_ = static_cast<std::uint32_t*>(at);
        }
        clock.make_ready();
        if (!timing.is_host_synchronized) others_.make_ready();
        if (timing.cache == cache_mode::cold) make_written(cache_bytes());
    }

    void make_written(std::size_t bytes) {
        if (written_bytes_ >= bytes) return;
        if (written_ != nullptr) static_cast<void>(stream_.runtime().release(written_));
        written_bytes_ = 0;
        written_ = nullptr;
        stream_.need(stream_.runtime().allocate(&written_, bytes), " (while allocating memory to flush the L2 cache)");
        written_bytes_ = bytes;
    }

    /// Chooses the iterations of a sample, by iterations in a row, because events around each iteration would take time
    /// of their own.
    void choose_iterations(const streamed_body& body) {
        make_ready(2);
        // The first launch of a kernel loads it, which may need an idle device: no hold.
        launch(body, 1);
        stream_.wait();
        stream_.check_launches();
        std::uint64_t iterations = 1;
        double sample_ns = time_in_a_row(body, iterations);
        while (sample_ns < shortest_device_sample_ns) {
            iterations = more_iterations(body, iterations);
            sample_ns = time_in_a_row(body, iterations);
        }
        if (!timing.is_host_synchronized) look_for_other_streams(body, iterations, sample_ns);
        iterations_ = iterations;
    }

    /// Throws if the body no longer puts work on the stream, so that a cold iteration is only that of its events: the
    /// most iterations of a queue take no time in a row.
    void require_work(const streamed_body& body, double sample_ns) {
        if (timing.cache == cache_mode::hot || sample_ns >= may_be_only_events_ns * static_cast<double>(iterations_))
            return;
        if (2.0 * time_in_a_row(body, iterations_) >= shortest_device_sample_ns) return;
        const std::uint64_t most = most_iterations(body);
        if (time_in_a_row(body, most) < shortest_device_sample_ns) static_cast<void>(more_iterations(body, most));
    }

    /// Keeps the device busy, since the clock of an idle GPU is low at first, which is no throttling. Does not run the
    /// body, which may have no more inputs. Does nothing without memory.
    void raise_clock() {
        constexpr int writes = 16;
        if (std::exchange(has_raised_clock_, true)) return;
        make_ready(2);
        try {
            if (written_ == nullptr) make_written(written_to_rise);
        } catch (const cuda_error&) { return; }
        for (double worked_ns = 0.0; worked_ns < work_to_rise_ns; worked_ns += elapsed_ns(0, 1)) {
            record(0);
            for (int i = 0; i < writes; ++i) flush();
            record(1);
            stream_.wait();
        }
    }

    /// Times iterations in a row, because flushes of the cache between them would let other streams catch up.
    ///
    /// iterations, sample_ns  of a sample that is long enough for the events
    void look_for_other_streams(const streamed_body& body, std::uint64_t iterations, double sample_ns) {
        const streamed_body nothing{body.name, nullptr, [](void*) {}};
        static_cast<void>(time_in_a_row(nothing, 0));
        others_.calibrate();
        const double times = std::ceil(std::max(1.0, sample_for_others_ns / sample_ns));
        const std::uint64_t enough = std::min(most_iterations(body), iterations * static_cast<std::uint64_t>(times));
        do static_cast<void>(time_in_a_row(body, enough));
        while (others_.were_late(body.name, advice->leaves_work));
    }

    /// Waits after a host-synchronized body, which may leave work on other streams.
    void launch(const streamed_body& body, std::uint64_t iterations) const {
        for (; iterations != 0; --iterations) body.launch(body.self);
        if (timing.is_host_synchronized) stream_.wait();
    }

    /// The most iterations that may be in the queue at once.
    [[nodiscard]] std::uint64_t most_iterations(const streamed_body& body) const {
        return body.waits_for_last && !timing.is_host_synchronized ? 1 : max_device_iterations;
    }

    /// More iterations after a sample that was too short. Throws if no kernel could be that fast.
    [[nodiscard]] std::uint64_t more_iterations(const streamed_body& body, std::uint64_t iterations) const {
        const std::uint64_t most = most_iterations(body);
        if (iterations < most) return 2 * iterations;
        const std::string least = std::to_string(std::lround(shortest_device_sample_ns / 1000.0)) + " us";
        throw measurement_failure(
            failure_kind::refused,
            most == 1
                ? "\"" + std::string(body.name) + "\" takes less than " + least +
                      ", and perfspec cannot queue several iterations on the held stream, because each waits for the "
                      "last one. " +
                      std::string(advice->repeats_late)
                : "\"" + std::string(body.name) + "\" puts no work on its stream: " + std::to_string(iterations) +
                      " iterations take less than " + least + " there, and no kernel is that fast. " +
                      std::string(advice->leaves_empty));
    }

    const cuda_stream& stream_;
    other_streams others_;
    std::uint64_t iterations_{};  ///< of a sample; 0: not chosen yet
    bool has_raised_clock_{};
    bool may_have_idled_{};  ///< before the last sample
    std::vector<cudaEvent_t> events_{};
    std::uint32_t* flag_{};
    void* written_{};  ///< memory of the writes that flush the cache and raise the clock
    std::size_t written_bytes_{};
};

}  // namespace perfspec::inline v0_2::detail
