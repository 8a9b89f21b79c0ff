// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/evidence.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <limits>

namespace perfspec {

void signed_rank_evidence::add(double difference) {
    detail::require_finite("signed_rank_evidence", difference);
    const double rank = insert_and_rank(std::abs(difference));
    if (difference == 0) return;

    auto& winners = difference > 0 ? log_wealth_for_ : log_wealth_against_;
    auto& losers = difference > 0 ? log_wealth_against_ : log_wealth_for_;
    std::size_t gambler = 0;
    const auto pay = [&](double stake) {
        winners[gambler] += std::log1p(stake);
        losers[gambler] += std::log1p(-stake);
        ++gambler;
    };
    for (const double bet : detail::rank_bets) pay(bet * rank);
    for (const double bet : detail::sign_bets) pay(bet);
}

/// The mid-rank of a magnitude among those so far including itself, divided by their number; in (0, 1).
double signed_rank_evidence::insert_and_rank(double magnitude) {
    const auto [first_equal, first_greater] = std::equal_range(magnitudes_.begin(), magnitudes_.end(), magnitude);
    const auto below = static_cast<double>(first_equal - magnitudes_.begin());
    const auto equal = static_cast<double>(first_greater - first_equal);
    magnitudes_.insert(first_greater, magnitude);
    return (below + 0.5 * equal + 0.5) / static_cast<double>(magnitudes_.size());
}

namespace detail {

enum class interval_end : bool { low, high };

/// Whether the evidence excludes theta. Differences above theta are evidence against the low end, differences below it
/// against the high end.
[[nodiscard]] inline bool excluded(double theta, interval_end end, std::span<const double> differences,
                                   double log_threshold) {
    signed_rank_evidence e;
    for (const double d : differences) e.add(d - theta);
    return (end == interval_end::low ? e.log_e_for() : e.log_e_against()) >= log_threshold;
}

/// Searches from an excluded value towards one that is not, and returns the last excluded value; `inside` if all are.
template <class Excluded>
[[nodiscard]] double bisect(double outside, double inside, double precision, const Excluded& is_excluded) {
    constexpr int enough_for_a_double = 64;
    const double centre = inside;
    for (int i = 0; i < enough_for_a_double && std::abs(outside - inside) > precision * std::abs(outside - centre);
         ++i) {
        const double middle = outside / 2 + inside / 2;
        (is_excluded(middle) ? outside : inside) = middle;
    }
    return outside;
}

[[nodiscard]] inline double find_end(interval_end end, double centre, std::span<const double> differences,
                                     double log_threshold) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto is_excluded = [&](double theta) { return excluded(theta, end, differences, log_threshold); };

    // Beyond every difference all signs agree and the ranks no longer change, so a value that is not excluded here
    // never is.
    const auto [smallest, greatest] = std::minmax_element(differences.begin(), differences.end());
    const double beyond =
        end == interval_end::low ? std::nextafter(*smallest, -infinity) : std::nextafter(*greatest, infinity);
    if (!is_excluded(beyond)) return end == interval_end::low ? -infinity : infinity;
    return bisect(beyond, centre, 1e-6, is_excluded);
}

}  // namespace detail

centre_interval evidence_interval(std::span<const double> differences, double threshold) {
    detail::require_sample("evidence_interval", differences);
    if (!(threshold > 2 && std::isfinite(threshold)))
        throw input_error(fmt::format(
            "evidence_interval: found the threshold {}, needs one above 2 such as 40, which guarantees 95 %",
            threshold));
    const double centre = hodges_lehmann(differences);
    const double log_threshold = std::log(threshold);
    return {detail::find_end(detail::interval_end::low, centre, differences, log_threshold), centre,
            detail::find_end(detail::interval_end::high, centre, differences, log_threshold), 1 - 2 / threshold};
}

}  // namespace perfspec
