// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/power/smallest_effect-inl.hpp>
#include <perfspec/stats/repeated_claims.hpp>

#include <cmath>
#include <optional>

namespace perfspec {
namespace detail {

/// Judges a stage on the first pairs of the recording and removes them. Nothing where the recording ends before the
/// stage is decided or exhausted.
inline std::optional<bool> next_stage_violated(std::span<const double>& log_ratios,
                                               const sequential_settings& settings) {
    sequential test(settings);
    while (test.decided() == decision::none && !test.exhausted()) {
        if (log_ratios.empty()) return std::nullopt;
        test.add(log_ratios.front());
        log_ratios = log_ratios.subspan(1);
    }
    return test.decided() == decision::violated;
}

/// P(X <= k) of a binomial X.
inline double binomial_at_most(std::size_t k, std::size_t trials, double p) {
    const auto n = static_cast<double>(trials);
    double sum = 0.0;
    for (std::size_t i = 0; i <= k; ++i) {
        const auto x = static_cast<double>(i);
        sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(x + 1.0) - std::lgamma(n - x + 1.0) + x * std::log(p) +
                        (n - x) * std::log1p(-p));
    }
    return sum;
}

/// The p at which P(X <= k) equals `probability`. P(X <= k) falls as p rises.
inline double fraction_where(std::size_t k, std::size_t trials, double probability) {
    double low = 0.0;
    double high = 1.0;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2.0;
        (binomial_at_most(k, trials, middle) > probability ? low : high) = middle;
    }
    return low;
}

}  // namespace detail

repeated_claims claims_one_after_the_other(std::span<const double> log_ratios, const self_comparison& how) {
    const sequential_settings settings = detail::settings_of_stage(log_ratios, how);
    repeated_claims found;
    while (const auto first = detail::next_stage_violated(log_ratios, settings)) {
        ++found.claims;
        if (!*first) continue;
        ++found.first_stage;
        if (detail::next_stage_violated(log_ratios, settings).value_or(false)) ++found.both_stages;
    }
    return found;
}

fraction_limits limits_of_fraction(std::size_t successes, std::size_t trials, double level) {
    detail::require_rate("level", level);
    if (trials == 0 || successes > trials)
        throw input_error(std::to_string(successes) + " of " + std::to_string(trials) +
                          " is no fraction of trials, expected such as 3 of 100");
    const double missed = (1.0 - level) / 2.0;
    return {successes == 0 ? 0.0 : detail::fraction_where(successes - 1, trials, 1.0 - missed),
            successes == trials ? 1.0 : detail::fraction_where(successes, trials, missed)};
}

}  // namespace perfspec
