// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/timing/sm_clock.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/launch_sample.hpp>
#include <perfspec/quantity/format.hpp>

#include <cmath>
#include <utility>

namespace perfspec::detail {

inline std::string mhz_text(double mhz) { return std::to_string(std::lround(mhz)) + " MHz"; }

sm_clock_meter::~sm_clock_meter() {
    if (stamps_ != nullptr) static_cast<void>(stream_.runtime().release_pinned(stamps_));
}

void sm_clock_meter::make_ready() {
    if (stamps_ != nullptr || !fault_.empty()) return;
    const cuda_runtime& runtime = stream_.runtime();
    int device = 0;
    int kilohertz = 0;
    stream_.need(runtime.current_device(&device), " (of the current device)");
    void* at = nullptr;
    stream_.need(runtime.allocate_pinned(&at, 2 * sizeof(clock_stamp)),
                 " (of the memory for the readings of its clocks)");
    stamps_ = static_cast<clock_stamp*>(at);
    stamps_[0] = stamps_[1] = {};
    if (runtime.attribute(&kilohertz, cudaDevAttrClockRate, device) != cudaSuccess || kilohertz <= 0)
        fault_ = "the device does not tell its default clock";
    default_mhz_ = kilohertz / 1000.0;
    begin();  // the driver compiles what reads the clocks
    stream_.wait();
}

void sm_clock_meter::stamp(int which) {
    if (!fault_.empty()) return;
    if (which == 0 && stamps_[1].nanoseconds != 0) last_end_ns_ = stamps_[1].nanoseconds;
    stamps_[which] = {};
    if (const cudaError_t found = stream_.runtime().stamp(stream_.handle(), stamps_ + which); found != cudaSuccess)
        fault_ = describe_cuda(stream_.runtime(), found);
}

/// Nothing where the clocks were not read, or did not move.
std::optional<double> sm_clock_meter::mhz_of_stamps() const {
    const clock_stamp from = stamps_[0];
    const clock_stamp to = stamps_[1];
    if (!fault_.empty() || from.nanoseconds == 0 || to.nanoseconds <= from.nanoseconds || to.cycles <= from.cycles)
        return {};
    return 1e3 * static_cast<double>(to.cycles - from.cycles) / static_cast<double>(to.nanoseconds - from.nanoseconds);
}

bool sm_clock_meter::may_have_idled() const {
    const std::optional<double> mhz = mhz_of_stamps();
    return mhz && is_slow(*mhz) && in_a_row_ % samples_until_rest == 0 &&
           stamps_[0].nanoseconds >= last_end_ns_ + shortest_idle_ns;
}

bool sm_clock_meter::accepts_sample(std::string_view name) {
    const std::optional<double> mhz = mhz_of_stamps();
    if (!mhz) {
        is_unread_ = true;
        return true;
    }
    if (!is_slow(*mhz)) {
        in_a_row_ = 0;
        kept_mhz_.push_back(*mhz);
        return true;
    }
    discarded_mhz_.push_back(*mhz);
    if (++in_a_row_ % samples_until_rest == 0) stream_.runtime().rest(rest_of_device);
    if (discarded_mhz_.size() > kept_mhz_.size() &&
        discarded_mhz_.size() + kept_mhz_.size() >= samples_to_call_throttled)
        throw measurement_failure(
            failure_kind::refused,
            "throttled: " + discarded_text() + " of \"" + std::string(name) + "\", at " +
                mhz_text(middle_of(discarded_mhz_)) +
                ": let the GPU cool, give it more power, or lock its clocks (nvidia-smi --lock-gpu-clocks)" +
                std::string(other_limit));
    return false;
}

std::string sm_clock_meter::discarded_text() const {
    return std::to_string(discarded_mhz_.size()) + " of " +
           counted(discarded_mhz_.size() + kept_mhz_.size(), "sample") + " ran below " +
           format_percentage(slowest_share) + " of the GPU's default clock of " + mhz_text(default_mhz_);
}

std::string sm_clock_meter::tell_slow_samples() {
    std::string told;
    if (!discarded_mhz_.empty()) told = discarded_text() + " and were discarded";
    if (!discarded_mhz_.empty() && !kept_mhz_.empty()) told += "; the others ran at " + mhz_text(middle_of(kept_mhz_));
    kept_mhz_.clear();
    discarded_mhz_.clear();
    return told;
}

std::string sm_clock_meter::caveat() {
    if (!std::exchange(is_unread_, false)) return {};
    return "how fast the GPU ran is not known, so samples may be throttled: " +
           (fault_.empty() ? "its clocks were not read, or did not move" : fault_);
}

}  // namespace perfspec::detail
