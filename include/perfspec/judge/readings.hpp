// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// How to take the readings of a question, and what they mean.

#include <perfspec/ask/question.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/report/finding.hpp>
#include <perfspec/stats/sequential.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perfspec::detail {

/// A value that is a ratio of two times: exp(log(time of numerator / time of denominator) + log_factor).
struct time_ratio {
    subject numerator;
    subject denominator;
    std::string numerator_name;
    std::string denominator_name;
    metric_kind metric{metric_kind::latency};
    double log_factor{};
    kernel_request numerator_kernels{};  ///< of kernel_time
    kernel_request denominator_kernels{};
};

/// The query, or one query divided by another, as a ratio of times. Throws input_error for two queries that cannot be
/// paired.
[[nodiscard]] time_ratio ratio_of(const question& asked);

/// The level of the query's percentile, a fraction.
[[nodiscard]] inline double percentile_level(const question& asked) noexcept { return asked.query.percent / 100.0; }

/// The settings of a procedure, with the plan's rates and margin.
[[nodiscard]] inline sequential_settings with_rates(sequential_settings s, const plan& p) noexcept {
    s.margin = p.margin;
    s.false_failure = p.false_failure;
    s.false_pass = p.false_pass;
    return s;
}

/// The counter of a metric: the counter of kernels where the subjects run kernels.
[[nodiscard]] counter& counter_for(const question& asked, metric_kind m);
/// The clocks for a metric.
[[nodiscard]] clocks clocks_for(const question& asked, metric_kind m);
[[nodiscard]] measuring_settings settings_of(const question& asked, metric_kind m);

/// What the kernels that count are named, for each subject of the question. Empty texts for other metrics than
/// kernel_time.
[[nodiscard]] std::vector<std::string> work_names_of(const question& asked);
/// The kernels that count for a subject of a query.
[[nodiscard]] kernel_request kernels_of(const question& asked, const query_description& query, std::size_t subject);

/// Whether no two of them run in different processes.
[[nodiscard]] bool are_in_one_process(const std::vector<subject>& subjects);
/// The seed for the question's random draws: from the parent, from an option, or a fresh one.
[[nodiscard]] std::uint64_t seed_of(const question& asked);

/// The value of a single-subject query from the time of one iteration: the time itself, or the work per second.
[[nodiscard]] double value_from_time(const question& asked, double nanoseconds);

/// The arithmetic mean. Precondition: there is at least one value.
[[nodiscard]] double mean_of(const std::vector<double>& values);

/// The declared work of one iteration. Throws input_error where the subject declares no work of that kind.
[[nodiscard]] double declared_work(const query_description& query, const std::string& name);

/// The unit of samples: time also for rates and ratios of times, bytes for memory.
[[nodiscard]] dimension unit_of_samples(const question& asked) noexcept;

/// The logarithm of a sample. A sample that counted nothing is taken as half an event: below every other sample with as
/// many iterations.
[[nodiscard]] double log_of(double value, std::uint64_t iterations = 1);
/// The logarithm of a value that a body reports. Such values have no smallest step, so 0 becomes a tiny positive
/// number.
[[nodiscard]] double log_of_value(double value);

/// The tested quantity in values: the centre of logarithms, with the interval that the evidence does not exclude.
[[nodiscard]] estimate estimate_of_logs(const std::vector<double>& logs);
/// The estimate for a value that repeats, or was read once.
[[nodiscard]] constexpr estimate without_interval(double value) noexcept { return {value, value, value, value, 0.0}; }

/// The times of one subject as a record shows them: their quantiles, and their course in the order of `times`, of at
/// most 64 points each.
[[nodiscard]] sample_summary summary_of(const std::string& name, std::vector<double> times, std::uint64_t iterations,
                                        dimension unit = dimension::time);

}  // namespace perfspec::detail
