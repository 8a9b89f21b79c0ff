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

namespace perfspec::inline v0_1::detail {

/// Counts the query's events for its lifetime; does nothing for a query of a time.
class counting_scope {
public:
    explicit counting_scope(const claim_context& context);

    /// Why the events cannot be counted, and what to do; empty if they can.
    [[nodiscard]] std::string fault() const { return counting_ ? counting_->fault() : std::string(); }

private:
    std::optional<counting> counting_;
};

/// Whether two numbers are equal but for the last bits of a product. For example, 1.1 x 50 is 55, and 15 % above 100 is
/// 115, but doubles miss some of these. Whole numbers have to be exactly equal.
[[nodiscard]] bool is_same_number(double a, double b);

/// Whether an exact value is on the claimed side of the bound, or equal to a bound that the claim includes.
[[nodiscard]] bool satisfies(comparison compared, double value, double bound);

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

/// The arithmetic mean. Precondition: there is at least one value.
[[nodiscard]] double mean_of(const std::vector<double>& values);

/// The declared work of one iteration. Throws input_error if the subject declares no work of that kind.
[[nodiscard]] double declared_work(const query_description& query, const std::string& name);

/// The unit of samples: time also for rates and ratios of times, bytes for memory.
[[nodiscard]] dimension unit_of_samples(const claim_context& context) noexcept;

/// The logarithm of a value. 0 becomes a tiny positive number, which is below every other value.
[[nodiscard]] double log_of(double value);
/// How far a value is inside its bound, by logarithms. If both are 0, there is no distance, but a side.
[[nodiscard]] double log_inside(const claim_context& context, double value, double bound);

/// The centre of logarithms as a value, with its confidence interval.
[[nodiscard]] estimate estimate_of_logs(const std::vector<double>& logs);
/// The same of values: by their logarithms if all have one, because noise is relative.
[[nodiscard]] estimate estimate_of_values(const std::vector<double>& values);

[[nodiscard]] inline bool contains(const centre_interval& interval, double value) {
    return interval.low <= value && value <= interval.high;
}

/// Whether the interval of logarithms is narrow enough to print: it excludes the bound, and is within 2 %.
[[nodiscard]] inline bool is_narrow(const centre_interval& interval, double log_bound) {
    return !contains(interval, log_bound) && interval.high - interval.low <= 0.04;
}

/// The ends of the tolerance that this claim is one side of; of other claims, both are the bound.
[[nodiscard]] tolerated_range allowed_by(const claim_context& side, double bound);

/// The standard deviation between processes of the logarithm of a ratio of times, beside the distance between the
/// quartiles of its pairs: each process has its own addresses and pages. Measured (stats/README.md, "Intervals").
inline constexpr double deviation_between_processes = 0.0115;

/// A ratio of times from the logarithms of its pairs in this process. The interval is for the value that the next
/// process measures, too. An end goes at most half of the way to a bound that the pairs exclude, so that it does not
/// contradict the verdict.
///
/// allowed  the ends of a tolerance; without one, both are the bound
[[nodiscard]] estimate estimate_across_processes(const std::vector<double>& logs, const tolerated_range& allowed);

/// The most that the loop around the body adds to an iteration: captures go through memory, which took up to 2.3 ns for
/// a body that hashes a 32-bit counter. It matters for bodies shorter than `short_body_ns`.
inline constexpr double loop_around_body_ns = 3.0;
inline constexpr double short_body_ns = 5.0;

/// The disturbances with one more sample, if it was interrupted for more than 1 % of its time.
///
/// reading_ns  an iteration of the sample, with interruptions
[[nodiscard]] disturbances with_sample(disturbances all, double reading_ns, const working_time& working,
                                       std::uint64_t iterations);

/// The interrupted samples of a block.
[[nodiscard]] disturbances interruptions_of(const timed_block& block, std::uint64_t iterations);

/// The estimate of a value that repeats or was read once.
[[nodiscard]] constexpr estimate without_interval(double value) noexcept { return {value, value, value, value, 0.0}; }

/// The summary of one subject's times for a record: at most 64 quantiles, and at most 64 points of their course in the
/// order of `times`.
[[nodiscard]] sample_summary summary_of(const std::string& name, std::vector<double> times, std::uint64_t iterations,
                                        dimension unit = dimension::time);

}  // namespace perfspec::inline v0_1::detail
