// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// Counts the query's events for its lifetime; does nothing for a query of a time.
class counting_scope {
public:
    explicit counting_scope(const claim_context& context);

    /// Why the events cannot be counted, and what to do; empty if they can.
    [[nodiscard]] std::string fault() const { return counting_ ? counting_->fault() : std::string(); }

private:
    std::optional<counting> counting_;
};

inline constexpr const char* declared_method = "one known value; nothing was measured in this run";

/// A value that is a ratio of two times: exp(log(time of numerator / time of denominator) + log_factor).
struct time_ratio {
    subject numerator;
    subject denominator;
    std::string numerator_name;
    std::string denominator_name;
    metric_kind metric{metrics::latency};
    double log_factor{};
    call_reading numerator_values{};  ///< of a metric whose values are read of each call
    call_reading denominator_values{};
};

/// The query, or one query divided by another, as a ratio of times. Throws input_error for two queries that are not
/// comparable.
[[nodiscard]] time_ratio ratio_of(const claim_context& context);

/// The level of the query's percentile, a fraction.
[[nodiscard]] inline double percentile_level(const claim_context& context) noexcept {
    return context.query.percent / 100.0;
}

/// The settings of a procedure, with the plan's rates and this margin.
[[nodiscard]] inline sequential_settings with_rates(sequential_settings s, const plan& p, double margin) noexcept {
    s.margin = margin;
    s.false_failure = p.false_failure;
    s.false_pass = p.false_pass;
    return s;
}

/// The counter of a metric; for the metric of the claim's query, as its module chooses.
[[nodiscard]] counter& counter_for(const claim_context& context, metric_kind m);
[[nodiscard]] clocks clocks_for(const claim_context& context, metric_kind m);
[[nodiscard]] measuring_settings settings_of(const claim_context& context, metric_kind m);

/// The seed for the claim's random draws: from the parent, from an option, or a fresh one.
[[nodiscard]] std::uint64_t seed_of(const claim_context& context);

/// The value of a single-subject query from the time of one iteration: the time itself, or the work per second.
[[nodiscard]] double value_from_time(const claim_context& context, double nanoseconds);

/// The declared work of one iteration; 1 for items of a subject that declares no work. Throws input_error if the
/// subject declares no work of that kind.
[[nodiscard]] double declared_work(const query_description& query, const std::string& name);

/// The unit of samples: time also for rates and ratios of times, bytes for memory.
[[nodiscard]] dimension unit_of_samples(const claim_context& context) noexcept;

/// The most that the loop around the body adds to an iteration: captures go through memory, which took up to 2.3 ns for
/// a body that hashes a 32-bit counter. It matters for bodies shorter than `short_body_ns`.
inline constexpr double loop_around_body_ns = 3.0;
inline constexpr double short_body_ns = 5.0;

}  // namespace perfspec::inline v0_2::detail
