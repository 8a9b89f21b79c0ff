// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/hodges_lehmann.hpp>
#include <perfspec/stats/sequential/evidence_interval.hpp>
#include <perfspec/stats/sequential/signed_rank_evidence.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace perfspec {

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

/// Searches from an excluded value towards one that is not, and returns the last excluded value. Returns `inside` where
/// all are excluded.
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
    const auto [least, greatest] = std::minmax_element(differences.begin(), differences.end());
    const double beyond =
        end == interval_end::low ? std::nextafter(*least, -infinity) : std::nextafter(*greatest, infinity);
    if (!is_excluded(beyond)) return end == interval_end::low ? -infinity : infinity;
    return bisect(beyond, centre, 1e-6, is_excluded);
}

inline void require_interval_threshold(std::string_view who, double threshold) {
    if (threshold > 2 && std::isfinite(threshold)) return;
    throw input_error(std::string(who) + ": found the threshold " + number_text(threshold) +
                      ", needs one above 2 such as 40, which guarantees 95 %");
}

}  // namespace detail

centre_interval evidence_interval(std::span<const double> differences, double threshold) {
    detail::require_sample("evidence_interval", differences);
    detail::require_interval_threshold("evidence_interval", threshold);
    const double centre = hodges_lehmann(differences);
    const double log_threshold = std::log(threshold);
    return {detail::find_end(detail::interval_end::low, centre, differences, log_threshold), centre,
            detail::find_end(detail::interval_end::high, centre, differences, log_threshold), 1 - 2 / threshold};
}

}  // namespace perfspec
