// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// How the readings of a question are taken, and what they mean.

#include <perfspec/ask/question.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/report/finding.hpp>
#include <perfspec/stats/sequential/sequential.hpp>

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
};

/// The query, or query divided by query, as a ratio of times. Throws input_error for two queries that cannot be paired.
[[nodiscard]] time_ratio ratio_of(const question& asked);

/// The level of the query's percentile, a fraction.
[[nodiscard]] inline double percentile_level(const question& asked) noexcept { return asked.query.percent / 100.0; }

/// The plan's rates and margin, on what the procedure sets otherwise.
[[nodiscard]] inline sequential_settings with_rates(sequential_settings s, const plan& p) noexcept {
    s.margin = p.margin;
    s.false_failure = p.false_failure;
    s.false_pass = p.false_pass;
    return s;
}

/// The counter of what is counted: of kernels, where the subjects run them.
[[nodiscard]] counter& counter_for(const question& asked, metric_kind m);
/// The clocks for a metric.
[[nodiscard]] clocks clocks_for(const question& asked, metric_kind m);
[[nodiscard]] measuring_settings settings_of(const question& asked, metric_kind m);
/// Of what is drawn for the question: given by its parent or an option, else a fresh one.
[[nodiscard]] std::uint64_t seed_of(const question& asked);

/// The value of a single-subject query from the time of one iteration: the time itself, or work a second.
[[nodiscard]] double value_from_time(const question& asked, double nanoseconds);

/// The arithmetic mean of values, one at least.
[[nodiscard]] double mean_of(const std::vector<double>& values);

/// Work of one iteration as declared. Throws input_error where the subject declares none of that kind.
[[nodiscard]] double declared_work(const query_description& query, const std::string& name);

/// The unit of samples: of times also where the query is a rate or a ratio of times, of bytes where it is one of memory.
[[nodiscard]] dimension unit_of_samples(const question& asked) noexcept;

/// The logarithm of a sample. It may have counted nothing: half of one then, below every other sample of so many iterations.
[[nodiscard]] double log_of(double value, std::uint64_t iterations = 1);
/// The same for what a body tells itself, where nothing lies far below everything.
[[nodiscard]] double log_of_value(double value);

/// What was tested, as values: the centre of logarithms with the interval that the evidence does not exclude.
[[nodiscard]] estimate estimate_of_logs(const std::vector<double>& logs);
/// What repeats, or was read once.
[[nodiscard]] constexpr estimate without_interval(double value) noexcept { return {value, value, value, value, 0.0}; }

/// Times of one subject as a record shows them, with a strip of at most 64 quantiles.
[[nodiscard]] sample_summary summary_of(const std::string& name, std::vector<double> times, std::uint64_t iterations,
                                        dimension unit = dimension::time);

}  // namespace perfspec::detail
