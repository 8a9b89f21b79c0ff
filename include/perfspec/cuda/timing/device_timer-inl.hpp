// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/timing/device_timer.hpp>
#include <perfspec/measure/failure.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <utility>

namespace perfspec::detail {

stream_hold::stream_hold(const cuda_stream& stream, std::uint32_t* flag) : flag_(flag) {
    std::atomic_ref(*flag_).store(hold_flag::held);
    watch_ = stream.runtime().watch(flag_, longest_hold);
    stream.need(
        stream.runtime().wait_for_flag(stream.handle(), flag_),
        " (of the hold that keeps launches out of device_time; where the driver has none, say .host_synchronised())");
}

bool stream_hold::release() noexcept {
    std::uint32_t expected = hold_flag::held;
    std::atomic_ref(*flag_).compare_exchange_strong(expected, hold_flag::released);
    watch_.reset();
    return expected != hold_flag::timed_out;
}

std::string device_timing::text() const {
    const std::string cache_text = cache == cache_mode::cold ? "cold" : "hot";
    return is_host_synchronised ? cache_text + "-synchronised" : cache_text;
}

/// A batch in the queue of its stream. The device starts it when it is complete, unless the body is host-synchronised.
class device_timer::batch {
public:
    batch(device_timer& timer, const launched_body& body) : timer_(timer), body_(body) {
        if (!timer.timing.is_host_synchronised) hold_.emplace(timer.stream_, timer.flag_);
    }

    /// Iterations begin here, on whatever stream they are. A host-synchronised body's are waited for wherever they are.
    void hold_others() {
        if (hold_) timer_.others_.hold();
    }

    /// Starts the batch, and returns when it is done. Throws for a body that waited in between, and for work that
    /// failed.
    void finish() {
        if (hold_) timer_.others_.end();
        const bool was_complete = !hold_ || hold_->release();
        timer_.stream_.wait();
        timer_.stream_.check_launches();
        if (was_complete) return;
        throw measurement_failure(
            failure_kind::refused,
            "\"" + std::string(body_.name) + "\" did not return within " +
                std::to_string(longest_hold.count() / 1'000'000'000) +
                " s while its stream was held, so it waits for the device: " + std::string(body_.advice->waits));
    }

private:
    device_timer& timer_;
    const launched_body& body_;
    std::optional<stream_hold> hold_{};
};

device_timer::~device_timer() {
    const cuda_runtime& runtime = stream_.runtime();
    for (const cudaEvent_t e : events_) static_cast<void>(runtime.destroy_event(e));
    if (flag_ != nullptr) static_cast<void>(runtime.release_pinned(flag_));
    if (written_ != nullptr) static_cast<void>(runtime.release(written_));
}

/// More iterations after a sample that was too short. Throws where no kernel could be that fast.
inline std::uint64_t more_iterations(const launched_body& body, std::uint64_t iterations, std::uint64_t most) {
    if (iterations < most) return 2 * iterations;
    if (most == 1)
        throw measurement_failure(
            failure_kind::refused,
            "\"" + std::string(body.name) + "\" takes less than " +
                std::to_string(std::lround(shortest_device_sample_ns / 1000.0)) +
                " us, and its iterations cannot be timed in a row while the stream is held, because "
                "each waits for the last one. " +
                std::string(body.advice->repeats_late));
    throw measurement_failure(
        failure_kind::refused,
        "\"" + std::string(body.name) + "\" puts no work on its stream: " + std::to_string(iterations) +
            " iterations take less than " + std::to_string(std::lround(shortest_device_sample_ns / 1000.0)) +
            " us there, and no kernel is that fast. " + std::string(body.advice->leaves_empty));
}

double device_timer::time_iteration(const launched_body& body) {
    for (;;) {
        raise_clock();
        if (iterations_ == 0) look_at_body(body);
        double sample_ns = time_sample(body, iterations_);
        for (; sample_ns < shortest_device_sample_ns; sample_ns = time_sample(body, iterations_))
            iterations_ = more_iterations(body, iterations_, most_iterations(body));
        if (!timing.is_host_synchronised) static_cast<void>(others_.were_late(body.name, body.advice->leaves_work));
        if (accepts_sample(body.name)) return sample_ns / static_cast<double>(iterations_);
    }
}

bool device_timer::accepts_sample(std::string_view name) {
    const bool may_have_idled = !std::exchange(may_have_idled_, false) && clock.may_have_idled();
    if (!may_have_idled) return clock.accepts_sample(name);
    may_have_idled_ = true;
    has_raised_clock_ = false;
    return false;
}

void device_timer::settle_cache(const launched_body& body) {
    raise_clock();
    make_ready(0);
    if (timing.cache == cache_mode::cold) flush();
    if (timing.cache == cache_mode::hot) launch(body, 1);
    stream_.wait();
    stream_.check_launches();
}

/// The most iterations that may be in the queue at once.
std::uint64_t device_timer::most_iterations(const launched_body& body) const {
    return body.repeats_while_held || timing.is_host_synchronised ? max_device_iterations : 1;
}

std::size_t device_timer::cache_bytes() const {
    const char* const when =
        " (of the size of the L2 cache, which device_time flushes; to leave it as it is, say .hot())";
    int device = 0;
    int bytes = 0;
    stream_.need(stream_.runtime().current_device(&device), when);
    stream_.need(stream_.runtime().attribute(&bytes, cudaDevAttrL2CacheSize, device), when);
    if (bytes <= 0) stream_.need(cudaErrorNotSupported, when);
    return static_cast<std::size_t>(bytes);
}

/// Settles how many iterations make a sample, by iterations in a row: between two events that follow each other,
/// nothing takes next to no time. Events around each iteration would take some time of their own.
void device_timer::look_at_body(const launched_body& body) {
    make_ready(2);
    // The first launch of a kernel loads it, for which the device may have to be idle: it must not be held.
    launch(body, 1);
    stream_.wait();
    stream_.check_launches();
    std::uint64_t iterations = 1;
    double sample_ns = time_in_a_row(body, iterations);
    while (sample_ns < shortest_device_sample_ns) {
        iterations = more_iterations(body, iterations, most_iterations(body));
        sample_ns = time_in_a_row(body, iterations);
    }
    if (!timing.is_host_synchronised) look_for_other_streams(body, iterations, sample_ns);
    iterations_ = iterations;
}

/// Keeps the device busy: the clock of a GPU that was idle is low at first, and that is no throttling. The body is not
/// run for it, because there may be no more inputs. Does nothing where there is no memory for it.
void device_timer::raise_clock() {
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

/// Iterations in a row show other streams: where the cache is flushed between them, others have the time of a flush to
/// catch up.
///
/// iterations, sample_ns  of a sample that is long enough for the events
void device_timer::look_for_other_streams(const launched_body& body, std::uint64_t iterations, double sample_ns) {
    const launched_body nothing{body.name, nullptr, [](void*) {}};
    static_cast<void>(time_in_a_row(nothing, 0));
    others_.calibrate();
    const double times = std::ceil(std::max(1.0, sample_for_others_ns / sample_ns));
    const std::uint64_t enough = std::min(most_iterations(body), iterations * static_cast<std::uint64_t>(times));
    do static_cast<void>(time_in_a_row(body, enough));
    while (others_.were_late(body.name, body.advice->leaves_work));
}

std::string device_timer::caveat() {
    const std::string of_clock = clock.caveat();
    const std::string of_others = timing.is_host_synchronised ? std::string{} : others_.caveat();
    return of_clock.empty() || of_others.empty() ? of_clock + of_others : of_clock + "; " + of_others;
}

/// A host-synchronised body may have work left on other streams where it returns.
void device_timer::launch(const launched_body& body, std::uint64_t iterations) const {
    for (; iterations != 0; --iterations) body.launch(body.self);
    if (timing.is_host_synchronised) stream_.wait();
}

double device_timer::time_sample(const launched_body& body, std::uint64_t iterations) {
    return timing.cache == cache_mode::cold ? time_batches(body, iterations, 1) : time_in_a_row(body, iterations);
}

double device_timer::time_in_a_row(const launched_body& body, std::uint64_t iterations) {
    return time_batches(body, 1, iterations);
}

/// Nanoseconds of batches with events around each. Before one of a single cold iteration the cache is flushed.
double device_timer::time_batches(const launched_body& body, std::uint64_t batches, std::uint64_t iterations) {
    make_ready(2 * batches);
    // Other work may have used the cache since the last sample. It is warmed before the hold, because a held queue has
    // little room.
    if (timing.cache == cache_mode::hot) launch(body, 1);
    batch queued(*this, body);
    clock.begin();
    for (std::size_t i = 0; i < batches; ++i) {
        if (iterations == 1 && timing.cache == cache_mode::cold) flush();
        queued.hold_others();  // or work that waits for nothing would be done during the flush
        record(2 * i);
        launch(body, iterations);
        record(2 * i + 1);
    }
    clock.end();
    queued.finish();
    double sum = 0.0;
    for (std::size_t i = 0; i < batches; ++i) sum += elapsed_ns(2 * i, 2 * i + 1);
    return sum;
}

void device_timer::flush() const {
    stream_.need(stream_.runtime().fill(written_, 0, written_bytes_, stream_.handle()),
                 " (of a write that flushes the L2 cache)");
}

/// Makes what a batch needs. Allocating waits for the device, so it comes before the hold.
void device_timer::make_ready(std::size_t events) {
    const cuda_runtime& runtime = stream_.runtime();
    while (events_.size() < events) {
        cudaEvent_t made{};
        stream_.need(runtime.create_event(&made), " (of an event that takes the time)");
        events_.push_back(made);
    }
    if (flag_ == nullptr && !timing.is_host_synchronised) {
        void* at = nullptr;
        stream_.need(runtime.allocate_pinned(&at, sizeof(std::uint32_t)), " (of the flag that holds the stream)");
        flag_ = static_cast<std::uint32_t*>(at);
    }
    clock.make_ready();
    if (!timing.is_host_synchronised) others_.make_ready();
    if (timing.cache == cache_mode::cold) make_written(cache_bytes());
}

void device_timer::make_written(std::size_t bytes) {
    if (written_bytes_ >= bytes) return;
    if (written_ != nullptr) static_cast<void>(stream_.runtime().release(written_));
    written_bytes_ = 0;
    written_ = nullptr;
    stream_.need(stream_.runtime().allocate(&written_, bytes), " (of the memory that flushes the L2 cache)");
    written_bytes_ = bytes;
}

void device_timer::record(std::size_t event) {
    stream_.need(stream_.runtime().record_event(events_[event], stream_.handle()),
                 " (of an event that takes the time)");
}

double device_timer::elapsed_ns(std::size_t from, std::size_t to) const {
    float milliseconds = 0;
    stream_.need(stream_.runtime().elapsed_ms(&milliseconds, events_[from], events_[to]),
                 " (of the time between two events)");
    return std::round(1e6 * static_cast<double>(milliseconds));
}

}  // namespace perfspec::detail
