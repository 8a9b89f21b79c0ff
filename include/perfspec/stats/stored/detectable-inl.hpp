// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/stored/detectable.hpp>
#include <perfspec/stats/stored/drifting_rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace perfspec {

namespace detail {

inline void require_positive_launches(std::span<const double> launches) {
    for (const double launch : launches)
        if (!(launch > 0))
            throw input_error(
                "relative_spread: found the launch value " + number_text(launch) +
                ", needs positive ones; counts that reach 0 compare exactly and have no spread to report");
}

/// The fresh launches of each run, drawn from the stored ones.
[[nodiscard]] inline std::vector<std::vector<double>> runs_drawn_from(std::span<const double> launches) {
    constexpr std::size_t runs = 200;
    std::mt19937_64 random(7);
    std::vector<std::vector<double>> drawn(runs);
    for (std::vector<double>& run : drawn)
        while (run.size() < stored_rank_test::max_launches) run.push_back(launches[random() % launches.size()]);
    return drawn;
}

/// In how many of the runs the claim is found violated when all fresh launches are multiplied by `factor`.
[[nodiscard]] inline std::size_t runs_violated(const drifting_rank_test& claim,
                                               const std::vector<std::vector<double>>& runs, double factor) {
    return static_cast<std::size_t>(std::ranges::count_if(runs, [&](const std::vector<double>& run) {
        drifting_rank_test test = claim;
        for (std::size_t i = 0; test.is_open() && i < run.size(); ++i) test.add(run[i] * factor);
        return test.decided() == decision::violated;
    }));
}

}  // namespace detail

double relative_spread(std::span<const double> launches) {
    detail::require_sample("relative_spread", launches);
    if (std::adjacent_find(launches.begin(), launches.end(), std::not_equal_to<>()) == launches.end()) return 0.0;
    detail::require_positive_launches(launches);
    std::vector<double> logarithms(launches.size());
    std::transform(launches.begin(), launches.end(), logarithms.begin(), [](double v) { return std::log(v); });
    return mad_to_standard_deviation * summarize(logarithms).mad;
}

double detectable_change(std::span<const double> launches, direction claimed, double allowance) {
    const drifting_rank_test claim(launches, claimed, allowance);
    const auto runs = detail::runs_drawn_from(launches);
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

}  // namespace perfspec
