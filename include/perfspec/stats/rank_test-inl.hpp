// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

namespace perfspec::inline v0_2 {
namespace detail {

/// P(|T| < t) of Student's distribution with whole degrees of freedom, at t = sqrt(freedom) tan(angle) (Abramowitz and
/// Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4).
[[nodiscard]] inline double student_within(double angle, std::size_t freedom) {
    const double cosine = std::cos(angle);
    const bool is_odd = freedom % 2 == 1;
    double term = is_odd ? cosine : 1.0;
    double sum = freedom == 1 ? 0.0 : term;
    for (std::size_t i = is_odd ? 3 : 2; i < freedom; i += 2) {
        const auto n = static_cast<double>(i);
        term *= (n - 1.0) / n * cosine * cosine;
        sum += term;
    }
    sum *= std::sin(angle);
    return is_odd ? 2.0 * std::numbers::inv_pi * (angle + sum) : sum;
}

/// The quantile of Student's distribution for a probability above one half, by bisection of the angle.
[[nodiscard]] inline double student_quantile(double probability, std::size_t freedom) {
    double low = 0.0;
    double high = std::numbers::pi / 2.0;
    for (int halvings = 0; halvings < 60; ++halvings) {
        const double middle = (low + high) / 2.0;
        (student_within(middle, freedom) < 2.0 * probability - 1.0 ? low : high) = middle;
    }
    return std::sqrt(static_cast<double>(freedom)) * std::tan(low);
}

/// The sum of the squared distances from the mean.
[[nodiscard]] inline double squares_around_mean(std::span<const double> values) {
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [mean](double sum, double v) { return sum + (v - mean) * (v - mean); });
}

/// The fresh processes of each run, drawn from the stored ones.
[[nodiscard]] inline std::vector<std::vector<double>> runs_drawn_from(std::span<const double> processes) {
    constexpr std::size_t runs = 200;
    std::mt19937_64 random(7);
    std::vector<std::vector<double>> drawn(runs);
    for (std::vector<double>& run : drawn)
        while (run.size() < stored_rank_test::max_processes) run.push_back(processes[random() % processes.size()]);
    return drawn;
}

/// In how many of the runs the claim is found violated when all fresh processes are multiplied by `factor`.
[[nodiscard]] inline std::size_t runs_violated(const drifting_rank_test& claim,
                                               const std::vector<std::vector<double>>& runs, double factor) {
    return static_cast<std::size_t>(std::ranges::count_if(runs, [&](const std::vector<double>& run) {
        drifting_rank_test test = claim;
        for (std::size_t i = 0; test.is_open() && i < run.size(); ++i) test.add(run[i] * factor);
        return test.decided() == decision::violated;
    }));
}

}  // namespace detail

double drift_allowance(std::span<const double> log_centers, double usual, double rate) {
    detail::require_sample("drift_allowance", log_centers);
    if (rate >= 0.5) return usual;            // half of the new sessions are beyond any center
    constexpr std::size_t usual_freedom = 3;  // the usual drift counts as this many additional sessions
    constexpr std::size_t enough_to_allow_less = 3;
    const auto sessions = static_cast<double>(log_centers.size());
    const double usual_deviation =
        std::log1p(usual) / (detail::student_quantile(1.0 - rate, usual_freedom) * std::sqrt(2.0));
    const std::size_t freedom = usual_freedom + log_centers.size() - 1;
    const double squares = static_cast<double>(usual_freedom) * usual_deviation * usual_deviation +
                           detail::squares_around_mean(log_centers);
    const double variance = squares / static_cast<double>(freedom);
    const double allowed =
        std::expm1(detail::student_quantile(1.0 - rate, freedom) * std::sqrt(variance * (1.0 + 1.0 / sessions)));
    return log_centers.size() < enough_to_allow_less ? std::max(usual, allowed) : allowed;
}

double detectable_change(std::span<const double> processes, direction claimed, double allowance) {
    const drifting_rank_test claim(processes, claimed, allowance);
    const auto runs = detail::runs_drawn_from(processes);
    const double sign = claimed == direction::less ? 1.0 : -1.0;
    const auto is_found = [&](double log_change) {
        return detail::runs_violated(claim, runs, std::exp(sign * log_change)) * 10 >= runs.size() * 9;
    };
    double low = 0.0;
    double high = std::log(10.0);
    if (!is_found(high)) return std::numeric_limits<double>::infinity();
    while (high - low > 1e-4) {
        const double middle = (low + high) / 2;
        (is_found(middle) ? high : low) = middle;
    }
    return claimed == direction::less ? std::expm1(high) : -std::expm1(-high);
}

namespace detail {

/// Turns the coefficients for fresh - 1 into those for `fresh`: multiplies by (1 - q^(stored + fresh)) / (1 - q^fresh).
/// Unsigned numbers wrap around between the two steps, and are exact after them.
inline void add_fresh_value(std::vector<std::uint64_t>& counts, std::size_t stored, std::size_t fresh) {
    for (std::size_t u = counts.size(); u-- > stored + fresh;) counts[u] -= counts[u - stored - fresh];
    for (std::size_t u = fresh; u < counts.size(); ++u) counts[u] += counts[u - fresh];
}

std::vector<std::uint64_t> rank_sum_counts(std::size_t stored, std::size_t fresh) {
    std::vector<std::uint64_t> counts(stored * fresh + 1);
    counts[0] = 1;
    for (std::size_t n = 1; n <= fresh; ++n) add_fresh_value(counts, stored, n);
    return counts;
}

rank_sum_limit largest_sum_within(std::span<const std::uint64_t> counts, double rate) {
    const auto orders = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    rank_sum_limit limit;
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts) {
        sum += count;
        if (static_cast<double>(sum) > rate * orders) break;
        ++limit.u;
        limit.probability = static_cast<double>(sum) / orders;
    }
    return limit;
}

/// The shares of the rates that the test may spend up to a look. Claims that clearly hold end after two processes; most
/// violations need many.
struct spending_at_look {
    std::size_t processes;
    double violated;
    double holds;
};
inline constexpr spending_at_look spending_plan[] = {
    {2, 0.0, 0.4}, {3, 0.0, 0.6}, {5, 0.35, 0.8}, {10, 0.6, 0.9}, {20, 1.0, 1.0}};

std::vector<stored_rank_look> stored_rank_looks(std::size_t stored, stored_rank_rates rates) {
    stored_rank_rates spent{0.0, 0.0};
    std::vector<stored_rank_look> looks;
    for (const spending_at_look& at : spending_plan) {
        const auto counts = rank_sum_counts(stored, at.processes);
        const auto violated = largest_sum_within(counts, at.violated * rates.violated - spent.violated);
        const auto holds = largest_sum_within(counts, at.holds * rates.holds - spent.holds);
        spent.violated += violated.probability;
        spent.holds += holds.probability;
        looks.push_back({at.processes, violated.u, holds.u});
    }
    return looks;
}

/// How many of the sorted values are below a value; ties count a half.
[[nodiscard]] inline double count_below(double value, const std::vector<double>& sorted) noexcept {
    const auto [first_equal, first_greater] = std::equal_range(sorted.begin(), sorted.end(), value);
    return (static_cast<double>(first_equal - sorted.begin()) + static_cast<double>(first_greater - sorted.begin())) /
           2;
}

[[nodiscard]] inline double count_above(double value, const std::vector<double>& sorted) noexcept {
    return static_cast<double>(sorted.size()) - count_below(value, sorted);
}

/// A limit of -1 is below every sum.
[[nodiscard]] inline bool is_up_to(double sum, std::int64_t limit) noexcept {
    return sum <= static_cast<double>(limit);
}

/// Bounds moved to the side that the claim forbids.
[[nodiscard]] inline std::vector<double> moved_outward(std::span<const double> bounds, direction claimed,
                                                       double allowance) {
    std::vector<double> moved(bounds.begin(), bounds.end());
    for (double& b : moved) b = claimed == direction::less ? b * (1 + allowance) : b / (1 + allowance);
    return moved;
}

}  // namespace detail

stored_rank_test::stored_rank_test(std::span<const double> bounds, direction claimed, double margin,
                                   stored_rank_rates rates)
    : bounds_(bounds.begin(), bounds.end()), claimed_(claimed), margin_(margin) {
    if (!can_judge(bounds.size()))
        throw input_error(
            fmt::format("stored_rank_test: found {} stored measurements, expected {} to {}. Record more with "
                        "update_baselines=append, or pass the newest forty",
                        bounds.size(), min_stored, max_stored));
    detail::require_sample("stored_rank_test", bounds);
    std::sort(bounds_.begin(), bounds_.end());
    looks_ = detail::stored_rank_looks(bounds.size(), rates);
}

decision stored_rank_test::add(double process) {
    detail::require_finite("stored_rank_test", process);
    if (process < 0)
        throw input_error(fmt::format(
            "stored_rank_test: the value is {}, expected 0 or more, because the margin is a fraction of it", process));
    if (!is_open()) return decided_;
    ++processes_;
    if (claimed_ == direction::less) {
        u_ += detail::count_above(process, bounds_);
        v_ += detail::count_below(process / (1 + margin_), bounds_);
    } else {
        u_ += detail::count_below(process, bounds_);
        v_ += detail::count_above(process * (1 + margin_), bounds_);
    }
    return decided_ = look();
}

decision stored_rank_test::look() const noexcept {
    const auto now = std::ranges::find(looks_, processes_, &stored_rank_look::processes);
    if (now == looks_.end()) return decision::none;
    if (detail::is_up_to(u_, now->violated)) return decision::violated;
    return detail::is_up_to(v_, now->holds) ? decision::holds : decision::none;
}

std::size_t stored_rank_test::processes_to_violate() const noexcept {
    const auto first = std::ranges::find_if(looks_, [](const stored_rank_look& l) { return l.violated >= 0; });
    return first == looks_.end() ? max_processes + 1 : first->processes;
}

drifting_rank_test::drifting_rank_test(std::span<const double> bounds, direction claimed, double allowance,
                                       double margin, stored_rank_rates rates)
    : at_bound_(bounds, claimed, margin, rates),
      beyond_(detail::moved_outward(bounds, claimed, allowance), claimed, margin, rates) {}

decision drifting_rank_test::add(double process) {
    at_bound_.add(process);
    beyond_.add(process);
    ++processes_;
    return decided();
}

decision drifting_rank_test::decided() const noexcept {
    if (at_bound_.decided() == decision::holds) return decision::holds;
    return beyond_.decided() == decision::violated ? decision::violated : decision::none;
}

bool drifting_rank_test::is_open() const noexcept {
    const bool is_within_allowance = is_beyond_bound() && beyond_.decided() == decision::holds;
    return decided() == decision::none && !is_within_allowance && processes_ < stored_rank_test::max_processes;
}

}  // namespace perfspec::inline v0_2
