// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec {
namespace detail {

/// What a subject in another process can be asked to read there: wall time, processor time of all its threads, or how
/// much its memory rose. `none`: only this process can read it.
enum class remote_reading : std::uint8_t { wall_time, processor_time, peak_memory, none };

}  // namespace detail

/// What tests script. It is used by reference, and not copied.
class seam {
public:
    seam() = default;
    seam(const seam&) = delete;
    seam& operator=(const seam&) = delete;
    virtual ~seam() = default;
};

/// Idles. A seam: tests need not wait.
class sleeper {
public:
    virtual ~sleeper() = default;
    /// Returns after `ns` nanoseconds, or at once where `ns` is zero or negative.
    virtual void sleep(std::int64_t ns) = 0;
};

/// Lets the calling thread sleep.
class thread_sleeper final : public sleeper {
public:
    void sleep(std::int64_t ns) override;
};

/// A source of readings: nanoseconds since any fixed instant. One of the seams: tests script it, and a device brings
/// its own.
class clock {
public:
    virtual ~clock() = default;
    [[nodiscard]] virtual std::int64_t now() = 0;
    /// Whether a sample is valid when the reading did not advance: yes for a count, no for a time.
    [[nodiscard]] virtual bool may_stand_still() const noexcept { return false; }
    /// What to read in its place in the process of a remote subject.
    [[nodiscard]] virtual detail::remote_reading there() const noexcept { return detail::remote_reading::wall_time; }
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
    [[nodiscard]] detail::remote_reading there() const noexcept override {
        return detail::remote_reading::processor_time;
    }
};

class usage_meter;

/// `wall` limits budgets, and samples are read from `metric`. Both are the same object where wall time is measured.
struct clocks {
    clock& wall;
    clock& metric;
    usage_meter* usage{};  ///< meters what else a body uses during calibration; null: nothing is metered
};

/// How fine a clock is, and what a reading costs.
struct clock_facts {
    double resolution_ns{1.0};
    double cost_ns{};

    friend bool operator==(const clock_facts&, const clock_facts&) = default;
};

/// Inspects a clock by 1000 readings in a row, or by as many as it takes to advance.
///
/// The resolution is the smallest step between two neighbouring readings. Where no two readings are equal, the clock
/// may be finer than the time of a reading. The resolution is then the smallest difference between two such steps. The
/// cost is the mean step, but a disturbed step counts as two medians at most. Where more than a twentieth of the steps
/// are disturbed, it looks again, five times in all, and keeps the calmest look.
///
/// Throws measurement_failure: zero_duration for a clock that does not advance in ten million readings,
/// clock_went_backwards for one that steps back.
[[nodiscard]] clock_facts inspect(clock& c);

/// A second look, before the first one makes a claim invalid. Returns the cheaper of both, or the first where the clock
/// cannot be inspected again.
[[nodiscard]] clock_facts inspect_again(clock& c, const clock_facts& first);

}  // namespace perfspec
