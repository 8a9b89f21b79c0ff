// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/stored/rank_sums.hpp>

#include <numeric>

namespace perfspec::detail {

/// Multiplies by (1 - q^(stored + fresh)) / (1 - q^fresh), which turns the coefficients for one fresh value less into
/// those for `fresh`. Unsigned numbers wrap around between the two steps, and are exact after them.
inline void add_fresh_value(std::vector<std::uint64_t>& counts, std::size_t stored, std::size_t fresh) {
    for (std::size_t u = counts.size(); u-- > stored + fresh;) counts[u] -= counts[u - stored - fresh];
    for (std::size_t u = fresh; u < counts.size(); ++u) counts[u] += counts[u - fresh];
}

rank_sum_counts::rank_sum_counts(std::size_t stored, std::size_t fresh) : counts_(fresh + 1), total_(fresh + 1) {
    std::vector<std::uint64_t> counts(stored * fresh + 1);
    counts[0] = 1;
    for (std::size_t n = 0; n <= fresh; ++n) {
        if (n > 0) add_fresh_value(counts, stored, n);
        counts_[n].assign(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(stored * n + 1));
        total_[n] = std::accumulate(counts_[n].begin(), counts_[n].end(), std::uint64_t{0});
    }
}

std::int64_t rank_sum_counts::most_below(std::size_t fresh, double rate) const {
    const double allowed = rate * static_cast<double>(orders(fresh));
    std::uint64_t sum = 0;
    std::int64_t u = -1;
    for (const std::uint64_t count : counts_.at(fresh)) {
        sum += count;
        if (static_cast<double>(sum) > allowed) break;
        ++u;
    }
    return u;
}

double rank_sum_counts::probability_up_to(std::size_t fresh, std::int64_t u) const {
    const auto end = counts_.at(fresh).begin() + (u + 1);
    return static_cast<double>(std::accumulate(counts_[fresh].begin(), end, std::uint64_t{0})) /
           static_cast<double>(orders(fresh));
}

}  // namespace perfspec::detail
