// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_stream.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::detail {

/// After so many throttled samples in a row the device is left to cool, for so long.
inline constexpr std::uint64_t samples_until_rest = 10;
inline constexpr std::chrono::nanoseconds rest_of_device = std::chrono::milliseconds{500};

/// A device that had no work for so long may have lowered its clock for that.
inline constexpr std::uint64_t shortest_idle_ns = 100'000'000;

/// From so many samples on, a share of throttled ones above one half makes a claim invalid.
inline constexpr std::uint64_t samples_to_call_throttled = 20;

/// The clock of the multiprocessors during the samples of one subject. A GPU that is hot, or at its limit of power,
/// lowers it, and its times then say nothing of the code.
///
/// Source: NVBench, "throttle threshold" (nvbench/detail/measure_cold.cu).
class sm_clock_meter {
public:
    /// The stream must outlive the meter.
    explicit sm_clock_meter(const cuda_stream& stream) : stream_(stream) {}
    sm_clock_meter(const sm_clock_meter&) = delete;
    sm_clock_meter& operator=(const sm_clock_meter&) = delete;
    ~sm_clock_meter();

    double slowest_share{0.75};  ///< of the default clock, at which a sample counts
    std::string_view other_limit{
        "; or say what is enough, .slowest_clock(50_pct)"};  ///< how its user sets another one; for a message

    /// Makes what it needs; the device has to be idle for that.
    void make_ready();
    /// Puts on the stream what reads the clocks, before and behind a sample.
    void begin() { stamp(0); }
    void end() { stamp(1); }

    /// Whether the sample that has ended was slow, and the device may have been idle before: the last sample was long
    /// ago, and either counted, or the device has rested since.
    [[nodiscard]] bool may_have_idled() const;
    /// Whether the sample that has ended counts, as one whose clock is not known does. Leaves the device to cool where many did not. Throws
    /// measurement_failure (refused) where most did not since the last `tell_slow_samples`.
    [[nodiscard]] bool accepts_sample(std::string_view name);
    /// The samples since the last call that did not count. It then counts anew.
    [[nodiscard]] std::string tell_slow_samples();
    /// What readers of the samples since the last call should know; empty where their clock is known.
    [[nodiscard]] std::string caveat();

private:
    void stamp(int which);
    [[nodiscard]] std::optional<double> mhz_of_stamps() const;
    [[nodiscard]] bool is_slow(double mhz) const { return mhz < slowest_share * default_mhz_; }
    [[nodiscard]] std::string discarded_text() const;

    const cuda_stream& stream_;
    clock_stamp* stamps_{};
    double default_mhz_{};
    std::string fault_{};  ///< why the clock is not known
    std::vector<double> kept_mhz_{};
    std::vector<double> discarded_mhz_{};
    std::uint64_t last_end_ns_{};  ///< of the sample before, in the device's own time
    std::uint64_t in_a_row_{};
    bool is_unread_{};  ///< a sample whose clock is not known
};

}  // namespace perfspec::detail
