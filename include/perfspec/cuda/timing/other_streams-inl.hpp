// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/timing/other_streams.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/format.hpp>

namespace perfspec::detail {

other_streams::~other_streams() {
    for (const cudaEvent_t e : events_)
        if (e != nullptr) static_cast<void>(stream_.runtime().destroy_event(e));
}

void other_streams::make_ready() {
    for (cudaEvent_t& e : events_)
        if (e == nullptr) stream_.need(stream_.runtime().create_event(&e), " (of an event that orders streams)");
}

void other_streams::hold() {
    stream_.need(stream_.runtime().hold_others(stream_.handle(), events_[ordering]), " (of the hold of other streams)");
}

void other_streams::end() {
    const cuda_runtime& runtime = stream_.runtime();
    stream_.need(runtime.record_event(events_[stream_done], stream_.handle()),
                 " (of the event where the stream is done)");
    stream_.need(runtime.wait_for_others(stream_.handle(), events_[ordering]), " (of the wait for other streams)");
    stream_.need(runtime.record_event(events_[device_done], stream_.handle()),
                 " (of the event where the device is done)");
}

double other_streams::wait_ns() const {
    float milliseconds = 0;
    stream_.need(stream_.runtime().elapsed_ms(&milliseconds, events_[stream_done], events_[device_done]),
                 " (of the time from the stream's end to the device's)");
    return 1e6 * static_cast<double>(milliseconds);
}

void other_streams::calibrate() { idle_wait_ns_ = wait_ns(); }

bool other_streams::were_late(std::string_view name, std::string_view advice) {
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

std::string other_streams::caveat() const {
    if (stream_.runtime().sees_every_stream()) return {};
    return "work that the body leaves on streams made with cudaStreamNonBlocking is not seen by a driver older than that of CUDA 12.5";
}

}  // namespace perfspec::detail
