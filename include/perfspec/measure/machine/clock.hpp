// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec {

/// Where readings come from: nanoseconds since any fixed instant. One of the seams: tests script it, a device brings its own.
class clock {
public:
    virtual ~clock() = default;
    [[nodiscard]] virtual std::int64_t now() = 0;
    /// Whether a sample in which it does not advance is one: of a count, not of a time.
    [[nodiscard]] virtual bool may_stand_still() const noexcept { return false; }
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
};

class usage_meter;

/// What budgets are kept by, and what samples are read from; the same object where wall time is what is measured.
struct clocks {
    clock& wall;
    clock& metric;
    usage_meter* usage{};  ///< what a body uses besides, while calibrating; null where nobody looks
};

/// How fine a clock is, and what a reading costs.
struct clock_facts {
    double resolution_ns{1.0};
    double cost_ns{};

    friend bool operator==(const clock_facts&, const clock_facts&) = default;
};

/// Looks at a clock by reading it in a row, 1000 times or until it has advanced.
///
/// The resolution is the smallest step that two neighbouring readings show. Where no two are equal the clock may be finer than
/// a reading takes, so that it is the smallest difference between two such steps. The cost is the mean step, but a disturbed one
/// counts for two medians at most; where more than a twentieth are, it looks again, five times in all, and keeps the calmest look.
/// A clock that does not advance in ten million readings throws measurement_failure (zero_duration), one that steps back clock_went_backwards.
[[nodiscard]] clock_facts inspect(clock& c);

/// A second look, before a claim becomes invalid by the first: the cheaper of both, and the first where the clock cannot be looked at again.
[[nodiscard]] clock_facts inspect_again(clock& c, const clock_facts& first);

}  // namespace perfspec
