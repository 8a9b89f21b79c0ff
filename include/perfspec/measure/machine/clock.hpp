// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec::inline v0_2 {
namespace detail {

/// What a subject in another process can read there: wall time, processor time of all its threads, or the rise of its
/// memory. `none`: only this process can read it.
enum class remote_reading : std::uint8_t { wall_time, processor_time, peak_memory, none };

}  // namespace detail

/// An interface that tests script. Use it by reference.
class seam {
public:
    seam() = default;
    seam(const seam&) = delete;
    seam& operator=(const seam&) = delete;
    virtual ~seam() = default;
};

/// Sleeps. A seam, so tests need not wait.
class sleeper {
public:
    virtual ~sleeper() = default;
    /// Returns after `ns` nanoseconds, or at once if `ns` is zero or negative.
    virtual void sleep(std::int64_t ns) = 0;
};

/// Lets the calling thread sleep.
class thread_sleeper final : public sleeper {
public:
    void sleep(std::int64_t ns) override;
};

/// A source of readings: nanoseconds since any fixed instant. A seam: tests script it, and devices have their own.
class clock {
public:
    virtual ~clock() = default;
    [[nodiscard]] virtual std::int64_t now() = 0;
    /// Whether a sample of zero is valid: yes for a count, no for a time.
    [[nodiscard]] virtual bool may_stand_still() const noexcept { return false; }
    /// The equivalent in the process of a remote subject.
    [[nodiscard]] virtual detail::remote_reading remote_kind() const noexcept {
        return detail::remote_reading::wall_time;
    }
};

/// Wall time: CLOCK_MONOTONIC.
class monotonic_clock final : public clock {
public:
    [[nodiscard]] std::int64_t now() override;
};

/// CPU time of the whole process, all threads: CLOCK_PROCESS_CPUTIME_ID.
class process_cpu_clock final : public clock {
public:
    [[nodiscard]] std::int64_t now() override;
    [[nodiscard]] detail::remote_reading remote_kind() const noexcept override {
        return detail::remote_reading::processor_time;
    }
};

class usage_meter;

/// `wall` limits budgets, and samples are read from `metric`. For wall time, both are the same object.
struct clocks {
    clock& wall;
    clock& metric;
    usage_meter* usage{};  ///< of what else a body uses during calibration; may be null
};

/// The resolution of a clock, and the cost of a reading.
struct clock_facts {
    double resolution_ns{1.0};
    double cost_ns{};

    friend bool operator==(const clock_facts&, const clock_facts&) = default;
};

/// Inspects a clock by 1000 readings in a row, or by as many as it takes to advance.
///
/// The resolution is the smallest step between two neighboring readings. If no two readings are equal, the clock may
/// be finer than the time of a reading, and the resolution is the smallest difference between two such steps. The cost
/// is the mean step, but a disturbed step counts as at most two medians. If more than a twentieth of the steps are
/// disturbed, it repeats the inspection, up to five times in all, and keeps the one with the fewest.
///
/// Throws measurement_failure: zero_duration for a clock that does not advance in ten million readings,
/// clock_went_backwards for one that steps back.
[[nodiscard]] clock_facts inspect(clock& c);

/// A second inspection, before the first makes a claim an error. Returns the cheaper one, or the first if the second
/// fails.
[[nodiscard]] clock_facts inspect_again(clock& c, const clock_facts& first);

}  // namespace perfspec::inline v0_2
