// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_stream.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/format.hpp>

#include <array>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// When so much later than its stream the device is done, it worked elsewhere.
inline constexpr double device_settles_ns = 20e3;

/// A sample that looks for work on other streams lasts so long, so that a tenth of it is seen.
inline constexpr double sample_for_others_ns = 10.0 * device_settles_ns;

/// Another program that shares the GPU may come between. So many samples in a row are no accident.
inline constexpr int late_samples_in_a_row = 3;

/// What to do about work elsewhere, for messages.
inline constexpr std::string_view join_to_stream =
    "Join the other stream to the body's, by cudaEventRecord(event, other) and cudaStreamWaitEvent(stream, event), or make a subject with it: "
    ".on(other).";

/// Finds work that a body leaves on other streams than its own. Its own events would not be around it.
///
/// All other streams are held with the body's own, so that what the body puts there cannot be done before the sample
/// begins. Behind the sample its stream waits for all of the device: that takes no time where the body's stream was
/// waiting for the others anyway.
class other_streams {
public:
    /// The stream must outlive this.
    explicit other_streams(const cuda_stream& stream) : stream_(stream) {}
    other_streams(const other_streams&) = delete;
    other_streams& operator=(const other_streams&) = delete;
    ~other_streams() {
        for (const cudaEvent_t e : events_)
            if (e != nullptr) static_cast<void>(stream_.runtime().destroy_event(e));
    }

    void make_ready() {
        for (cudaEvent_t& e : events_)
            if (e == nullptr) stream_.need(stream_.runtime().create_event(&e), " (of an event that orders streams)");
    }

    /// Other streams wait for what is on this one now. Put it where iterations may begin.
    void hold() {
        stream_.need(stream_.runtime().hold_others(stream_.handle(), events_[ordering]),
                     " (of the hold of other streams)");
    }

    /// Put it behind a sample.
    void end() {
        const cuda_runtime& runtime = stream_.runtime();
        stream_.need(runtime.record_event(events_[stream_done], stream_.handle()),
                     " (of the event where the stream is done)");
        stream_.need(runtime.wait_for_others(stream_.handle(), events_[ordering]), " (of the wait for other streams)");
        stream_.need(runtime.record_event(events_[device_done], stream_.handle()),
                     " (of the event where the device is done)");
    }

    /// What `end` takes where nothing was put anywhere; call it where such a sample is done.
    void calibrate() { idle_wait_ns_ = wait_ns(); }
    /// Whether the device worked on after the sample that has ended. Throws measurement_failure (refused) where it did
    /// so in several in a row.
    ///
    /// advice  what its message says to do about them
    [[nodiscard]] bool were_late(std::string_view name, std::string_view advice) {
        const double late_ns = wait_ns() - idle_wait_ns_;
        if (late_ns <= device_settles_ns) return (late_in_a_row_ = 0, false);
        if (++late_in_a_row_ < late_samples_in_a_row) return true;
        throw measurement_failure(
            failure_kind::refused,
            "\"" + std::string(name) + "\" leaves work on another stream than its own: the device works on for " +
                format_value(late_ns, dimension::time) +
                " after the stream is done, and device_time would not hold that. " + std::string(advice) +
                " Another thread that uses the device meanwhile looks the same");
    }

    /// What readers of the samples should know; empty where every stream is seen.
    [[nodiscard]] std::string caveat() const {
        if (stream_.runtime().sees_every_stream()) return {};
        return "work that the body leaves on streams made with cudaStreamNonBlocking is not seen by a driver older than that of CUDA 12.5";
    }

private:
    [[nodiscard]] double wait_ns() const {
        float milliseconds = 0;
        stream_.need(stream_.runtime().elapsed_ms(&milliseconds, events_[stream_done], events_[device_done]),
                     " (of the time from the stream's end to the device's)");
        return 1e6 * static_cast<double>(milliseconds);
    }

    enum event { ordering, stream_done, device_done };
    const cuda_stream& stream_;
    std::array<cudaEvent_t, 3> events_{};
    double idle_wait_ns_{};
    int late_in_a_row_{};
};

}  // namespace perfspec::detail
