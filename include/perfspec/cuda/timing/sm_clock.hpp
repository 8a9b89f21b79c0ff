// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_stream.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/process_sample.hpp>
#include <perfspec/quantity/format.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// Throttled samples in a row after which the device rests, and the time of that.
inline constexpr std::uint64_t samples_until_rest = 10;
inline constexpr std::chrono::nanoseconds rest_of_device = std::chrono::milliseconds{500};

/// The device's timer may step by a microsecond: closer readings do not give a clock.
inline constexpr std::uint64_t shortest_reading_ns = 10'000;

/// A device that was idle for this time may have lowered its clock.
inline constexpr std::uint64_t shortest_idle_ns = 100'000'000;

/// From this number of samples on, a claim is an error if more than half are throttled.
inline constexpr std::uint64_t samples_to_call_throttled = 20;

inline std::string mhz_text(double mhz) { return std::to_string(std::lround(mhz)) + " MHz"; }

/// The clock of the multiprocessors during the samples of one subject. A GPU that is hot, or at its limit of power,
/// lowers it, and its times then say nothing about the code.
///
/// Source: NVBench, "throttle threshold" (nvbench/detail/measure_cold.cu).
class sm_clock_meter {
public:
    /// The stream must outlive the meter.
    explicit sm_clock_meter(const cuda_stream& stream) : stream_(stream) {}
    sm_clock_meter(const sm_clock_meter&) = delete;
    sm_clock_meter& operator=(const sm_clock_meter&) = delete;
    ~sm_clock_meter() {
        if (stamps_ != nullptr) static_cast<void>(stream_.runtime().release_pinned(stamps_));
    }

    double slowest_share{0.75};  ///< of the default clock, from which on a sample counts
    /// How a user sets another limit, for a message.
    std::string_view other_limit{", or accept slower samples: .slowest_clock(50_pct)"};

    /// Allocates memory. Precondition: the device is idle.
    void make_ready() {
        if (stamps_ != nullptr || !fault_.empty()) return;
        const cuda_runtime& runtime = stream_.runtime();
        int device = 0;
        int kilohertz = 0;
        stream_.need(runtime.current_device(&device), " (while reading the current device)");
        void* at = nullptr;
        stream_.need(runtime.allocate_pinned(&at, 2 * sizeof(clock_stamp)),
                     " (while allocating memory for readings of its clocks)");
        stamps_ = static_cast<clock_stamp*>(at);
        stamps_[0] = stamps_[1] = {};
        if (runtime.attribute(&kilohertz, cudaDevAttrClockRate, device) != cudaSuccess || kilohertz <= 0)
            fault_ = "the device does not report its default clock";
        default_mhz_ = kilohertz / 1000.0;
        begin();  // the driver compiles the kernel that reads the clocks
        stream_.wait();
    }

    /// Read the clocks on the stream, before and after a sample.
    void begin() { stamp(0); }
    void end() { stamp(1); }

    /// Whether the last sample was slow, perhaps because the device was idle before: the sample before it ended long
    /// ago, and either counted or was followed by a rest.
    [[nodiscard]] bool may_have_idled() const {
        const std::optional<double> mhz = mhz_of_stamps();
        return mhz && is_slow(*mhz) && in_a_row_ % samples_until_rest == 0 &&
               stamps_[0].nanoseconds >= last_end_ns_ + shortest_idle_ns;
    }

    /// Whether the last sample counts, also with an unknown clock. Lets the device cool after many that do not. Throws
    /// measurement_failure (refused) if most do not since the last `report_slow_samples`.
    [[nodiscard]] bool accepts_sample(std::string_view name) {
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
                "throttled: " + discarded_text() + " in \"" + std::string(name) + "\", at " +
                    mhz_text(median_reading(discarded_mhz_)) +
                    ". Let the GPU cool, raise its power limit, or lock its clocks (nvidia-smi --lock-gpu-clocks)" +
                    std::string(other_limit));
        return false;
    }

    /// A text on the discarded samples since the last call, or empty. Restarts the count.
    [[nodiscard]] std::string report_slow_samples() {
        std::string text;
        if (!discarded_mhz_.empty()) text = discarded_text() + " and were discarded";
        if (!discarded_mhz_.empty() && !kept_mhz_.empty())
            text += "; the others ran at " + mhz_text(median_reading(kept_mhz_));
        kept_mhz_.clear();
        discarded_mhz_.clear();
        return text;
    }

    /// A note on samples since the last call; empty if their clock is known.
    [[nodiscard]] std::string caveat() {
        if (!std::exchange(is_unread_, false)) return {};
        return "the clock of the GPU is unknown, so samples may be throttled: " +
               (fault_.empty() ? "its clocks were not read, or did not advance" : fault_);
    }

private:
    void stamp(int which) {
        if (!fault_.empty()) return;
        if (which == 0 && stamps_[1].nanoseconds != 0) last_end_ns_ = stamps_[1].nanoseconds;
        stamps_[which] = {};
        if (const cudaError_t failed = stream_.runtime().stamp(stream_.handle(), stamps_ + which);
            failed != cudaSuccess)
            fault_ = describe_cuda(failed);
    }

    /// None if the clocks were not read, or did not move.
    [[nodiscard]] std::optional<double> mhz_of_stamps() const {
        const clock_stamp from = stamps_[0];
        const clock_stamp to = stamps_[1];
        if (!fault_.empty() || from.nanoseconds == 0 || to.nanoseconds < from.nanoseconds + shortest_reading_ns ||
            to.cycles <= from.cycles)
            return {};
        return 1e3 * static_cast<double>(to.cycles - from.cycles) /
               static_cast<double>(to.nanoseconds - from.nanoseconds);
    }

    [[nodiscard]] bool is_slow(double mhz) const { return mhz < slowest_share * default_mhz_; }
    [[nodiscard]] std::string discarded_text() const {
        return std::to_string(discarded_mhz_.size()) + " of " +
               counted(discarded_mhz_.size() + kept_mhz_.size(), "sample") + " ran below " +
               format_percentage(slowest_share) + " of the GPU's default clock of " + mhz_text(default_mhz_);
    }

    const cuda_stream& stream_;
    clock_stamp* stamps_{};
    double default_mhz_{};
    std::string fault_{};  ///< why the clock is not known
    std::vector<double> kept_mhz_{};
    std::vector<double> discarded_mhz_{};
    std::uint64_t last_end_ns_{};  ///< of the sample before, in the device's own time
    std::uint64_t in_a_row_{};
    bool is_unread_{};  ///< a sample has an unknown clock
};

}  // namespace perfspec::inline v0_2::detail
